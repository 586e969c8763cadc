// @vitest-environment node
import { flushPromises } from '@vue/test-utils'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { LocalServer, Model, TestedModel } from '../../api/types'
import * as bridge from '../../testing/bridge'
import { ollama, openai, openrouter, provider, tested } from '../../testing/models'
import { model, readModels } from '../../testing/routes'
import { useModelForm } from './modelForm'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))

const current = { ...model, provider: 'openai', baseUrl: 'https://api.openai.com/v1', model: 'gpt' }

beforeEach(() => {
  bridge.providers
    .mockReset()
    .mockResolvedValue([
      openai,
      provider('ollama', 'http://localhost:11434/v1', { needsKey: false, local: true }),
      openrouter,
      provider('lab', 'https://lab.example/v1', { needsKey: false, own: true }),
    ])
  bridge.detect.mockReset().mockResolvedValue([ollama])
  bridge.testModel.mockReset().mockResolvedValue(tested())
  bridge.chooseModel.mockReset().mockResolvedValue(model)
  readModels.mockReset().mockResolvedValue(['a', 'b'])
})

async function loaded(chosen: Model | null = null) {
  const form = useModelForm(() => chosen)
  await form.load()
  return form
}

/** A form with a provider and a typed key. */
async function typed() {
  bridge.detect.mockResolvedValue([])
  const form = await loaded()
  form.selectProvider('openai')
  form.key.value = ' sk-canary-1\n'
  form.model.value = 'gpt'
  return form
}

describe('UI-06 a model on this computer', () => {
  it('is found by itself and needs nothing more', async () => {
    const form = await loaded()
    expect(form.complete.value).toBe(true)
    await expect(form.use()).resolves.toBe(true)
    expect(bridge.chooseModel).toHaveBeenCalledWith({
      provider: 'ollama',
      baseUrl: 'http://localhost:11434/v1',
      model: 'llama3.2:3b',
      key: '',
      keep: 'keyring',
      effort: '',
    })
  })

  it('that is in use stays chosen', async () => {
    expect((await loaded(model)).localModel.value).toBe('qwen3:8b')
  })

  it('does not take the place of another model in use', async () => {
    const form = await loaded(current)
    expect(form.place.value).toBe('remote')
    expect([form.provider.value, form.model.value]).toEqual(['openai', 'gpt'])
  })

  it('moves nothing that was chosen before it was found', async () => {
    let found: (servers: LocalServer[]) => void = () => {}
    bridge.detect.mockReturnValue(new Promise((resolve) => (found = resolve)))
    const form = useModelForm(() => null)
    const loading = form.load()
    form.touched.value = true
    form.select('remote')
    found([ollama])
    await loading
    expect(form.place.value).toBe('remote')
  })

  it('without models is not enough', async () => {
    bridge.detect.mockResolvedValue([{ ...ollama, models: [] }])
    expect((await loaded()).complete.value).toBe(false)
  })

  it('can be looked for again', async () => {
    bridge.detect.mockResolvedValueOnce([])
    const form = await loaded()
    expect(form.place.value).toBe('remote')
    const looking = form.look()
    expect(form.servers.value).toBeNull()
    await looking
    expect(form.place.value).toEqual({ local: ollama })
  })
})

