/** The review of a test: a run, what it changed, and the panel that shows it. */
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'

import type { ReviewRow, ReviewText, UndoStep } from '../api/types'
import ReviewPanel from '../components/review/ReviewPanel.vue'
import { useReview } from '../stores/review'
import { useRuns } from '../stores/runs'
import { useShell } from '../stores/shell'
import { useWindow } from '../stores/window'
import * as bridge from './bridge'
import { eventsOf, type Step } from './events'
import { readReview, readReviewText, readUndo, stateWith } from './routes'

export let panel: VueWrapper

export const row = (id: string, path: string, more: Partial<ReviewRow> = {}): ReviewRow => ({
  id,
  path,
  op: 'modify',
  kind: 'file',
  state: 'applied',
  added: 1,
  removed: 1,
  calls: ['c1'],
  before: { mode: '644', size: 10 },
  after: { mode: '644', size: 12 },
  ...more,
})

/** Two parts, far apart. */
export const twoParts = `--- a/a.txt
+++ b/a.txt
@@ -1,3 +1,3 @@
-one
+eins
 two
 three
@@ -41,3 +41,3 @@
 far
-away
+weg
 end
`
export const headers = ['@@ -1,3 +1,3 @@', '@@ -41,3 +41,3 @@']

export const step = (id: string, path: string, more: Partial<UndoStep> = {}): UndoStep => ({
  id,
  path,
  verdict: 'restore',
  becomes: 'changes',
  choices: [],
  ...more,
})

const ended: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 1000 }]
export const begun: Step = ['lifecycle.start', { prompt: 'Change it', model: 'scripted', maxSteps: 50 }]

/** Shows the review of the last of some runs. */
export async function open(
  rows: ReviewRow[],
  text: Partial<ReviewText> = {},
  steps: readonly Step[][] = [[begun, ended]],
): Promise<void> {
  readReview.mockResolvedValue({ rows, aside: [] })
  readReviewText.mockResolvedValue({ text: true, diff: twoParts, hunks: true, taken: [], ...text })
  useWindow().state = stateWith({ sessionId: 'session-1' })
  const runs = useRuns()
  runs.shown = 'session-1'
  for (const [i, one] of steps.entries()) runs.receive(eventsOf(one, `run-${i + 1}`))
  useReview()
  panel = mount(ReviewPanel, { attachTo: document.body })
  await flushPromises()
}

export function prepare(): void {
  setActivePinia(createPinia())
  useShell()
  for (const mock of [readReview, readReviewText, readUndo, bridge.undo, bridge.chooseHunks]) mock.mockClear()
}

export function close(): void {
  panel.unmount()
}

/** Finds a button by its words. */
export const button = (words: string) => panel.findAll('button').find((one) => one.text() === words)

/** Presses a key where the focus is in the panel. */
export async function press(key: string): Promise<void> {
  await panel.get('[role=listbox]').trigger('keydown', { key })
  await flushPromises()
}

export const rows = () => panel.findAll('[role=option]')
export const selected = () => panel.get('[role=option][aria-selected=true]').text()
