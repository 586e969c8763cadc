import { enableAutoUnmount } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { announce } from '../base/announce'
import { useShell } from '../../stores/shell'
import * as bridge from '../../testing/bridge'
import { ollama, saved } from '../../testing/models'
import { button, click, field, focused, open, page, part, prepare } from '../../testing/modelsScreen'
import { model, readModels } from '../../testing/routes'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))
enableAutoUnmount(afterEach)
beforeEach(prepare)

describe('the list of a provider', () => {
  const rows = () =>
    part('Models of OpenAI')
      .findAll('li')
      .map((each) => each.get('.name').text())

  it('is asked for without a call to a model', async () => {
    await open()
    await click('Refresh')
    expect(bridge.testModel.mock.lastCall?.[0]).toMatchObject({ provider: 'openai', model: '' })
    expect(rows()).toEqual(['gpt', 'gpt-2', 'o9'])
  })

  it('is filtered, and Esc empties the filter first', async () => {
    await open()
    await click('Refresh')
    await field('Filter the models').setValue('GPT')
    expect(rows()).toEqual(['gpt', 'gpt-2'])
    await field('Filter the models').trigger('keydown', { key: 'Escape' })
    expect(rows()).toHaveLength(3)
    expect(useShell().settings).toBe('models')
    await field('Filter the models').setValue('nothing')
    expect(part('Models of OpenAI').text()).toContain('No model matches.')
    await click('Clear')
    expect(focused()).toBe('Filter the models')
  })

  it('of a thousand is not shown whole, and says how many more there are', async () => {
    readModels.mockResolvedValue(Array.from({ length: 1000 }, (_, i) => `model-${i}`))
    await open()
    await click('Refresh')
    expect(rows()).toHaveLength(200)
    expect(part('Models of OpenAI').get('[role=status]').text()).toBe(
      '800 more of that name. Type more of it.',
    )
    await field('Filter the models').setValue('model-99')
    expect(rows()).toHaveLength(11)
  })

  it('has each model to use and to keep', async () => {
    await open()
    await click('Refresh')
    await click('Use gpt-2', part('Models of OpenAI'))
    expect(bridge.chooseModel.mock.lastCall?.[0]).toMatchObject({ provider: 'openai', model: 'gpt-2' })
    expect(part('In use').get('dd').text()).toContain('gpt-2')
    await click('Favourite: o9', part('Models of OpenAI'))
    expect(bridge.favour.mock.calls).toEqual([[saved('o9')]])
  })

  it('SEC-01 is still there once a typed key was kept, and the key is not', async () => {
    await open()
    await field('API key').setValue('sk-proj-canary')
    await click('Refresh')
    await click('Use gpt-2', part('Models of OpenAI'))
    expect(bridge.chooseModel.mock.lastCall?.[0]).toMatchObject({ key: 'sk-proj-canary', keep: 'keyring' })
    expect([field('API key').element.value, rows().length]).toEqual(['', 3])
  })

  it('of a server on this computer is longer than what was found of it', async () => {
    bridge.detect.mockResolvedValue([ollama])
    await open({ model })
    const list = part('Models of Ollama')
    expect(list.findAll('li')).toHaveLength(2)
    await click('Refresh')
    expect(bridge.testModel.mock.lastCall?.[0]).toMatchObject({ provider: 'ollama', model: '' })
    expect(list.findAll('li')).toHaveLength(3)
    await click('Use o9', list)
    expect(bridge.chooseModel.mock.lastCall?.[0]).toMatchObject({ provider: 'ollama', model: 'o9' })
    expect(field('Model on this computer').element.value).toBe('o9')
  })

  it('shows hidden characters, and long names whole', async () => {
    const long = 'x'.repeat(400)
    readModels.mockResolvedValue(['a\u202Eb', long])
    await open()
    await click('Refresh')
    expect(rows()).toEqual(['a‹U+202E›b', long])
    expect(button('Use a‹U+202E›b').exists()).toBe(true)
  })

  it('that cannot be had says why', async () => {
    bridge.testModel.mockRejectedValue(new Fault('NETWORK', 'no such host'))
    await open()
    await click('Refresh')
    expect(page.get('[role=alert]').text()).toContain('Address: The address could not be reached.')
  })
})
