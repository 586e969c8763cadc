/** An endpoint of the user's own while it is being written. */
import { computed, reactive } from 'vue'

import type { OwnProvider } from '../../api/types'
import { t } from '../../i18n'
import { cleanAddress } from '../shell/address'

/** The endpoint in the words of its fields. */
export interface EndpointDraft extends Omit<OwnProvider, 'contextWindow'> {
  contextWindow: string
}

const blank: OwnProvider = {
  name: '',
  title: '',
  baseUrl: '',
  keyEnv: '',
  dialect: '',
  headers: [],
  body: '',
  writtenCalls: false,
  protocol: '',
  family: '',
  contextWindow: 0,
}

function draftOf(own: OwnProvider): EndpointDraft {
  const { contextWindow, headers, ...rest } = own
  return {
    ...rest,
    headers: headers.map(({ name, value }) => ({ name, value })),
    contextWindow: contextWindow > 0 ? String(contextWindow) : '',
  }
}

/** What is wrong with a text that is no JSON object; empty where it is one, or there is no text. */
export function bodyFault(text: string): string {
  if (text.trim() === '') return ''
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ''
  } catch {
    // It is not even JSON.
  }
  return t('models.own.form.bodyFault')
}

/** What is wrong with a text that is no number of tokens; empty where it is one, or there is no text. */
export function windowFault(text: string): string {
  return /^([1-9]\d*)?$/.test(text.trim()) ? '' : t('models.own.form.windowFault')
}

/** The form for an endpoint; null makes a new one. */
export function useEndpoint(own: OwnProvider | null) {
  const draft = reactive(draftOf(own ?? blank))
  const faults = computed(() => ({ body: bodyFault(draft.body), window: windowFault(draft.contextWindow) }))
  /** Reports whether there is enough to save. */
  const complete = computed(
    () =>
      draft.name.trim() !== '' &&
      cleanAddress(draft.baseUrl) !== '' &&
      faults.value.body === '' &&
      faults.value.window === '',
  )

  /** The endpoint that is written: rows that are empty are none. */
  function written(): OwnProvider {
    return {
      name: draft.name.trim(),
      title: draft.title.trim(),
      baseUrl: cleanAddress(draft.baseUrl),
      keyEnv: draft.keyEnv.trim(),
      dialect: draft.dialect,
      headers: draft.headers
        .map(({ name, value }) => ({ name: name.trim(), value: value.trim() }))
        .filter(({ name, value }) => name !== '' || value !== ''),
      body: draft.body.trim(),
      writtenCalls: draft.writtenCalls,
      protocol: draft.protocol,
      family: draft.family.trim(),
      contextWindow: Number(draft.contextWindow.trim()),
    }
  }

  return { draft, faults, complete, written }
}
