/** Providers, and what tests of them find, for tests. */
import { flushPromises, type DOMWrapper } from '@vue/test-utils'

import type { LocalServer, OwnProvider, Provider, SavedModel, TestedModel } from '../api/types'

/** A known provider that needs a key. */
export const provider = (name: string, baseUrl: string, more: Partial<Provider> = {}): Provider => ({
  name,
  title: name,
  aliases: [],
  baseUrl,
  needsKey: true,
  keyEnv: '',
  local: false,
  own: false,
  keyPrefixes: [],
  ...more,
})

export const openai = provider('openai', 'https://api.openai.com/v1', {
  title: 'OpenAI',
  keyEnv: 'OPENAI_API_KEY',
  keyPrefixes: ['sk-proj-'],
})

export const openrouter = provider('openrouter', 'https://openrouter.ai/api/v1', {
  title: 'OpenRouter',
  keyPrefixes: ['sk-or-'],
})

export const ollama: LocalServer = {
  provider: 'ollama',
  title: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  models: ['llama3.2:3b', 'qwen3:8b'],
}

/** A test that listed two models and asked none of them. */
export const tested = (more: Partial<TestedModel> = {}): TestedModel => ({
  url: '',
  listed: true,
  total: 2,
  known: false,
  ms: 400,
  ref: '/fairlead/models',
  tools: '',
  keyChecked: true,
  toolsMs: 0,
  toolsFault: null,
  ...more,
})

export const saved = (model: string, more: Partial<SavedModel> = {}): SavedModel => ({
  provider: 'openai',
  title: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  model,
  effort: '',
  ...more,
})

export const endpoint = (name: string, more: Partial<OwnProvider> = {}): OwnProvider => ({
  name,
  title: '',
  baseUrl: 'https://lab.example/v1',
  keyEnv: '',
  dialect: '',
  headers: [],
  body: '',
  writtenCalls: false,
  protocol: '',
  family: '',
  contextWindow: 0,
  ...more,
})

/** Types into a choice that is searched, and takes what is found first. */
export async function choose(
  field: Pick<DOMWrapper<Element>, 'setValue' | 'trigger'>,
  typed: string,
): Promise<void> {
  await field.setValue(typed)
  await field.trigger('keydown', { key: 'Enter' })
  await flushPromises()
}
