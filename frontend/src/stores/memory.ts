/** What is noted about the folder, and what the user makes of it. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'

import { saveMemory } from '../api/bridge'
import { faultOf, type Fault } from '../api/fault'
import { readMemory } from '../api/routes'
import type { Memory } from '../api/types'
import { joined } from './joined'
import { useWindow } from './window'

export const useMemory = defineStore('memory', () => {
  const app = useWindow()
  const folder = computed(() => app.state?.workspace?.path ?? '')
  /** The notes that the text in the field was made of; null until they were read. */
  const base = shallowRef<Memory | null>(null)
  /** What is in the field. */
  const typed = ref('')
  const dirty = computed(() => base.value !== null && typed.value !== base.value.text)
  /** The notes as they are now, where others have changed them since and the field has changes too. */
  const other = shallowRef<Memory | null>(null)
  const fault = shallowRef<Fault | null>(null)
  const saving = ref(false)
  /** What is in the field was saved. */
  const saved = ref(false)

  /** Reads the notes; what was typed stays. */
  const read = joined(async () => {
    const own = folder.value
    let found: Memory
    try {
      found = await readMemory()
    } catch (reason) {
      if (own !== folder.value) return false
      fault.value = faultOf(reason)
      return true
    }
    if (own !== folder.value) return false
    fault.value = null
    if (dirty.value && base.value?.version !== found.version) other.value = found
    else if (dirty.value) base.value = found
    else take(found)
    return true
  })

  function take(notes: Memory): void {
    base.value = notes
    typed.value = notes.text
    other.value = null
  }

  /** Saves what is in the field over the notes that it was made of. */
  async function save(): Promise<void> {
    if (saving.value || base.value === null) return
    saving.value = true
    saved.value = false
    fault.value = null
    const text = typed.value
    let refused: Fault | null = null
    try {
      await saveMemory(text, base.value.version)
      // The program may have made hidden characters in it readable.
      const now = await readMemory()
      if (typed.value === text) take(now)
      else base.value = now
      saved.value = true
    } catch (reason) {
      refused = faultOf(reason)
      if (refused.code === 'INVALID_STATE') {
        refused = null
        await read()
      }
    }
    if (refused) fault.value = refused
    saving.value = false
  }

  /** Puts the notes as they are now into the field. */
  function takeOther(): void {
    if (other.value) take(other.value)
  }

  /** Saves what is in the field in place of the notes as they are now. */
  async function keepMine(): Promise<void> {
    if (saving.value || !other.value) return
    base.value = other.value
    other.value = null
    await save()
  }

  watch(folder, () => {
    base.value = null
    typed.value = ''
    other.value = null
    fault.value = null
  })
  watch(
    typed,
    () => {
      saved.value = false
    },
    { flush: 'sync' },
  )

  return { base, typed, dirty, other, fault, saving, saved, read, save, takeOther, keepMine }
})
