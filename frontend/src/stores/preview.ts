/** The file that is looked at. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'

import { onNews } from '../api/events'
import { type Fault, faultOf } from '../api/fault'
import { readFile, readReviewText } from '../api/routes'
import type { EventMap, FilePreview } from '../api/types'
import { touches } from './paths'
import { useReview } from './review'
import { useRuns } from './runs'
import { useShell } from './shell'
import { useWindow } from './window'

export const usePreview = defineStore('preview', () => {
  const app = useWindow()
  const shell = useShell()
  const review = useReview()
  const runs = useRuns()

  /** The file's path in the workspace; null when none is open. */
  const path = ref<string | null>(null)
  /** The file as it was last read; null before, and when that failed. */
  const file = shallowRef<FilePreview | null>(null)
  const fault = shallowRef<Fault | null>(null)
  /** What can be read otherwise is shown as it is written. */
  const source = ref(false)
  /** The line that was asked for, from 1; null where none was. */
  const line = shallowRef<{ number: number } | null>(null)
  /** How the run whose review is shown changed the file, while the file is as that left it; else empty. */
  const diff = ref('')
  /** Counts how often a file was closed. */
  const closed = ref(0)
  const workspace = computed(() => app.state?.workspace?.path)

  /** Names what was asked for last, so that an answer that comes too late counts for nothing. */
  let asked = 0
  /** What is being read; another read of it follows when the file changes meanwhile. */
  let reading = 0
  let again = false

  async function read(): Promise<void> {
    const [own, wanted] = [asked, path.value]
    if (wanted === null) return
    if (reading === own) {
      again = true
      return
    }
    reading = own
    do {
      again = false
      const [found, failed] = await readFile(wanted).then(
        (there) => [there, null] as const,
        (reason: unknown) => [null, faultOf(reason)] as const,
      )
      if (own !== asked) return
      file.value = found
      fault.value = failed
      // What is made ready answers once it has waited a while itself.
    } while (again || file.value?.document?.preparing)
    reading = 0
  }

  /** What the run did to the file. The row may be older than the file: then their sizes mostly differ. */
  const row = computed(() =>
    review.rows.find(
      ({ path: own, kind, op, state, after }) =>
        own === path.value &&
        kind === 'file' &&
        op !== 'create' &&
        state === 'applied' &&
        after.size === file.value?.size,
    ),
  )

  /** Counts the reads of a diff: the last one holds. */
  let diffTurn = 0

  async function readDiff(): Promise<void> {
    const [own, runId, turn] = [row.value, review.runId, ++diffTurn]
    let found = ''
    try {
      if (own) found = (await readReviewText(runId, own.id)).diff
    } catch {
      // The review itself says why it cannot be read.
    }
    if (turn === diffTurn) diff.value = found
  }

  /** Opens a file and shows it at the side: beside the files where it was chosen there. A line that is
      named is gone to. */
  function open(wanted: string, among: 'preview' | 'files' = 'preview', number = 0): void {
    asked++
    if (wanted !== path.value) {
      file.value = null
      fault.value = null
      source.value = false
      diff.value = ''
    }
    path.value = wanted
    line.value = number > 0 ? { number } : null
    if (line.value) source.value = true // only there are lines
    shell.show(among)
    void read()
  }

  /** Opens a file as it is written, with all that would not be seen otherwise. */
  function openSource(wanted: string): void {
    open(wanted)
    source.value = true
  }

  function close(): void {
    asked++
    closed.value++
    path.value = null
    line.value = null
    file.value = null
    fault.value = null
    if (shell.tab === 'preview') shell.tab = 'files'
  }

  /** Takes news of the workspace: the file, or a folder that it lies in, may have changed. */
  function take(news: EventMap['workspace.changed']): void {
    const own = path.value
    if (own === null) return
    if (touches(news, own)) void read()
  }

  watch(workspace, (_, before) => {
    // The first one is that of the file that was open when the window was closed.
    if (before !== undefined) close()
  })
  watch(
    () => runs.draftState,
    () => void read(),
  )
  watch([row, file], readDiff)
  onNews((news) => {
    for (const one of news.workspace) take(one)
  })

  return { path, file, fault, source, line, diff, closed, open, openSource, close, read }
})
