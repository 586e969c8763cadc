/**
 * Where the transcript is scrolled to. It follows its end until the user scrolls away
 * by hand, with the wheel, by dragging or by keys (SPEC DESK-07), and then stays where
 * it is, whatever grows above. The engines
 * differ in keeping the place, and WebKitGTK does not at all, so the page does it
 * itself (`overflow-anchor: none`).
 */
import { onBeforeUnmount, onMounted, readonly, ref, type Ref } from 'vue'

/** How near to the end still counts as the end, in pixels. */
const slack = 24

/** How long after a key what scrolls is still the user's doing, in milliseconds. */
const keyTime = 300

const away: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home'])

/** What begins and ends that something is held in the box. */
const holds = ['pointerdown', 'touchstart'] as const
const letsGo = ['pointerup', 'pointercancel', 'pointermove', 'touchend', 'blur'] as const

/** What is looked at: a turn, and how far its top is from the edge of the box, in pixels. */
export interface Place {
  turn: string
  top: number
}

export interface Stick {
  /** It follows its end. */
  readonly stuck: Readonly<Ref<boolean>>
  /** Goes to the end and follows it again. */
  toEnd(): void
  /** Where it is now; null at the end that it follows. */
  place(): Place | null
  /** Goes to where it was, if that is there. */
  toPlace(place: Place): void
  /** Goes to an element in it, and stays there. */
  toElement(element: Element): void
}

