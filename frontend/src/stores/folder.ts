/** The tree of the workspace: what is open in it, and what changed. */
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, watch } from 'vue'

import { onNews } from '../api/events'
import { type Fault, faultOf } from '../api/fault'
import { readTree } from '../api/routes'
import type { EventMap, TreeEntry } from '../api/types'
import { callMarks, folderOf, foldersAbove, type Mark } from './marks'
import { useRuns } from './runs'
import { useWindow } from './window'

/** How long changes are collected before the tree is read again, in milliseconds. */
export const collectTime = 50
/** How long a change is pointed out, in milliseconds. */
export const freshTime = 2000
/** The most changes of others that are marked: beyond it the oldest ones are forgotten. */
const maxTouched = 2000

/** One level of the tree as it was last read. */
interface Level {
  entries: TreeEntry[]
  /** There are entries beyond those listed. */
  more: boolean
  fault: Fault | null
}

/** A line of the tree. */
export interface Row {
  kind: 'entry' | 'more' | 'fault' | 'empty'
  /** The entry's path; for the others that of the folder they stand in. */
  path: string
  name: string
  /** From 1. */
  depth: number
  /** Where it stands among the entries of its folder, from 1. */
  position: number
  siblings: number
  entry: TreeEntry | null
  mark: Mark | null
  /** A folder that is closed has changes somewhere below. */
  inside: boolean
  fault: Fault | null
}

async function readLevel(level: string): Promise<Level> {
  try {
    const { entries, more } = await readTree(level)
    return { entries, more, fault: null }
  } catch (reason) {
    return { entries: [], more: false, fault: faultOf(reason) }
  }
}

/** Entries as they are listed, with files that are gone where they were: among the files, in the order
    of names. */
function inPlace(there: readonly TreeEntry[], deleted: readonly TreeEntry[]): TreeEntry[] {
  const entries = [...there]
  for (const one of deleted) {
    const name = one.name.toLowerCase()
    const at = entries.findIndex((entry) => !entry.folder && entry.name.toLowerCase() > name)
    entries.splice(at < 0 ? entries.length : at, 0, one)
  }
  return entries
}