describe('a provider', () => {
  it('brings its address, and another one empties the model', async () => {
    const form = await typed()
    expect(form.calls.value).toBe('https://api.openai.com/v1/chat/completions')
    form.selectProvider('openrouter')
    expect([form.address.value, form.model.value]).toEqual(['https://openrouter.ai/api/v1', ''])
    form.selectProvider('')
    expect(form.complete.value).toBe(false)
  })

  it('is told by a key that belongs to another one', async () => {
    const form = await typed()
    form.key.value = 'sk-or-v1-canary'
    expect([form.provider.value, form.address.value]).toEqual(['openrouter', 'https://openrouter.ai/api/v1'])
  })

  it('of an address of its own is not', async () => {
    const form = await typed()
    form.selectProvider('')
    form.address.value = 'https://a.example/v1'
    form.key.value = 'sk-or-v1-canary'
    expect(form.address.value).toBe('https://a.example/v1')
  })

  it('goes back to the owner of each key that is typed', async () => {
    const form = await typed()
    form.key.value = 'sk-or-v1-canary'
    form.selectProvider('openai')
    expect([form.provider.value, form.keyOwner.value?.name]).toEqual(['openai', 'openrouter'])
    form.key.value = 'sk-or-v1-canary-2'
    expect(form.provider.value).toBe('openrouter')
  })

  it('that the user named takes a key of any other', async () => {
    const form = await typed()
    form.selectProvider('lab')
    form.key.value = 'sk-or-v1-canary'
    expect([form.address.value, form.keyOwner.value?.name]).toEqual(['https://lab.example/v1', 'openrouter'])
  })

  it('is tested with what is typed, and lists its models', async () => {
    const form = await typed()
    await expect(form.test()).resolves.toBe(true)
    expect(bridge.testModel).toHaveBeenCalledWith({
      provider: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      model: 'gpt',
      key: 'sk-canary-1',
      keep: 'keyring',
      effort: '',
    })
    expect(form.models.value).toEqual(['a', 'b'])
    expect(form.steps.value.map(({ name, state }) => [name, state])).toEqual([
      ['reached', 'done'],
      ['key', 'done'],
      ['model', 'cancelled'],
    ])
  })

  it('that lists no models is not asked for them', async () => {
    bridge.testModel.mockResolvedValue(tested({ listed: false }))
    const form = await typed()
    await form.test()
    expect(readModels).not.toHaveBeenCalled()
    expect(form.steps.value).not.toEqual([])
  })

  it.each(['address', 'key', 'provider'] as const)('is untested again with another %s', async (name) => {
    const form = await typed()
    await form.test()
    form[name].value = 'https://other.example'
    expect([form.steps.value, form.models.value]).toEqual([[], []])
  })

  it('that was changed during its test is not said to work', async () => {
    let answer: (found: TestedModel) => void = () => {}
    bridge.testModel.mockReturnValue(new Promise((resolve) => (answer = resolve)))
    const form = await typed()
    const testing = form.test()
    form.key.value = 'sk-canary-2'
    answer(tested())
    await expect(testing).resolves.toBe(false)
    expect(form.steps.value).toEqual([])
  })

  it('that fails its test says why', async () => {
    bridge.testModel.mockRejectedValue(new Fault('AUTH', '401 key refused'))
    const form = await typed()
    await expect(form.test()).resolves.toBe(false)
    expect(form.steps.value.at(-1)).toMatchObject({ name: 'key', fault: { code: 'AUTH' } })
    expect([form.fault.value, form.busy.value]).toEqual([null, ''])
  })

  it('that is not at fault for a failed test is not blamed', async () => {
    bridge.testModel.mockRejectedValue(new Fault('KEYRING', 'locked'))
    const form = await typed()
    await form.test()
    expect([form.fault.value?.code, form.steps.value]).toEqual(['KEYRING', []])
  })

  it('that was changed during its test is not blamed for it', async () => {
    let fail: (reason: Fault) => void = () => {}
    bridge.testModel.mockReturnValue(new Promise((_, reject) => (fail = reject)))
    const form = await typed()
    const testing = form.test()
    form.key.value = 'sk-canary-2'
    fail(new Fault('AUTH', '401 key refused'))
    await testing
    expect([form.fault.value, form.steps.value]).toEqual([null, []])
  })

  it('is asked for its models only, where nothing is to be tested', async () => {
    const form = await typed()
    await form.list()
    expect(bridge.testModel.mock.lastCall?.[0].model).toBe('')
    expect(form.models.value).toEqual(['a', 'b'])
  })

  it('UI-14 keeps how much each of its models reasons', async () => {
    const form = useModelForm(
      () => current,
      ({ model: name }) => (name === 'gpt' ? 'high' : ''),
    )
    await form.load()
    await form.use()
    form.pick('gpt-2')
    await form.use()
    expect(bridge.chooseModel.mock.calls.map(([choice]) => [choice.model, choice.effort])).toEqual([
      ['gpt', 'high'],
      ['gpt-2', ''],
    ])
  })
})

describe('SEC-01 a key', () => {
  it('is gone once it was used', async () => {
    const form = await typed()
    await form.use()
    expect(form.key.value).toBe('')
  })

  it('that the keyring refuses can be used for this session', async () => {
    const form = await typed()
    bridge.chooseModel.mockRejectedValueOnce(new Fault('KEYRING', 'locked'))
    await expect(form.use()).resolves.toBe(false)
    expect(form.fault.value?.code).toBe('KEYRING')
    await expect(form.use('session')).resolves.toBe(true)
    expect(bridge.chooseModel.mock.calls.map(([choice]) => [choice.key, choice.keep])).toEqual([
      ['sk-canary-1', 'keyring'],
      ['sk-canary-1', 'session'],
    ])
  })

  it('is used once, however often the button is pressed', async () => {
    const form = await typed()
    void form.use()
    void form.use()
    await flushPromises()
    expect(bridge.chooseModel).toHaveBeenCalledOnce()
  })

  it('that is known is said to be, at its own address only', async () => {
    const form = await loaded({ ...current, keySource: 'keyring' })
    expect(form.keyKnown.value).toBe('keyring')
    form.address.value = 'https://a.example/v1'
    expect(form.keyKnown.value).toBe('')
  })

  it('that is kept can be forgotten', async () => {
    const form = await loaded({ ...current, keySource: 'keyring' })
    bridge.forgetKey.mockRejectedValueOnce(new Fault('KEYRING', 'locked'))
    await form.forget()
    expect(form.fault.value?.code).toBe('KEYRING')
    expect(form.keyKnown.value).toBe('keyring')
    form.key.value = 'sk-canary-1'
    await form.forget()
    expect(bridge.forgetKey).toHaveBeenLastCalledWith(
      expect.objectContaining({ baseUrl: current.baseUrl, key: '' }),
    )
    expect(form.keyKnown.value).toBe('')
    expect(form.fault.value).toBeNull()
  })
})

it('what could not be asked for is said', async () => {
  bridge.providers.mockRejectedValue(new Fault('NO_ANSWER', 'late'))
  expect((await loaded()).fault.value?.code).toBe('NO_ANSWER')
})
