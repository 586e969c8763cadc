/** A transcript in a page, for tests: what the engine would lay out is said by the test. */
import { mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { vi } from 'vitest'
import { nextTick } from 'vue'

import type { State } from '../api/types'
import Transcript from '../components/transcript/Transcript.vue'
import { useRuns } from '../stores/runs'
import { useWindow } from '../stores/window'
import { eventsOf, type Step } from './events'
import { readState, stateWith } from './routes'

/** Stands for the engine's own, which jsdom has not; called by TranscriptPage.resize. */
class PretendedResizeObserver {
  static readonly all = new Set<PretendedResizeObserver>()

  constructor(readonly notify: () => void) {
    PretendedResizeObserver.all.add(this)
  }

  observe(): void {}

  disconnect(): void {
    PretendedResizeObserver.all.delete(this)
  }
}

vi.stubGlobal('ResizeObserver', PretendedResizeObserver)

export class TranscriptPage {
  readonly page: VueWrapper
  private readonly steps: Step[] = []

  private constructor() {
    this.page = mount(Transcript, { attachTo: document.body })
  }

  /** Opens a transcript in a window with this state. */
  static async open(state: Partial<State> = {}): Promise<TranscriptPage> {
    setActivePinia(createPinia())
    readState.mockReset().mockResolvedValue(stateWith({ sessionId: 'session-1', ...state }))
    await useWindow().refresh()
    return new TranscriptPage()
  }

  /** Leaves a transcript and comes back to it in the same window. */
  static async again(left: TranscriptPage): Promise<TranscriptPage> {
    left.close()
    const page = new TranscriptPage()
    await nextTick()
    return page
  }

  /** What happens next in the run. */
  async add(...steps: Step[]): Promise<void> {
    const from = this.steps.length
    this.steps.push(...steps)
    useRuns().receive(eventsOf(this.steps).slice(from))
    await nextTick()
  }

  /** The row whose words, without its times, begin like this. */
  row(words: string | RegExp) {
    const found = this.page.findAll('[data-row]').find((each) => each.text().match(words))
    if (!found) throw new Error(`there is no row ${String(words)} in: ${this.page.text()}`)
    return found
  }

  /** The button with this accessible name. */
  button(name: string) {
    const found = this.page
      .findAll('button')
      .find((each) => (each.attributes('aria-label') ?? each.text().trim()) === name)
    if (!found) throw new Error(`there is no button ${name} in: ${this.page.text()}`)
    return found
  }

  /** What scrolls. */
  get box(): HTMLElement {
    return this.page.get<HTMLElement>('[role=log]').element
  }

  /** The box and what is in it have these heights from now on. */
  resize(heights: { box: number; content: number }): void {
    this.measure(heights)
    for (const observer of PretendedResizeObserver.all) observer.notify()
  }

  /** The same, of which the page is not told yet. */
  measure(heights: { box: number; content: number }): void {
    let top = this.box.scrollTop
    Object.defineProperties(this.box, {
      clientHeight: { value: heights.box, configurable: true },
      scrollHeight: { value: heights.content, configurable: true },
      scrollTop: {
        configurable: true,
        get: () => top,
        // WebKit takes a number of 32 bits here.
        set: (wanted: number) => {
          top = Math.max(0, Math.min(Int32Array.of(wanted)[0] ?? 0, heights.content - heights.box))
        },
      },
    })
    this.box.scrollTop = top
  }

  /** The user scrolls to a place, or the engine does. */
  scroll(top: number): void {
    this.box.scrollTop = top
    this.box.dispatchEvent(new Event('scroll'))
  }

  text(): string {
    return this.page.text()
  }

  close(): void {
    this.page.unmount()
  }
}