/** Keeps the place of a box whose content grows; both are there once mounted. */
export function useStick(
  box: Readonly<Ref<HTMLElement | null>>,
  content: Readonly<Ref<HTMLElement | null>>,
): Stick {
  const stuck = ref(true)
  /** What the user scrolled to the top of the view, and how far from its edge; to be kept while not stuck. */
  let anchor: { element: Element; top: number } | null = null
  let height = 0
  let lastTop = 0
  /** A button or a finger is down in the box, as on its scroll bar. */
  let held = false
  let pressedAt = -Infinity
  let observer: ResizeObserver | undefined

  function release(): void {
    stuck.value = false
    takeAnchor()
  }

  function toEnd(): void {
    stuck.value = true
    anchor = null
    showEnd()
  }

  /** WebKit counts in 32 bits, so a number that is merely large could be the top. */
  function showEnd(): void {
    setTop(box.value?.scrollHeight ?? 0)
  }

  function setTop(top: number): void {
    if (!box.value) return
    box.value.scrollTop = top
    lastTop = box.value.scrollTop
  }

  function topOf(element: Element): number {
    return element.getBoundingClientRect().top - (box.value?.getBoundingClientRect().top ?? 0)
  }

  function turns(): HTMLElement[] {
    return [...(box.value?.querySelectorAll<HTMLElement>('[data-turn]') ?? [])]
  }

  function takeAnchor(): void {
    anchor = null
    if (!box.value) return
    const edge = box.value.getBoundingClientRect().top
    // Asking for a place inside a turn that is out of sight would lay it out.
    const turn = firstBelow(turns(), edge)
    const element = (turn && firstBelow(turn.querySelectorAll('[data-anchor]'), edge)) ?? turn
    if (element) anchor = { element, top: topOf(element) }
  }

  function place(): Place | null {
    const turn = stuck.value ? undefined : firstBelow(turns(), box.value?.getBoundingClientRect().top ?? 0)
    return turn ? { turn: turn.dataset.turn ?? '', top: topOf(turn) } : null
  }

  function toPlace({ turn, top }: Place): void {
    const element = turns().find((each) => each.dataset.turn === turn)
    if (!box.value || !element) return
    stuck.value = false
    anchor = { element, top }
    setTop(box.value.scrollTop + topOf(element) - top)
  }

  function toElement(element: Element): void {
    // Where all is seen, nothing is to be scrolled to.
    if (!box.value || !canScroll()) return
    stuck.value = false
    // With some of what is before it.
    anchor = { element, top: box.value.clientHeight / 4 }
    setTop(box.value.scrollTop + topOf(element) - anchor.top)
  }

  function onScroll(): void {
    if (!box.value) return
    const { scrollTop, scrollHeight, clientHeight } = box.value
    // It is there because of the anchor, or of the end.
    if (scrollTop === lastTop) return
    const up = scrollTop < lastTop
    lastTop = scrollTop
    if (stuck.value) {
      if (!up || scrollHeight - clientHeight - scrollTop <= slack) return
      // Without a hand the engine moved it, because something became lower or higher.
      if (held || performance.now() - pressedAt <= keyTime) release()
      else showEnd()
    } else if (!up && scrollHeight - clientHeight - scrollTop <= slack) {
      toEnd()
    } else {
      takeAnchor()
    }
  }

  function onWheel(event: WheelEvent): void {
    if (event.deltaY < 0 && canScroll()) release()
  }

  function onHold(): void {
    held = true
  }

  function onLetGo(event: Event): void {
    // The end of a drag of the scroll bar is not told everywhere.
    if (event.type !== 'pointermove' || (event as PointerEvent).buttons === 0) held = false
  }

  function onKeydown(event: KeyboardEvent): void {
    pressedAt = performance.now()
    if (isField(event.target) || scrollsItself(event.target)) return
    // An engine scrolls there little by little, and what is laid out on its way would stop it.
    if (event.key === 'Home') setTop(0)
    if (away.has(event.key) && canScroll()) release()
    if (event.key === 'End') toEnd()
  }

  /** Reports whether a key that scrolls means something smaller than the box. */
  function scrollsItself(target: EventTarget | null): boolean {
    for (let at = target; at instanceof HTMLElement && at !== box.value; at = at.parentElement) {
      if (at.tabIndex >= 0 && at.scrollHeight > at.clientHeight) return true
    }
    return false
  }

  /** What has the focus is in sight: an end that is followed would scroll it out again. */
  function onFocus({ target }: FocusEvent): void {
    // What is pressed is seen already.
    if (!stuck.value || held || !box.value || !canScroll() || !(target instanceof Element)) return
    const { scrollTop, scrollHeight, clientHeight } = box.value
    if (scrollTop + topOf(target) < scrollHeight - clientHeight) toElement(target)
  }

  /** Selecting text is reading it. */
  function onSelection(): void {
    const selection = document.getSelection()
    if (!stuck.value || !selection || selection.isCollapsed || !canScroll()) return
    if (content.value?.contains(selection.anchorNode)) release()
  }

  function canScroll(): boolean {
    return box.value !== null && box.value.scrollHeight > box.value.clientHeight
  }

  /** Something became higher or lower: the content, or the box because of what is below it. */
  function onResize(): void {
    // Something else is shown in its place.
    if (!box.value || box.value.clientHeight === 0) return
    const lost = height - box.value.clientHeight
    height = box.value.clientHeight
    if (stuck.value) {
      showEnd()
      return
    }
    // All of it is seen, and no scrolling can say so.
    if (!canScroll()) {
      toEnd()
      return
    }
    if (!anchor?.element.isConnected) takeAnchor()
    // The last line that was seen stays seen when the box gets lower.
    if (anchor) anchor.top -= lost
    const moved = anchor ? topOf(anchor.element) - anchor.top : lost
    if (moved !== 0) setTop(box.value.scrollTop + moved)
  }

  onMounted(() => {
    if (!box.value || !content.value) return
    height = box.value.clientHeight
    box.value.addEventListener('scroll', onScroll, { passive: true })
    box.value.addEventListener('wheel', onWheel, { passive: true })
    box.value.addEventListener('keydown', onKeydown)
    box.value.addEventListener('focusin', onFocus)
    for (const type of holds) box.value.addEventListener(type, onHold, { passive: true })
    for (const type of letsGo) window.addEventListener(type, onLetGo, { passive: true })
    document.addEventListener('selectionchange', onSelection)
    observer = new ResizeObserver(onResize)
    observer.observe(box.value)
    observer.observe(content.value)
    toEnd()
  })
  onBeforeUnmount(() => {
    observer?.disconnect()
    for (const type of letsGo) window.removeEventListener(type, onLetGo)
    document.removeEventListener('selectionchange', onSelection)
  })

  return { stuck: readonly(stuck), toEnd, place, toPlace, toElement }
}

/** The first element that reaches below an edge. */
function firstBelow<T extends Element>(elements: Iterable<T>, edge: number): T | undefined {
  for (const element of elements) if (element.getBoundingClientRect().bottom > edge) return element
  return undefined
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}
