/** Files and folders that are named with @ in the field, found as they are typed. */
import { computed, nextTick, ref, shallowRef, watch, type Ref } from 'vue'

import { readNames } from '../../api/routes'
import type { Name } from '../../api/types'
import { useWindow } from '../../stores/window'

/** What is typed behind an @, and where it stands. */
export interface Mention {
  from: number
  to: number
  typed: string
}

/**
 * Returns what stands behind an @ up to the cursor; null where none begins there. An @ in a
 * word, as in an address, is none. Chinese input methods type the wide one.
 */
export function mentionAt(text: string, cursor: number): Mention | null {
  const found = /(?<![\w.%+-])[@＠](?<typed>[^\s@＠]*)$/u.exec(text.slice(0, cursor))
  if (found === null) return null
  return { from: found.index, to: cursor, typed: found.groups?.typed ?? '' }
}

/** A path as it stands in a sentence. */
export const written = ({ path, folder }: Name): string => {
  const whole = folder ? `${path}/` : path
  return /\s/.test(whole) ? `"${whole}"` : whole
}

/** How long a first look through the folder is waited for until it is asked again, in milliseconds. */
const again = 60

/** Offers names for what is typed in a field. */
export function useMention(field: Readonly<Ref<HTMLTextAreaElement | null>>, text: Ref<string>) {
  const app = useWindow()
  const mention = shallowRef<Mention | null>(null)
  const names = shallowRef<Name[]>([])
  const active = ref(0)
  /** What the names were found for. */
  const found = ref('')
  let asked = 0
  let answer: Promise<void> = Promise.resolve()
  /** The folder that was looked through ahead. */
  let ahead = ''
  /** Where a list was closed by the user: it stays closed for that @. */
  let closedAt = -1

  const shown = computed(() => mention.value !== null && names.value.length > 0)

  /** Looks at what stands before the cursor. */
  function look(): void {
    const element = field.value
    const at = element === null ? null : mentionAt(element.value, element.selectionStart)
    if (at === null || element?.selectionStart !== element?.selectionEnd) {
      close()
      closedAt = -1
      lookAhead()
      return
    }
    if (at.from === closedAt) return
    closedAt = -1
    mention.value = at
    answer = find(at.typed)
  }

  /** Has the folder looked through once something is written, before the first @. */
  function lookAhead(): void {
    const folder = app.state?.workspace?.path ?? ''
    if (folder === ahead) return
    ahead = folder
    readNames('').catch(() => undefined) // it is asked again when it is needed
  }

  async function find(typed: string): Promise<void> {
    const turn = ++asked
    let list
    try {
      list = await readNames(typed)
    } catch {
      if (turn === asked) close() // there is nothing to offer
      return
    }
    if (turn !== asked || mention.value === null) return
    if (!list.whole) {
      await new Promise((resolve) => window.setTimeout(resolve, again))
      if (turn === asked) await find(typed)
      return
    }
    names.value = list.names
    found.value = typed
    active.value = 0
  }

  function close(): void {
    asked++
    mention.value = null
    names.value = []
  }

  /** Puts a name in the place of what was typed. */
  async function pick(at: number): Promise<void> {
    // What was typed since counts.
    if (mention.value !== null && found.value !== mention.value.typed) await answer
    const name = names.value[at]
    const place = mention.value
    if (name === undefined || place === null) return
    const rest = text.value.slice(place.to)
    const put = /^\s/.test(rest) ? written(name) : `${written(name)} `
    text.value = text.value.slice(0, place.from) + put + rest
    close()
    await nextTick()
    field.value?.focus()
    field.value?.setSelectionRange(place.from + put.length, place.from + put.length)
  }

  /** Takes a key while names are offered, and reports whether it was one for them. */
  function onKey(key: string): boolean {
    if (!shown.value) return false
    const count = names.value.length
    if (key === 'ArrowDown') active.value = (active.value + 1) % count
    else if (key === 'ArrowUp') active.value = (active.value + count - 1) % count
    else if (key === 'Enter' || key === 'Tab') void pick(active.value)
    else if (key === 'Escape') {
      closedAt = mention.value?.from ?? -1
      close()
    } else return false
    return true
  }

  // What the program writes, as after sending or in another conversation, has no cursor in it.
  watch(text, (now) => {
    if (now !== field.value?.value) close()
  })

  return { names, active, shown, look, pick, close, onKey }
}
