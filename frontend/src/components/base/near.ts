/**
 * `v-near` lays out what is in sight of a box that scrolls (`data-scrolls`), and what is near, for screen
 * readers to go on there. Its style leaves out the rest (`content-visibility: auto`), which costs nothing then.
 */
import type { ObjectDirective } from 'vue'

/** How far from what is seen something is laid out, in heights of the box. */
const margin = '100% 0px'

/** One for each box. */
const observers = new WeakMap<Element, IntersectionObserver>()

function observerOf(element: Element): IntersectionObserver | undefined {
  const box = element.closest('[data-scrolls]')
  if (box === null || typeof IntersectionObserver === 'undefined') return undefined
  const observer = observers.get(box) ?? new IntersectionObserver(onSight, { root: box, rootMargin: margin })
  observers.set(box, observer)
  return observer
}

function onSight(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting } of entries) {
    const { style } = target as HTMLElement
    if (isIntersecting) {
      style.setProperty('content-visibility', 'visible')
      // It is what it is without, but WebKit looks at its content anew, and tells of it only then.
      target.setAttribute('aria-hidden', 'false')
    } else {
      style.removeProperty('content-visibility')
      target.removeAttribute('aria-hidden')
    }
  }
}

export const vNear: ObjectDirective<HTMLElement> = {
  mounted: (element) => observerOf(element)?.observe(element),
  beforeUnmount: (element) => observerOf(element)?.unobserve(element),
}
