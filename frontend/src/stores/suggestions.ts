/** What the folder suggests, and what is decided about it. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'

import * as bridge from '../api/bridge'
import { faultOf, type Fault } from '../api/fault'
import { readSuggestion, readSuggestions } from '../api/routes'
import type { Suggestion, SuggestionList, SuggestionText } from '../api/types'
import { joined } from './joined'
import { useShell } from './shell'
import { useWindow } from './window'

/** What tells one suggestion from the others of a folder. */
export const idOf = ({ kind, path }: Pick<Suggestion, 'kind' | 'path'>): string => `${kind} ${path}`

/** What a read gives, or why it gives nothing. */
const settled = <T>(read: Promise<T>): Promise<[T, null] | [null, Fault]> =>
  read.then(
    (value): [T, null] => [value, null],
    (reason: unknown): [null, Fault] => [null, faultOf(reason)],
  )

export const useSuggestions = defineStore('suggestions', () => {
  const app = useWindow()
  const shell = useShell()

  const folder = computed(() => app.state?.workspace?.path ?? '')
  /** What was found when the folder was looked at last; null until it was read. */
  const list = shallowRef<SuggestionList | null>(null)
  const fault = shallowRef<Fault | null>(null)
  const selectedId = ref('')
  const selected = computed(() => list.value?.suggestions.find((one) => idOf(one) === selectedId.value))
  /** The file of a skill that is shown; empty for its SKILL.md. */
  const file = ref('')
  /** The selected one as it was read last; what is decided is decided about this text. */
  const text = shallowRef<SuggestionText | null>(null)
  const textFault = shallowRef<Fault | null>(null)
  /** The text is another one than was shown before, and nothing is decided about it. */
  const changed = ref(false)
  /** A decision is on its way. */
  const deciding = ref(false)
  /** Why the last decision was not taken. */
  const refusal = shallowRef<Fault | null>(null)
  /** What was only to be seen, and was noted as seen, by its hash. */
  const noted = new Set<string>()

  /** Reads all of it; calls meanwhile are joined. */
  const refresh = joined(async () => {
    const own = folder.value
    const [found, failed] = await settled(readSuggestions())
    if (own !== folder.value) return false
    list.value = found
    fault.value = failed
    selectOne()
    if (isStale()) await readText()
    return true
  })

  /** Keeps what is selected, or selects the first one that is to be decided about. */
  function selectOne(): void {
    if (selected.value) return
    const all = list.value?.suggestions ?? []
    const open = all.filter(({ decision }) => decision === '')
    const one = open.find(({ canUse }) => canUse) ?? open[0] ?? all[0]
    selectedId.value = one ? idOf(one) : ''
  }

  function isStale(): boolean {
    const [listed, read] = [selected.value, text.value]
    if (!listed || !read) return true
    return idOf(listed) !== idOf(read) || listed.sha256 !== read.sha256 || listed.decision !== read.decision
  }

  /** Reads the selected one. */
  async function readText(): Promise<void> {
    const one = selected.value
    if (!one) {
      text.value = null
      textFault.value = null
      return
    }
    const [id, part] = [idOf(one), file.value]
    const [found, failed] = await settled(readSuggestion(one.kind, one.path, part))
    // Something else was selected, which is read by itself.
    if (id !== selectedId.value || part !== file.value) return
    const before = text.value
    if (found && before && idOf(before) === id && before.sha256 !== found.sha256) changed.value = true
    text.value = found
    textFault.value = failed
    if (found) await noteSeen(found)
  }

  /** What is never used is decided about once it was seen. */
  async function noteSeen({ kind, path, sha256, canUse, decision }: SuggestionText): Promise<void> {
    if (canUse || decision !== '' || noted.has(sha256)) return
    noted.add(sha256)
    await settled(bridge.useSuggestion(kind, path, sha256, false))
  }

  function select(id: string): void {
    if (id === selectedId.value) return
    selectedId.value = id
    file.value = ''
    changed.value = false
    refusal.value = null
    void readText()
  }

  /** Shows another file of the skill. */
  function showFile(path: string): void {
    file.value = path
    void readText()
  }

  /** Selects the one that stands so many lines below. */
  function move(step: number): void {
    const all = list.value?.suggestions ?? []
    const at = all.findIndex((one) => idOf(one) === selectedId.value)
    const one = all[Math.max(0, Math.min(all.length - 1, at + step))]
    if (one) select(idOf(one))
  }

  async function change(start: () => Promise<unknown>): Promise<void> {
    if (deciding.value) return
    deciding.value = true
    refusal.value = null
    try {
      await start()
    } catch (reason) {
      refusal.value = faultOf(reason)
    }
    await app.refresh()
    deciding.value = false
  }

  /** Decides about the text that is shown. Where that has changed meanwhile, it is shown as it is now. */
  function decide(use: boolean): Promise<void> {
    const one = text.value
    if (!one) return Promise.resolve()
    return change(async () => {
      try {
        await bridge.useSuggestion(one.kind, one.path, one.sha256, use)
        changed.value = false
      } catch (reason) {
        if (faultOf(reason).code !== 'INVALID_STATE') throw reason
      }
      await readText()
    })
  }

  /** Decides that nothing is used of what nothing is decided about. */
  const skip = (): Promise<void> => change(bridge.skipSuggestions)

  watch(
    () => [shell.suggestions, app.state],
    () => {
      if (shell.suggestions) void refresh()
    },
  )
  watch(
    () => shell.suggestions,
    () => {
      list.value = null
      selectedId.value = ''
      file.value = ''
      text.value = null
      changed.value = false
      refusal.value = null
    },
    { flush: 'sync' },
  )

  return {
    list,
    fault,
    selectedId,
    selected,
    file,
    text,
    textFault,
    changed,
    deciding,
    refusal,
    refresh,
    select,
    showFile,
    move,
    decide,
    skip,
  }
})
