import { watch, type Ref } from 'vue'

/** Keeps a field as high as its text, up to what the style allows. */
export function useGrow(field: Readonly<Ref<HTMLTextAreaElement | null>>, text: () => string): void {
  watch(
    [field, text],
    ([element]) => {
      if (element === null) return
      element.style.height = 'auto'
      // The edges are no part of what scrolls.
      const edges = element.offsetHeight - element.clientHeight
      element.style.height = `${element.scrollHeight + edges}px`
    },
    { flush: 'post' },
  )
}
