/** The task that is being written. */
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'

export const useComposer = defineStore('composer', () => {
  const text = ref('')
  const empty = computed(() => text.value.trim() === '')
  /** Counts the wishes to have the cursor in the field. */
  const wanted = ref(0)

  /** Puts the cursor into the field. */
  function focus(): void {
    wanted.value++
  }

  return { text, empty, wanted, focus }
})
