/** The file that is looked at. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'

import { onNews } from '../api/events'
import { type Fault, faultOf } from '../api/fault'
import { readFile } from '../api/routes'
import type { EventMap, FilePreview } from '../api/types'
import { useShell } from './shell'
import { useWindow } from './window'

export const usePreview = defineStore('preview', () => {
  const app = useWindow()
  const shell = useShell()

  /** The file's path in the workspace; null when none is open. */
  const path = ref<string | null>(null)
  /** The file as it was last read; null before, and when that failed. */
  const file = shallowRef<FilePreview | null>(null)
  const fault = shallowRef<Fault | null>(null)
  /** Counts how often a file was closed. */
  const closed = ref(0)
  const workspace = computed(() => app.state?.workspace?.path)

  /** Names what was asked for last, so that an answer that comes too late counts for nothing. */
  let asked = 0
  /** What is being read; another read of it follows when the file changes meanwhile. */
  let reading = 0
  let again = false

  async function read(): Promise<void> {
    const [own, wanted] = [asked, path.value]
    if (wanted === null) return
    if (reading === own) {
      again = true
      return
    }
    reading = own
    do {
      again = false
      const [found, failed] = await readFile(wanted).then(
        (there) => [there, null] as const,
        (reason: unknown) => [null, faultOf(reason)] as const,
      )
      if (own !== asked) return
      file.value = found
      fault.value = failed
    } while (again)
    reading = 0
  }

  /** Opens a file and shows it at the side. */
  function open(wanted: string): void {
    asked++
    if (wanted !== path.value) {
      file.value = null
      fault.value = null
    }
    path.value = wanted
    shell.show('preview')
    void read()
  }

  function close(): void {
    asked++
    closed.value++
    path.value = null
    file.value = null
    fault.value = null
    if (shell.tab === 'preview') shell.tab = 'files'
  }

  /** Takes news of the workspace: the file, or a folder that it lies in, may have changed. */
  function take(news: EventMap['workspace.changed']): void {
    const own = path.value
    if (own === null) return
    if (news.full || news.paths.some((one) => one === own || own.startsWith(`${one}/`))) void read()
  }

  watch(workspace, close)
  onNews((news) => {
    for (const one of news.workspace) take(one)
  })

  return { path, file, fault, closed, open, close, read }
})
