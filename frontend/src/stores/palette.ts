/** The list of everything that can be done or opened, and the page of keys. */
import { defineStore } from 'pinia'
import { ref } from 'vue'

export const usePalette = defineStore('palette', () => {
  /** What is open. */
  const open = ref<'list' | 'keys' | null>(null)
  /** What is typed in the list. */
  const text = ref('')

  /** Opens the list with something typed in it: a sign that says what is wanted. */
  function show(typed = ''): void {
    text.value = typed
    open.value = 'list'
  }

  /** Opens the page of keys. */
  function showKeys(): void {
    open.value = 'keys'
  }

  function close(): void {
    open.value = null
  }

  return { open, text, show, showKeys, close }
})
