/** The MCP servers that the user has added, as they are for the folder, and what is decided about them. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'

import { faultOf, type Fault } from '../api/fault'
import { readServers } from '../api/routes'
import type { KeptValue, Server, ServerList } from '../api/servers'
import { joined } from './joined'
import { useWindow } from './window'

export const useServers = defineStore('servers', () => {
  const app = useWindow()
  const folder = computed(() => app.state?.workspace?.path ?? '')
  /** Null until it was read. */
  const list = shallowRef<ServerList | null>(null)
  const fault = shallowRef<Fault | null>(null)
  /** How many parts of the page show them. */
  const shown = ref(0)
  /** What is on its way, by the name of the server; empty for one that is added. */
  const busy = ref<string | null>(null)
  /** Why the last decision was not taken, by the name of the server. */
  const refusal = shallowRef<{ name: string; fault: Fault } | null>(null)
  /** Why values are not saved, by the name of the server. */
  const unsaved = shallowRef<{ name: string; why: string } | null>(null)

  const named = (name: string): Server | undefined => list.value?.servers.find((one) => one.name === name)

  const read = joined(async () => {
    const own = folder.value
    try {
      const found = await readServers()
      if (own !== folder.value) return false
      list.value = found
      fault.value = null
    } catch (reason) {
      if (own !== folder.value) return false
      fault.value = faultOf(reason)
    }
    return true
  })

  /** Carries a decision out, one at a time; reports whether it was taken. */
  async function act(name: string, start: () => Promise<unknown>): Promise<boolean> {
    if (busy.value !== null) return false
    busy.value = name
    refusal.value = null
    let taken = true
    try {
      const kept = (await start()) as KeptValue | null | undefined
      if (kept?.unsaved) unsaved.value = { name, why: kept.unsaved }
    } catch (reason) {
      taken = false
      refusal.value = { name, fault: faultOf(reason) }
    }
    await read()
    busy.value = null
    return taken
  }

  // Each change of a server's state is news of the window.
  watch(
    () => [app.state, shown.value],
    () => {
      if (shown.value > 0) void read()
    },
  )

  return { list, fault, shown, busy, refusal, unsaved, named, read, act }
})
