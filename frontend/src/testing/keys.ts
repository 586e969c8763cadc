/** Keys as a user presses them. */
import { flushPromises } from '@vue/test-utils'

/** Presses a key on what has the focus, and waits for what comes of it. */
export async function press(key: string, more: KeyboardEventInit = {}): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })
  ;(document.activeElement ?? document.body).dispatchEvent(event)
  await flushPromises()
  return event
}
