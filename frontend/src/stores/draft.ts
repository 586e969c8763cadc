/** The draft of the conversation: a copy of the folder in which its runs work. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'

import * as bridge from '../api/bridge'
import { onNews } from '../api/events'
import { type Fault, faultOf } from '../api/fault'
import { readDraft } from '../api/routes'
import type { DraftChoice, DraftView } from '../api/types'
import { joined } from './joined'
import { useRuns } from './runs'
import { useWindow } from './window'

/** How long it is waited for more before what changed in the folder counts, in milliseconds. */
const settleTime = 300

export const useDraft = defineStore('draft', () => {
  const app = useWindow()
  const runs = useRuns()

  const session = computed(() => app.state?.sessionId ?? '')
  const id = computed(() => app.state?.draft?.id ?? '')
  /** A run works in it now. */
  const entered = computed(() => runs.drafting)
  /** What is in it, compared with the folder; null until it was read. */
  const view = shallowRef<DraftView | null>(null)
  const fault = shallowRef<Fault | null>(null)
  /** It is being applied, dropped or taken back. */
  const changing = ref(false)
  /** Why the last of it failed. */
  const refusal = shallowRef<Fault | null>(null)
  /** The mode is another one by now, and nobody has said what becomes of it. */
  const left = computed(
    () => id.value !== '' && !entered.value && app.state?.approve !== 'draft' && kept.value !== id.value,
  )
  /** The one that the user keeps for later. */
  const kept = ref('')
  /** The one that was dropped last, and of which conversation. */
  const dropped = shallowRef<{ session: string; id: string } | null>(null)
  const restorable = computed(() =>
    id.value === '' && dropped.value?.session === session.value ? dropped.value.id : '',
  )

  /** Reads it; calls meanwhile are joined. */
  const refresh = joined(async () => {
    const [own, draft] = [session.value, id.value]
    if (draft === '' || entered.value) {
      view.value = null
      return true
    }
    const [found, failed] = await readDraft(own).then(
      (one) => [one, null] as const,
      (reason: unknown) => [null, faultOf(reason)] as const,
    )
    if (own !== session.value || draft !== id.value) return false
    view.value = found?.id === draft ? found : null
    fault.value = failed
    return true
  })

  /** Carries something out that decides about it. */
  async function change(start: () => Promise<unknown>): Promise<void> {
    if (changing.value) return
    changing.value = true
    refusal.value = null
    try {
      await start()
    } catch (reason) {
      refusal.value = faultOf(reason)
    }
    await app.refresh()
    await refresh()
    changing.value = false
  }

  /** Makes what is chosen in the folder: without paths all but what is held. */
  const apply = (choice: DraftChoice = { paths: [] }): Promise<void> =>
    change(() => bridge.applyDraft(session.value, view.value?.hash ?? '', choice))

  function drop(): Promise<void> {
    const one = { session: session.value, id: id.value }
    return change(async () => {
      await bridge.dropDraft(one.session)
      dropped.value = one
    })
  }

  function keep(): void {
    kept.value = id.value
  }

  const restore = (): Promise<void> => change(() => bridge.restoreDraft(session.value, restorable.value))

  watch(
    [session, id, entered],
    (_, [, , was]) => {
      // It may have begun in the run, or have come to nothing.
      if (was && !entered.value) void app.refresh()
      view.value = null
      fault.value = null
      refusal.value = null
      void refresh()
    },
    { immediate: true },
  )
  let timer: number | undefined
  onNews((news) => {
    if (!news.changes && news.workspace.length === 0) return
    clearTimeout(timer)
    timer = window.setTimeout(() => void refresh(), settleTime)
  })

  return {
    id,
    entered,
    left,
    view,
    fault,
    changing,
    refusal,
    restorable,
    refresh,
    apply,
    drop,
    keep,
    restore,
  }
})
