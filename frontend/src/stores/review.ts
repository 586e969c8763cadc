/** What a run changed in the folder, and how it is judged. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'

import * as bridge from '../api/bridge'
import { onNews } from '../api/events'
import { type Fault, faultOf } from '../api/fault'
import { readReview, readReviewText } from '../api/routes'
import type { Aside, ReviewRow, ReviewText, Undone, UndoTask } from '../api/types'
import { joined } from './joined'
import { touches } from './paths'
import { useRuns } from './runs'
import { useShell } from './shell'
import type { RunView } from './view'

/** What the user says about a line of a change. */
export interface LineComment {
  runId: string
  path: string
  /** The line's number after the change, or before it where it is gone. */
  line: number
  removed: boolean
  /** The line itself. */
  code: string
  text: string
}

/** How long the review waits while more comes, in milliseconds. */
const settleTime = 150

export const useReview = defineStore('review', () => {
  const runs = useRuns()
  const shell = useShell()

  /** The run that was chosen; empty for the last one. */
  const chosen = ref('')
  const run = computed<RunView | undefined>(
    () => runs.runs.find(({ runId }) => runId === chosen.value) ?? runs.current,
  )
  const runId = computed(() => run.value?.runId ?? '')
  /** As they were read: in the order in which the run first changed them. */
  const rows = shallowRef<readonly ReviewRow[]>([])
  /** What commands have changed in copies of the folder, and nobody has decided about. */
  const aside = shallowRef<readonly Aside[]>([])
  /** The run that the rows are of; another one while they are being read. */
  const readOf = ref('')
  const fault = shallowRef<Fault | null>(null)
  /** The row that is looked at. */
  const selectedId = ref('')
  const selected = computed(() => rows.value.find(({ id }) => id === selectedId.value) ?? rows.value[0])
  const text = shallowRef<ReviewText | null>(null)
  const textFault = shallowRef<Fault | null>(null)
  /** What is being asked to be taken back; null where nothing is. */
  const asked = shallowRef<UndoTask | null>(null)
  /** Something is being taken back or made again. */
  const changing = ref(false)
  /** What was taken back or made again last. */
  const done = shallowRef<{ task: UndoTask; undone: Undone } | null>(null)
  /** Why the last of it failed. */
  const refusal = shallowRef<Fault | null>(null)
  /** Nothing can be taken back now: that is going on, or a run is running. */
  const locked = computed(() => changing.value || runs.busy)
  const comments = reactive<LineComment[]>([])
  /** Hunks that the user has looked at and keeps, each by run, row and header. */
  const kept = reactive(new Set<string>())

  const added = computed(() => rows.value.reduce((sum, row) => sum + row.added, 0))
  const removed = computed(() => rows.value.reduce((sum, row) => sum + row.removed, 0))

  /** Reads the rows; calls meanwhile are joined. */
  const refresh = joined(async () => {
    const own = runId.value
    const [found, failed] =
      own === ''
        ? [{ rows: [], aside: [] }, null]
        : await readReview(own).then(
            (review) => [review, null] as const,
            (reason: unknown) => [null, faultOf(reason)] as const,
          )
    if (own !== runId.value) return false
    if (found) {
      rows.value = found.rows
      aside.value = found.aside
    }
    readOf.value = own
    fault.value = failed
    await readText()
    return true
  })

  /** Counts what decides about the text: what was read for an earlier one is out of date. */
  let textTurn = 0

  /** Reads how the text at the selected path changed. */
  async function readText(): Promise<void> {
    const turn = ++textTurn
    const [own, row] = [runId.value, selected.value]
    if (row === undefined || readOf.value !== own) {
      text.value = null
      return
    }
    const isCurrent = () => turn === textTurn && own === runId.value && row.id === selected.value?.id
    try {
      const found = row.kind === 'file' ? await readReviewText(own, row.id) : null
      if (!isCurrent()) return
      text.value = found
      textFault.value = null
    } catch (reason) {
      if (!isCurrent()) return
      text.value = null
      textFault.value = faultOf(reason)
    }
  }

  /** Looks at a row. */
  function select(id: string): void {
    selectedId.value = id
  }

  /** Looks at the row that is so many further on. */
  function move(step: number): void {
    const at = rows.value.findIndex(({ id }) => id === selected.value?.id)
    const next = rows.value[Math.min(rows.value.length - 1, Math.max(0, at + step))]
    if (next) select(next.id)
  }

  /** The path whose row is selected once it was read. */
  let wantedPath: string | undefined

  /** Looks at another run; the row of a path is selected where it is named. */
  function choose(wanted: string, path?: string): void {
    chosen.value = wanted
    asked.value = null
    const row = rows.value.find((one) => one.path === path)
    if (readOf.value === runId.value) selectedId.value = row?.id ?? ''
    else wantedPath = path
  }

  /** Leads to what a run changed, at a path where it is named. */
  function show(wanted: string, path?: string): void {
    choose(wanted, path)
    shell.show('review')
  }

  /** Carries something out that changes the folder. Reports whether it did. */
  async function change(start: () => Promise<unknown>): Promise<boolean> {
    if (changing.value) return false
    changing.value = true
    refusal.value = null
    try {
      await start()
      return true
    } catch (reason) {
      refusal.value = faultOf(reason)
      return false
    } finally {
      changing.value = false
      void refresh()
    }
  }

  /** Takes back, or makes again. Reports whether that was carried out. */
  function undo(task: UndoTask): Promise<boolean> {
    done.value = null
    return change(async () => {
      done.value = { task, undone: await bridge.undo(task) }
      if (asked.value?.runId === task.runId) asked.value = null
    })
  }

  /** Applies changes that were set aside: those at paths, or all. */
  const applyAside = (id: string, paths: readonly string[] = []): Promise<boolean> =>
    change(() => bridge.applyAside(runId.value, id, [...paths]))

  /** Lets go of changes that were set aside. */
  const dropAside = (id: string): Promise<boolean> => change(() => bridge.dropAside(runId.value, id))

  /** Shows what an undo would do, before it is done. */
  function ask(task: UndoTask): void {
    if (runs.runs.some((one) => one.runId === task.runId)) chosen.value = task.runId
    refusal.value = null
    done.value = null
    asked.value = task
    shell.show('review')
  }

  /** Takes a hunk of the selected row back, or makes it again. */
  function toggleHunk(header: string): Promise<boolean> {
    const [row, found] = [selected.value, text.value]
    if (row === undefined || found === null || locked.value) return Promise.resolve(false)
    const taken = found.taken.includes(header)
      ? found.taken.filter((one) => one !== header)
      : [...found.taken, header]
    return change(async () => {
      await bridge.chooseHunks(runId.value, row.id, taken)
      // What is pressed next is about that, also before it was read again,
      // and what was read before it came into force says nothing any more.
      textTurn++
      if (text.value === found) text.value = { ...found, taken }
    })
  }

  const keyOf = (header: string) => `${runId.value} ${selected.value?.id} ${header}`
  const isKept = (header: string): boolean => kept.has(keyOf(header))
  function keep(header: string): void {
    const key = keyOf(header)
    if (!kept.delete(key)) kept.add(key)
  }

  // Live: what a call changed is there with its result.
  const ended = computed(() => {
    const all = [...(run.value?.tools.values() ?? [])]
    return all.filter(({ result }) => result !== null && result.changes.length > 0).length
  })
  let timer: number | undefined
  function refreshSoon(): void {
    clearTimeout(timer)
    timer = window.setTimeout(() => void refresh(), settleTime)
  }
  watch([ended, () => run.value?.end], refreshSoon)
  watch(
    runId,
    () => {
      rows.value = []
      text.value = null
      selectedId.value = ''
      fault.value = null
      textFault.value = null
      refusal.value = null
      if (asked.value?.runId !== runId.value) asked.value = null
      if (done.value?.task.runId !== runId.value) done.value = null
      void refresh()
    },
    { immediate: true },
  )
  watch(rows, () => {
    const row = rows.value.find(({ path }) => path === wantedPath)
    if (row === undefined) return
    selectedId.value = row.id
    wantedPath = undefined
  })
  watch([() => selected.value?.id, () => readOf.value], () => {
    text.value = null
    textFault.value = null
    void readText()
  })
  watch(
    () => runs.shown,
    () => {
      chosen.value = ''
      comments.length = 0
    },
  )
  onNews((news) => {
    if (news.changes) void refresh()
    // Another program may have changed what a row tells of.
    if (rows.value.some(({ path }) => news.workspace.some((one) => touches(one, path)))) refreshSoon()
  })

  return {
    run,
    runId,
    rows,
    readOf,
    fault,
    selected,
    text,
    textFault,
    asked,
    done,
    changing,
    locked,
    refusal,
    comments,
    added,
    removed,
    refresh,
    readText,
    select,
    move,
    choose,
    show,
    ask,
    undo,
    toggleHunk,
    aside,
    applyAside,
    dropAside,
    isKept,
    keep,
  }
})
