import { ref } from 'vue'

/** How soon a reader speaks: at the next pause, or at once. */
export type Urgency = 'polite' | 'assertive'

/** The texts that the Announcer shows to screen readers. */
export const announced = { polite: ref(''), assertive: ref('') }

/** How long a text is away before the next one, so that equal texts are read again. */
const pause = 100

const timers: Record<Urgency, number | undefined> = { polite: undefined, assertive: undefined }

/** Has a screen reader say something. */
export function announce(text: string, urgency: Urgency = 'polite'): void {
  announced[urgency].value = ''
  clearTimeout(timers[urgency])
  timers[urgency] = window.setTimeout(() => {
    announced[urgency].value = text
  }, pause)
}
