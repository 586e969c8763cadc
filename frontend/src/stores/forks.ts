/** Which earlier task is to be said again. */
import { defineStore } from 'pinia'
import { ref } from 'vue'

export const useForks = defineStore('forks', () => {
  /** The run of the task, and whether it is sent as it is; null while nothing is asked. */
  const asked = ref<{ runId: string; again: boolean } | null>(null)

  /** Asks about a task; the same once more closes the question. */
  function toggle(runId: string, again: boolean): void {
    const same = asked.value?.runId === runId && asked.value.again === again
    asked.value = same ? null : { runId, again }
  }

  function close(): void {
    asked.value = null
  }

  return { asked, toggle, close }
})
