/**
 * What the cards above the composer have in common. Nothing on them decides by
 * accident (SPEC HITL-10): the focus never comes to a button by itself, and while a
 * card is new its keys and its main button do nothing.
 */
import { onBeforeUnmount, onMounted, ref, watch, type Ref } from 'vue'

import { t } from '../../i18n'
import { announce } from '../base/announce'
import { isIme, isMod } from '../base/keys'
import { useCountdown } from './countdown'

/** How long a new question takes no answer by key, in milliseconds. */
const newTime = 300
/** The seconds left from which on readers are told. */
const told = [10, 30, 60] as const

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
  /** The keys with Mod that answer from anywhere on the page do so. */
  keys: () => boolean
  /** The letters of the card mean something. */
  letters?: () => boolean
  yes: () => void
  no: () => void
  /** Takes a letter that is pressed inside of the card; says whether it meant something. */
  onLetter?: (key: string) => boolean
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

  /** A field that the person is writing in, or a panel that lies over the page. */
  function isElsewhere(target: EventTarget | null): boolean {
    if (!(target instanceof HTMLElement)) return false
    if (target.closest('[role=dialog], dialog')) return true
    const field = target.closest('input, textarea, select')
    return field !== null && (holds(field) || (field as HTMLInputElement).value !== '')
  }

  function onKeydown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.repeat || isIme(event) || options.letters?.() === false) return
    if (isElsewhere(event.target)) return
    const used = isMod(event) ? onModKey(event.key) : onCardKey(event)
    if (used) event.preventDefault()
  }

  function onModKey(key: string): boolean {
    if (!options.keys() || (key !== 'Enter' && key !== 'Backspace')) return false
    if (!settled.value) return true
    if (key === 'Enter') options.yes()
    else options.no()
    return true
  }

  function onCardKey(event: KeyboardEvent): boolean {
    if (!holds(event.target) || event.ctrlKey || event.metaKey || event.altKey) return false
    return !options.sending.value && (options.onLetter?.(event.key.toLowerCase()) ?? false)
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
