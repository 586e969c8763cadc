/** Which rows the user opened or closed; the others follow their state. */
import { defineStore } from 'pinia'
import { reactive } from 'vue'

export const useFolds = defineStore('folds', () => {
  const chosen = reactive(new Map<string, boolean>())

  /** Reports whether a row is open; by itself it is as asked. */
  function isOpen(key: string, byItself: boolean): boolean {
    return chosen.get(key) ?? byItself
  }

  function set(key: string, open: boolean): void {
    chosen.set(key, open)
  }

  /** Lets a row follow its state again. */
  function forget(key: string): void {
    chosen.delete(key)
  }

  return { isOpen, set, forget }
})
