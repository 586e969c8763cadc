import { watch, type Ref } from 'vue'

/**
 * Keeps a field as high as its text, up to what the style allows. What else its height
 * follows, such as the language, is named by text too.
 */
export function useGrow(field: Readonly<Ref<HTMLTextAreaElement | null>>, text: () => unknown[]): void {
  watch(
    () => [field.value, ...text()],
    () => {
      const element = field.value
      if (element === null) return
      element.style.height = 'auto'
      // The edges are no part of what scrolls.
      const edges = element.offsetHeight - element.clientHeight
      element.style.height = `${element.scrollHeight + edges}px`
      // Heights that are no whole numbers would leave a scroll bar in an empty field.
      element.style.overflowY = element.scrollHeight > element.clientHeight + 1 ? 'auto' : 'hidden'
    },
    { flush: 'post' },
  )
}
