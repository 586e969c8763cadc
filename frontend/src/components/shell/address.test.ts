// @vitest-environment node
import { expect, it } from 'vitest'

import { openai, openrouter, provider } from '../../testing/models'
import { callsOf, cleanAddress, hostOf } from './address'
import { providerOfKey } from './keyOwner'

it.each([
  ['https://a.example/v1', 'https://a.example/v1'],
  [' https://a.example/v1/ ', 'https://a.example/v1'],
  ['https://a.example/v1/chat/completions', 'https://a.example/v1'],
  ['https://a.example/v1/chat/completions//', 'https://a.example/v1'],
  ['', ''],
])('the address %j is used as %j', (given, wanted) => {
  expect(cleanAddress(given)).toBe(wanted)
  expect(callsOf(given)).toBe(wanted === '' ? '' : `${wanted}/chat/completions`)
})

it('the host of an address is what is shown of it; of what is none, all of it', () => {
  expect([hostOf('http://localhost:11434/v1'), hostOf('lab')]).toEqual(['localhost:11434', 'lab'])
})

it.each([
  ['sk-or-v1-1', 'openrouter'],
  ['sk-proj-1', 'openai'],
  ['sk-or-lab-1', 'lab'],
  ['sk-1234', undefined],
  ['', undefined],
])('the key %j belongs to %s: the longest beginning decides', (key, owner) => {
  const lab = provider('lab', 'https://lab.example/v1', { keyPrefixes: ['sk-or-lab-'] })
  expect(providerOfKey(key, [lab, openai, openrouter])?.name).toBe(owner)
})
