/** What the settings file says, as it was when the page of settings last read it. */
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'

import { setSetting } from '../api/bridge'
import { faultOf, type Fault } from '../api/fault'
import { readSettings } from '../api/routes'
import type { Setting, SettingsList } from '../api/types'
import { useWindow } from './window'

export const useSettings = defineStore('settings', () => {
  const app = useWindow()
  const list = shallowRef<SettingsList | null>(null)
  const fault = shallowRef<Fault | null>(null)

  async function read(): Promise<void> {
    try {
      list.value = await readSettings()
      fault.value = null
    } catch (reason) {
      fault.value = faultOf(reason)
    }
  }

  /** Saves a setting; an empty value is the default again. Rejects with a Fault. */
  async function save(key: string, value: string): Promise<void> {
    try {
      await setSetting(key, value)
    } finally {
      await Promise.all([read(), app.refresh()])
    }
  }

  const find = (key: string): Setting | undefined => list.value?.settings.find((each) => each.key === key)

  return { list, fault, read, save, find }
})
