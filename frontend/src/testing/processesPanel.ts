/** The panel of the commands of a test, with what the program answers. */
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { vi } from 'vitest'

import { Fault } from '../api/fault'
import type { Process, ProcessOutput } from '../api/processes'
import ProcessesPanel from '../components/processes/ProcessesPanel.vue'
import { lookTime } from '../components/processes/tail'
import { language } from '../i18n'
import { useProcesses } from '../stores/processes'
import { useWindow } from '../stores/window'
import * as bridge from './bridge'
import { begin } from './events'
import { readOutput, readProcesses, stateWith } from './routes'

export let panel: VueWrapper
/** What the commands have written so far, by the call. */
export let written: Map<string, string>
/** How much of the beginning of that is no longer kept. */
let gone: number
/** Whether the page can be seen. */
export const visibility = vi.fn<() => DocumentVisibilityState>()

/** How long a part of an answer is at most. */
const partLength = 1000

/** Answers as the program does; the texts of these tests have a byte a character. */
async function part(callId: string, from: number): Promise<ProcessOutput> {
  const text = written.get(callId)
  if (text === undefined) throw new Fault('NOT_FOUND', `no command of ${callId}`)
  const begins = Math.max(from, gone)
  const piece = text.slice(begins, begins + partLength)
  return { text: piece, from: begins, next: begins + piece.length, running: true }
}

/** Shows the panel with these commands. */
export async function open(...processes: Process[]): Promise<void> {
  await list(...processes)
  panel = mount(ProcessesPanel, { attachTo: document.body })
  await flushPromises()
}

/** What the list is from now on. */
export async function list(...processes: Process[]): Promise<void> {
  readProcesses.mockResolvedValue({ processes })
  await useProcesses().refresh()
  await flushPromises()
}

/** Has a command write something, and the panel see it. */
export async function writes(callId: string, text: string): Promise<void> {
  written.set(callId, (written.get(callId) ?? '') + text)
  await later()
}

/** Lets the next look pass, and its output be shown. */
export async function later(ms = lookTime + 60): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

export const rows = () => panel.findAll('[role=option]')
export const box = () => panel.get('[role=listbox]')
export const details = () => panel.get('section')
export const output = () => panel.find<HTMLElement>('[aria-label="Output"]')
export const active = () => document.activeElement

/** What readers hear of a row: its words, and the names of its signs. */
export function heard(row: Element): string {
  const words = (node: Node): string => {
    if (node instanceof Comment) return ''
    if (!(node instanceof Element)) return node.textContent?.trim() ?? ''
    const label = node.getAttribute('aria-label')
    return label ?? [...node.childNodes].map(words).filter(Boolean).join(' ')
  }
  return words(row)
}

/** The button with this accessible name. */
export function button(name: string) {
  const found = panel
    .findAll('button')
    .find((each) => (each.attributes('aria-label') ?? each.text()) === name)
  if (!found) throw new Error(`there is no button ${name} in: ${panel.text()}`)
  return found
}

/** Presses a key. */
export async function press(key: string, on: Element = box().element): Promise<void> {
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  await flushPromises()
}

/** Begins a test anew, four seconds after the start of what runs. */
export function prepare(): void {
  vi.useFakeTimers({ now: begin + 5000 })
  setActivePinia(createPinia())
  vi.resetAllMocks()
  visibility.mockReturnValue('visible')
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(visibility)
  bridge.copyText.mockResolvedValue()
  bridge.killProcess.mockResolvedValue({})
  bridge.moveToBackground.mockResolvedValue({ processId: 'p7' })
  written = new Map(['c1', 'c2', 'c3'].map((callId) => [callId, '']))
  gone = 0
  readOutput.mockImplementation(part)
  readProcesses.mockResolvedValue({ processes: [] })
  useWindow().state = stateWith({ sessionId: 's1' })
}

/** Keeps what is written from a place on, and nothing before it. */
export function forget(before: number): void {
  gone = before
}

/** Ends a test. */
export function close(): void {
  panel.unmount()
  language.value = 'en'
  vi.useRealTimers()
}
