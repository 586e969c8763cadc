/** A transcript in a page, for tests: what the engine would lay out is said by the test. */
import { mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { nextTick } from 'vue'

import type { State } from '../api/types'
import Transcript from '../components/transcript/Transcript.vue'
import { useRuns } from '../stores/runs'
import { useWindow } from '../stores/window'
import { eventsOf, type Step } from './events'
import { readState, stateWith } from './routes'

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

  text(): string {
    return this.page.text()
  }

  close(): void {
    this.page.unmount()
  }
}
