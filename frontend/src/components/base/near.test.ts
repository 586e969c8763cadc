import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { defineComponent, ref, withDirectives, h } from 'vue'

import { vNear } from './near'

/** Observers by the box that they look at. */
let observers: PretendedObserver[]

class PretendedObserver {
  readonly seen = new Set<Element>()
  constructor(
    readonly tell: (entries: Partial<IntersectionObserverEntry>[]) => void,
    readonly options: IntersectionObserverInit,
  ) {
    observers.push(this)
  }
  observe = (element: Element): unknown => this.seen.add(element)
  unobserve = (element: Element): unknown => this.seen.delete(element)
}

beforeEach(() => {
  observers = []
  vi.stubGlobal('IntersectionObserver', PretendedObserver)
})
afterEach(() => vi.unstubAllGlobals())

it('UI-08: what is near is laid out, and told to screen readers', async () => {
  const count = ref(3)
  const list = mount(
    defineComponent({
      setup: () => () =>
        h(
          'div',
          { 'data-scrolls': '' },
          Array.from({ length: count.value }, (_, i) => withDirectives(h('p', { key: i }), [[vNear]])),
        ),
    }),
  )
  const [observer] = observers
  const [first, second] = list.findAll('p')
  expect(observers).toHaveLength(1)
  expect(observer?.options.root).toBe(list.element)
  expect(observer?.seen.size).toBe(3)

  observer?.tell([
    { target: first?.element, isIntersecting: true },
    { target: second?.element, isIntersecting: false },
  ])
  expect(first?.attributes()).toMatchObject({ 'aria-hidden': 'false', style: 'content-visibility: visible;' })
  expect(second?.attributes()).not.toHaveProperty('aria-hidden')
  observer?.tell([{ target: first?.element, isIntersecting: false }])
  expect(first?.attributes()).not.toHaveProperty('aria-hidden')
  expect(first?.attributes('style') ?? '').toBe('')

  count.value = 1
  await list.vm.$nextTick()
  expect(observer?.seen).toEqual(new Set([first?.element]))
})
