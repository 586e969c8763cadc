/** What a text is found in, as it is typed. */
import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'

import { faultOf, type Fault } from '../api/fault'
import { findText } from '../api/routes'
import type { Found } from '../api/types'

/** How many characters a text is found by at least. */
export const shortest = 2

export interface Lookup {
  readonly text: Ref<string>
  /** Null while nothing was asked for, and before the first answer. */
  readonly found: ShallowRef<Found | null>
  readonly fault: ShallowRef<Fault | null>
  /** Looks for the text; resolves to what was found, or to null where something else is wanted by then. */
  look(): Promise<Found | null>
  clear(): void
}

/** Looks in one conversation, or in all where there is no id. */
export function useLookup(sessionId: () => string): Lookup {
  const text = ref('')
  const found = shallowRef<Found | null>(null)
  const fault = shallowRef<Fault | null>(null)
  /** Counts what was asked; only the last answer counts. */
  let asked = 0

  async function look(): Promise<Found | null> {
    const mine = ++asked
    const wanted = text.value.trim()
    fault.value = null
    if ([...wanted].length < shortest) {
      found.value = null
      return null
    }
    try {
      const answer = await findText(wanted, sessionId())
      if (mine !== asked) return null
      found.value = answer
      return answer
    } catch (reason) {
      if (mine === asked) fault.value = faultOf(reason)
      return null
    }
  }

  function clear(): void {
    asked++
    text.value = ''
    found.value = null
    fault.value = null
  }

  return { text, found, fault, look, clear }
}
