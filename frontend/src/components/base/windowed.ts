/** The part of a long list that is laid out: what can be seen, and a little around it. */
import { computed, onBeforeUnmount, onMounted, ref, type Ref } from 'vue'

/** The height of a row, in pixels: the token --row. */
export const rowHeight = 28
/** How many rows are kept ready above and below. */
const around = 10

/** The rows from `first` up to, without, `end` belong into the scrolling element. */
export function useWindowed(box: Readonly<Ref<HTMLElement | null>>, count: () => number) {
  const top = ref(0)
  const height = ref(0)

  const first = computed(() => Math.max(0, Math.floor(top.value / rowHeight) - around))
  const end = computed(() => Math.min(count(), Math.ceil((top.value + height.value) / rowHeight) + around))

  function look(): void {
    if (box.value === null) return
    top.value = box.value.scrollTop
    height.value = box.value.clientHeight
  }

  /** Scrolls no further than it takes to see a row whole. */
  function reveal(index: number): void {
    if (box.value === null) return
    const [from, to] = [index * rowHeight, (index + 1) * rowHeight]
    if (from < box.value.scrollTop) box.value.scrollTop = from
    else if (to > box.value.scrollTop + box.value.clientHeight)
      box.value.scrollTop = to - box.value.clientHeight
    look()
  }

  const resized = new ResizeObserver(look)
  onMounted(() => {
    look()
    if (box.value) resized.observe(box.value)
  })
  onBeforeUnmount(() => resized.disconnect())

  return { first, end, look, reveal }
}
