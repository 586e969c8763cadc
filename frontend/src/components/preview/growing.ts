/** What is long is made as far as it was scrolled to. */
import { onBeforeUnmount, ref, watch, type Ref } from 'vue'

/** How many of `count` things are shown: `step` more each time the element at their end comes into
    sight. That is a new one each time, so that it is seen anew. */
export function useGrowing(
  end: Readonly<Ref<HTMLElement | null>>,
  count: () => number,
  step: () => number,
): Ref<number> {
  // Where nothing tells what is in sight, all is.
  const shown = ref(typeof IntersectionObserver === 'undefined' ? Infinity : step())
  if (shown.value === Infinity) return shown
  const observer = new IntersectionObserver((entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting) && shown.value < count()) shown.value += step()
  })
  watch(
    end,
    (now, before) => {
      if (before) observer.unobserve(before)
      if (now) observer.observe(now)
    },
    { flush: 'post', immediate: true },
  )
  onBeforeUnmount(() => observer.disconnect())
  return shown
}
