/** Which names are files of the folder, asked about together. */
import { defineStore } from 'pinia'
import { watch } from 'vue'

import { onNews } from '../api/events'
import { readKnown } from '../api/routes'
import { useRuns } from './runs'
import { useWindow } from './window'

/** How many names are asked about at once. */
const most = 100
/** How long names are collected, in milliseconds. */
const collectTime = 50

export const useKnown = defineStore('known', () => {
  const app = useWindow()
  const runs = useRuns()

  /** The path of each name that was asked about; empty for what is no file. */
  let answers = new Map<string, Promise<string>>()
  let waiting: { name: string; answer: (path: string) => void }[] = []
  let timer: number | undefined

  async function ask(): Promise<void> {
    timer = undefined
    const asked = waiting.splice(0, most)
    if (waiting.length > 0) timer = window.setTimeout(ask, collectTime)
    const found = new Map<string, string>()
    try {
      const { files } = await readKnown(asked.map(({ name }) => name))
      for (const { name, path } of files) found.set(name, path)
    } catch {
      // They stay as they are written.
    }
    for (const { name, answer } of asked) answer(found.get(name) ?? '')
  }

  /** The path of the file that a name stands for; empty where it is none. */
  function find(name: string): Promise<string> {
    const known = answers.get(name)
    if (known) return known
    const found = new Promise<string>((answer) => {
      waiting.push({ name, answer })
    })
    answers.set(name, found)
    timer ??= window.setTimeout(ask, collectTime)
    return found
  }

  function forget(): void {
    answers = new Map()
  }

  watch([() => app.state?.workspace?.path, () => app.state?.sessionId, () => runs.draftState], forget)
  onNews((news) => {
    if (news.workspace.length > 0) forget()
  })

  return { find }
})
