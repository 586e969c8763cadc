/**
 * Stretches of a long text of which only those in sight, or near, are laid out; a place
 * of the same height is kept for the others. What changes its height above what is seen
 * does not move that: the engines differ in keeping the place, and WebKitGTK does not.
 */
import { nextTick, onBeforeUnmount, reactive, type Ref } from 'vue'

/** How far from what is seen something is laid out already, in pixels. */
const margin = 800

export function useLazy(box: Readonly<Ref<HTMLElement | null>>) {
  /** The stretches that are laid out, by their keys, and the heights of all that were. */
  const shown = reactive(new Set<string>())
  const heights = new Map<string, number>()
  const known = new Map<Element, string>()
  let observer: IntersectionObserver | undefined

  function onSight(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const key = known.get(target)
      if (key === undefined || isIntersecting === shown.has(key)) continue
      const before = (target as HTMLElement).offsetHeight
      if (isIntersecting) {
        shown.add(key)
        void nextTick(() => keepPlace(target as HTMLElement, key, before))
      } else {
        heights.set(key, before)
        shown.delete(key)
      }
    }
  }

  function keepPlace(element: HTMLElement, key: string, before: number): void {
    const after = element.offsetHeight
    heights.set(key, after)
    if (box.value && element.offsetTop + before <= box.value.scrollTop) box.value.scrollTop += after - before
  }

  /** Watches the element of a stretch; null when it goes away. */
  function watchStretch(element: Element | null, key: string): void {
    if (element === null) return
    if (typeof IntersectionObserver === 'undefined') {
      shown.add(key)
      return
    }
    observer ??= new IntersectionObserver(onSight, { root: box.value, rootMargin: `${margin}px 0px` })
    if (known.get(element) === key) return
    known.set(element, key)
    observer.observe(element)
  }

  function forget(): void {
    observer?.disconnect()
    observer = undefined
    known.clear()
    heights.clear()
    shown.clear()
  }

  onBeforeUnmount(forget)
  return { shown, heights, watchStretch, forget }
}
