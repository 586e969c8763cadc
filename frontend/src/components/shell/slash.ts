/** What can be done by a word behind a slash in the field. */
import { computed, inject, ref, watch, type InjectionKey, type Ref } from 'vue'

import type { Action } from './actions'

/** What can be done in the window, for the parts of it that offer some of that. */
export const actionsKey: InjectionKey<readonly Action[]> = Symbol('actions')

/** Offers what can be done for what is typed, as long as that is a slash and a word. */
export function useSlash(text: Ref<string>) {
  const actions = inject(actionsKey, [])
  const active = ref(0)
  /** The text for which the user closed the list. */
  const closed = ref('')

  const typed = computed(() => /^[/／](?<word>\S*)$/u.exec(text.value)?.groups?.word?.toLowerCase())
  const offered = computed(() => {
    const word = typed.value
    if (word === undefined || text.value === closed.value) return []
    return actions.filter(({ slash, can }) => slash?.startsWith(word) && (can?.() ?? true))
  })
  const shown = computed(() => offered.value.length > 0)

  /** Does what was chosen, in place of what was typed. */
  function pick(at: number): void {
    const action = offered.value[at]
    if (action === undefined) return
    text.value = ''
    action.act()
  }

  /** Takes a key while something is offered, and reports whether it was one for that. */
  function onKey(key: string): boolean {
    if (!shown.value) return false
    const n = offered.value.length
    if (key === 'ArrowDown') active.value = (active.value + 1) % n
    else if (key === 'ArrowUp') active.value = (active.value + n - 1) % n
    else if (key === 'Enter' || key === 'Tab') pick(active.value)
    else if (key === 'Escape') closed.value = text.value
    else return false
    return true
  }

  watch(text, () => {
    active.value = 0
  })

  return { offered, active, shown, pick, onKey }
}
