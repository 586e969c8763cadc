/**
 * What the cards above the composer have in common. Nothing on them decides by
 * accident (SPEC HITL-10, HITL-11): the focus never comes to a button by itself, keys
 * answer inside of the card only, and while a card is new its keys and its main button
 * do nothing.
 */
import { onBeforeUnmount, onMounted, ref, watch, type Ref } from 'vue'

import { t } from '../../i18n'
import { announce } from '../base/announce'
import { altLetter, isField, isIme } from '../base/keys'
import { useCountdown } from './countdown'

/** The key that leads from anywhere to what waits. */
export const goKey = 'F8'

/** The letters that answer, pressed with Alt. */
export const keysOf = { yes: 'a', no: 'r' } as const

/** How long a new question takes no answer by key, in milliseconds. */
const newTime = 300
/** The seconds left from which on readers are told. */
const told = [10, 30, 60] as const

/** Reports whether what is said is an answer to a guard: where it asks about a loop. */
export const tellable = (kind: string): boolean => kind === 'doom_loop' || kind === 'all_failed'

/** The second press of a double click was meant for what stood here before. */
export const isSecond = (event?: Event): boolean => event instanceof MouseEvent && event.detail > 1

/** The place of a card on the page. */
interface Frame {
  focus: () => void
  contains: (node: Node | null) => boolean
}

interface CardOptions {
  frame: Readonly<Ref<Frame | null>>
  /** When silence becomes a no, in milliseconds since 1970. */
  expiresAt: () => number
  /** An answer is on its way. */
  sending: Readonly<Ref<boolean>>
  /** What a screen reader says of the card when it appears. */
  spoken: () => string
  /** The keys of the card mean something. */
  letters?: () => boolean
  yes: () => void
  no: () => void
  /** Takes a letter that is pressed with Alt inside of the card; reports whether it meant something. */
  onLetter?: (letter: string) => boolean
}

export function useCard(options: CardOptions) {
  /** The card is there long enough to be answered. */
  const settled = ref(false)
  const left = useCountdown(options.expiresAt)
  let timer: number | undefined

  /** Lets the card be new again. */
  function settle(): void {
    settled.value = false
    clearTimeout(timer)
    timer = window.setTimeout(() => (settled.value = true), newTime)
  }

  const holds = (node: EventTarget | null): boolean =>
    node instanceof Node && (options.frame.value?.contains(node) ?? false)

  /** The keys of a card work inside of it only, so that none is meant for anything else. */
  function onKeydown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.repeat || isIme(event) || options.letters?.() === false) return
    if (!holds(event.target) || isField(event.target)) return
    const letter = altLetter(event)
    if (letter !== undefined && onLetter(letter)) event.preventDefault()
  }

  function onLetter(letter: string): boolean {
    if (letter !== keysOf.yes && letter !== keysOf.no) {
      return !options.sending.value && (options.onLetter?.(letter) ?? false)
    }
    if (!settled.value) return true
    if (letter === keysOf.yes) options.yes()
    else options.no()
    return true
  }

  // A button that is disabled loses the focus to nowhere.
  watch(
    options.sending,
    () => {
      if (holds(document.activeElement)) options.frame.value?.focus()
    },
    { flush: 'sync' },
  )
  watch(left, (now, before) => {
    if (now === null) return
    const passed = told.some((limit) => now <= limit && (before === null || before > limit))
    if (passed) announce(t('confirm.left', { n: now }), 'assertive')
  })

  onMounted(() => {
    settle()
    announce(options.spoken(), 'assertive')
    window.addEventListener('keydown', onKeydown)
  })
  onBeforeUnmount(() => {
    clearTimeout(timer)
    window.removeEventListener('keydown', onKeydown)
  })

  return { settled, left, settle }
}