export const useFolder = defineStore('folder', () => {
  const app = useWindow()
  const runs = useRuns()

  /** What was read, by the folder's path; the empty path is the workspace. */
  const levels = shallowReactive(new Map<string, Level>())
  const expanded = shallowReactive(new Set<string>())
  /** Paths that changed, by any program, the latest one last. */
  const touched = shallowReactive(new Set<string>())
  /** Paths that changed just now. */
  const fresh = shallowReactive(new Map<string, number>())
  /** The workspace was moved or deleted. */
  const gone = ref(false)
  /** Why not everything is watched; empty when it is. */
  const limited = ref('')
  /** How many places show the tree; while there is none it is not read. */
  const shown = ref(0)

  const path = computed(() => app.state?.workspace?.path)
  const byCalls = computed(() => callMarks(runs.runs))
  const marked = computed(() => foldersAbove([...touched, ...byCalls.value.keys()]))

  /** Reads under way, and those to be repeated; another workspace has its own. */
  let reads = { running: new Set<string>(), again: new Set<string>() }
  let due: number | undefined
  let dirty = new Set<string>()
  let changes = 0

  /** The levels that can be seen: the workspace, and what is open below what is open. */
  function openLevels(): string[] {
    return ['', ...expanded].filter((level) => {
      for (let up = level; up !== ''; up = folderOf(up)) if (!expanded.has(up)) return false
      return true
    })
  }

  /** Reads a level; a call while it is being read has it read once more. */
  async function load(level: string): Promise<void> {
    const own = reads
    if (own.running.has(level)) {
      own.again.add(level)
      return
    }
    own.running.add(level)
    do {
      own.again.delete(level)
      const read = await readLevel(level)
      if (own !== reads) return
      put(level, read)
    } while (own.again.has(level))
    own.running.delete(level)
  }

  function put(level: string, read: Level): void {
    const code = read.fault?.code ?? ''
    if (level !== '' && (code === 'FILE_NOT_FOUND' || code === 'UNSUPPORTED_FILE')) {
      // It was deleted, moved, or is a file now: its own folder tells which.
      levels.delete(level)
      expanded.delete(level)
    } else {
      levels.set(level, read)
    }
  }

  function refresh(): void {
    if (path.value === undefined) return // there is no folder to read
    for (const level of openLevels()) void load(level)
  }

  function expand(level: string): void {
    expanded.add(level)
    // What is open below may have changed while it could not be seen.
    for (const open of openLevels()) if (open === level || open.startsWith(`${level}/`)) void load(open)
  }

  function collapse(level: string): void {
    expanded.delete(level)
  }

  /** Takes news of the workspace. */
  function take(news: EventMap['workspace.changed']): void {
    if (news.gone) {
      gone.value = true
      return
    }
    // Choosing the folder again restarts watching it.
    gone.value = false
    limited.value = news.limited ?? ''
    const { paths, full } = news
    for (const one of paths) {
      touched.delete(one)
      touched.add(one)
    }
    for (const oldest of touched) {
      if (touched.size <= maxTouched) break
      touched.delete(oldest)
    }
    pointOut(paths)
    for (const level of full ? openLevels() : paths.flatMap((one) => [one, folderOf(one)])) dirty.add(level)
    due ??= window.setTimeout(readDirty, collectTime)
  }

  function readDirty(): void {
    due = undefined
    const levelsToRead = dirty
    dirty = new Set()
    if (shown.value === 0 || gone.value) return
    for (const level of openLevels()) if (levelsToRead.has(level)) void load(level)
  }

  function pointOut(paths: readonly string[]): void {
    const change = ++changes
    for (const one of paths) fresh.set(one, change)
    window.setTimeout(() => {
      for (const one of paths) if (fresh.get(one) === change) fresh.delete(one)
    }, freshTime)
  }

  /** Says that the tree is shown somewhere; returns how to take that back. */
  function show(): () => void {
    shown.value++
    if (path.value !== undefined) refresh()
    return () => {
      shown.value--
    }
  }

  /** What changed about an entry of the tree. */
  function markOf(entry: TreeEntry): Mark | null {
    const mark = byCalls.value.get(entry.path)
    // It is there, so somebody has made it again.
    if (mark === 'deleted') return 'touched'
    return mark ?? (touched.has(entry.path) ? 'touched' : null)
  }

  const rows = computed(() => {
    const found: Row[] = []
    addRows(found, '', 1)
    return found
  })

  function addRows(to: Row[], level: string, depth: number): void {
    const read = levels.get(level)
    if (!read) return
    const missing = new Set(deletedIn(level, read.entries))
    const entries = inPlace(read.entries, [...missing])
    for (const [i, entry] of entries.entries()) {
      const open = entry.folder && expanded.has(entry.path)
      const deleted = missing.has(entry)
      to.push({
        kind: 'entry',
        path: entry.path,
        name: entry.name,
        depth,
        position: i + 1,
        siblings: entries.length,
        entry,
        mark: deleted ? 'deleted' : markOf(entry),
        inside: entry.folder && !open && marked.value.has(entry.path),
        fault: null,
      })
      if (open) addRows(to, entry.path, depth + 1)
    }
    const note = read.fault ? 'fault' : read.more ? 'more' : entries.length === 0 ? 'empty' : null
    if (note !== null) {
      to.push({
        kind: note,
        path: level,
        name: '',
        depth,
        position: entries.length + 1,
        siblings: entries.length + 1,
        entry: null,
        mark: null,
        inside: false,
        fault: read.fault,
      })
    }
  }

  /** The entries that calls have deleted: they are named, though they are not there. */
  function deletedIn(level: string, there: readonly TreeEntry[]): TreeEntry[] {
    const names = new Set(there.map((entry) => entry.path))
    return [...byCalls.value]
      .filter(([one, mark]) => mark === 'deleted' && folderOf(one) === level && !names.has(one))
      .map(([one]) => ({
        name: one.slice(one.lastIndexOf('/') + 1),
        path: one,
        folder: false,
        link: false,
        secret: false,
        size: 0,
      }))
  }

  watch(path, () => {
    reads = { running: new Set(), again: new Set() }
    clearTimeout(due)
    due = undefined
    dirty = new Set()
    levels.clear()
    expanded.clear()
    fresh.clear()
    gone.value = false
    if (path.value !== undefined && shown.value > 0) refresh()
  })
  watch(
    () => app.state,
    (state) => {
      limited.value = state?.limited ?? ''
      gone.value = state?.gone ?? false
    },
    { immediate: true },
  )
  watch([path, () => app.state?.sessionId], () => touched.clear())
  watch(
    () => runs.draftState,
    () => {
      if (shown.value > 0) refresh()
    },
  )

  onNews((news) => {
    for (const one of news.workspace) take(one)
  })

  return { path, rows, expanded, fresh, gone, limited, refresh, expand, collapse, show }
})
