import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../api/fault'
import { announce } from '../components/base/announce'
import { language } from '../i18n'
import { useComposer } from '../stores/composer'
import { useShell } from '../stores/shell'
import * as bridge from '../testing/bridge'
import { saved } from '../testing/models'
import {
  button,
  chosen,
  click,
  field,
  focused,
  gpt,
  nameOf,
  open,
  page,
  part,
  prepare,
} from '../testing/modelsScreen'

vi.mock('../api/bridge', () => import('../testing/bridge'))
vi.mock('../api/routes', () => import('../testing/routes'))
vi.mock('../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../components/base/announce', () => ({ announce: vi.fn<typeof announce>() }))
enableAutoUnmount(afterEach)
beforeEach(prepare)

describe('UI-08 the models', () => {
  it('take the focus, and give it back to what opened them', async () => {
    const opener = document.createElement('button')
    document.body.append(opener)
    opener.focus()
    await open()
    expect(focused()).toBe('Models')
    await page.get('h1').trigger('keydown', { key: 'Escape' })
    await nextTick()
    expect(useShell().settings).toBeNull()
    expect(document.activeElement).toBe(opener)
    opener.remove()
  })

  it('leave the focus to the message where nothing opened them', async () => {
    await open()
    await click('Close')
    expect([useShell().settings, useComposer().wanted]).toEqual([null, 1])
  })

  it('stay for the Esc of an input method', async () => {
    await open()
    await page.get('h1').trigger('keydown', { key: 'Escape', isComposing: true })
    expect(useShell().settings).toBe('models')
  })

  it('have a heading for each part, and a name for each button and field', async () => {
    await open({ favourites: [saved('gpt-2')] })
    expect(page.findAll('h1, h2, h3').map((each) => `${each.element.tagName} ${each.text()}`)).toEqual([
      'H1 Models',
      'H2 In use',
      'H2 Favourites',
      'H2 Another model',
      'H3 Models of OpenAI',
      'H2 Own endpoints',
      'H2 Where nothing is chosen in the window',
    ])
    await click('Add endpoint')
    expect(page.findAll('button').filter((each) => nameOf(each) === '')).toEqual([])
    for (const each of page.findAll('input, select, textarea')) {
      const id = each.attributes('id')
      const named =
        each.attributes('aria-label') ??
        (each.element.closest('label') || page.find(`label[for="${id}"]`).exists())
      expect([each.html(), Boolean(named)]).toEqual([each.html(), true])
    }
  })

  it('speak Chinese', async () => {
    language.value = 'zh-CN'
    await open()
    expect(page.findAll('h1, h2').map((each) => each.text())).toEqual([
      '模型',
      '正在使用',
      '收藏',
      '其他模型',
      '自定义端点',
      '窗口中未作选择时',
    ])
    expect(part('正在使用').text()).toContain('131,072 个 token')
  })
})

describe('the model in use', () => {
  const facts = () =>
    part('In use')
      .findAll('dt')
      .map((each, i) => [each.text(), part('In use').findAll('dd')[i]?.text() ?? ''])

  it('says where it is, where its key is, and what it costs', async () => {
    await open()
    expect(facts().slice(0, 6)).toEqual([
      ['Model', 'gpt'],
      ['API key', 'The key is in the system keyring. Forget the key'],
      ['Provider', 'OpenAI'],
      ['Calls', 'https://api.openai.com/v1/responses'],
      ['Context window', '131,072 tokens'],
      ['Price', '$2.5 sent, $10 generated, per million tokens'],
    ])
  })

  it('says what is not known of it', async () => {
    await open({ model: { ...gpt, window: 0, priced: false, needsKey: false, keySource: '' } })
    expect(facts().map(([name]) => name)).not.toContain('Price')
    expect(facts()).toContainEqual(['Context window', 'not known'])
    expect(facts()).toContainEqual(['API key', 'none is needed'])
  })

  it.each([
    ['reasons', {}, true],
    ['is known not to', { reasons: false }, false],
    ['is not known', { reasons: false, priced: false }, true],
    ['is on this computer', { reasons: false, price: { prompt: 0, completion: 0, cached: 0 } }, true],
  ])('that %s can be told how much to reason: %s', async (_, more, wanted) => {
    await open({ model: { ...gpt, ...more } })
    expect(page.findAll('label').some((each) => each.text() === 'Reasoning')).toBe(wanted)
  })

  it('is told how much to reason at once, without another key', async () => {
    await open()
    const select = field('Reasoning')
    expect(select.findAll('option').map((each) => each.text())).toEqual([
      'As the model does by itself',
      'Off',
      'Minimal',
      'Low',
      'Medium',
      'High',
      'Very high',
      'Maximum',
    ])
    await select.setValue('high')
    await flushPromises()
    expect(bridge.chooseModel.mock.calls).toEqual([
      [
        {
          provider: 'openai',
          baseUrl: 'https://api.openai.com/v1',
          model: 'gpt',
          key: '',
          keep: 'keyring',
          effort: 'high',
        },
      ],
    ])
    expect(select.element.value).toBe('high')
  })

  it('goes back to what holds where that is refused', async () => {
    bridge.chooseModel.mockRejectedValue(new Fault('BUSY', 'a task is running'))
    await open()
    await field('Reasoning').setValue('off')
    await flushPromises()
    expect(part('In use').get('[role=alert]').text()).toContain('A task is running.')
    expect(field('Reasoning').element.value).toBe('')
  })

  it('MOD-05 says what refusals have taught, and forgets it', async () => {
    const learnedAt = new Date(2026, 10, 24).getTime()
    const names = ['efforts low,high', 'no_temperature', 'something_new']
    await open({ model: { ...gpt, lessons: names.map((name) => ({ name, learnedAt })) } })
    expect(
      part('In use')
        .findAll('.lessons li')
        .map((each) => each.text()),
    ).toEqual([
      'Levels of reasoning: low,high Nov 24, 2026',
      'No temperature Nov 24, 2026',
      'something_new Nov 24, 2026',
    ])
    bridge.forgetLessons.mockImplementation(async () => {
      chosen({ ...gpt, lessons: [] })
    })
    await click('Forget', part('In use'))
    expect(bridge.forgetLessons.mock.lastCall?.[0]).toMatchObject({ provider: 'openai', model: 'gpt' })
    expect(part('In use').find('.lessons').exists()).toBe(false)
  })

  it('SEC-01 forgets its key', async () => {
    await open()
    bridge.forgetKey.mockImplementation(async () => {
      chosen({ ...gpt, keySource: '' })
    })
    await click('Forget the key', part('In use'))
    expect(bridge.forgetKey.mock.lastCall?.[0]).toMatchObject({ provider: 'openai', model: 'gpt', key: '' })
    expect(facts()).toContainEqual(['API key', 'none is known'])
  })

  it('is not the one of the guided tour', async () => {
    await open({ tour: true })
    expect(part('In use').text()).toContain('Guided tour')
  })

  it('shows hidden characters in its name', async () => {
    await open({ model: { ...gpt, model: 'gpt\u202E' } })
    expect(facts()[0]).toEqual(['Model', 'gpt‹U+202E›'])
  })
})

describe('favourites', () => {
  it('are used with the key that is known, and as they were kept', async () => {
    await open({ favourites: [saved('gpt-2', { effort: 'low' })] })
    expect(part('Favourites').get('li').text()).toContain('OpenAI · api.openai.com')
    await click('Use gpt-2', part('Favourites'))
    expect(bridge.chooseModel.mock.lastCall?.[0]).toMatchObject({ model: 'gpt-2', key: '', effort: 'low' })
    expect(announce).toHaveBeenCalledWith('Now in use: gpt-2')
  })

  it('are removed, and the focus stays with them', async () => {
    await open({ favourites: [saved('gpt-2')] })
    await click('Remove gpt-2')
    expect(bridge.unfavour.mock.calls).toEqual([[saved('gpt-2')]])
    expect(part('Favourites').text()).toContain('None yet.')
    expect(focused()).toBe('Favourites')
  })

  it('are starred and unstarred beside the name of the model', async () => {
    await open()
    await field('Model name').setValue('o9')
    const star = () => button('Favourite: o9', part('Another model').get('form'))
    expect(star().attributes('aria-pressed')).toBe('false')
    await star().trigger('click')
    await flushPromises()
    expect(bridge.favour.mock.calls).toEqual([[saved('o9')]])
    expect(star().attributes('aria-pressed')).toBe('true')
    await star().trigger('click')
    await flushPromises()
    expect(bridge.unfavour.mock.calls).toEqual([[saved('o9')]])
  })

  it('cannot be what has no name yet', async () => {
    await open({ model: null })
    expect(button('Favourite: ', part('Another model')).attributes('disabled')).toBeDefined()
  })

  it('that cannot be used say why', async () => {
    await open({ favourites: [saved('gpt-2')] })
    bridge.chooseModel.mockRejectedValue(new Fault('NO_KEY', 'no key for openai'))
    await click('Use gpt-2', part('Favourites'))
    expect(part('Favourites').get('[role=alert]').text()).toContain('no key for openai')
  })
})

describe('UI-14 a model without its key', () => {
  it('fills the form in, at the field for the key', async () => {
    await open({
      favourites: [saved('other', { provider: 'openrouter', baseUrl: 'https://openrouter.ai/api/v1' })],
    })
    bridge.checkKey.mockRejectedValue(new Fault('NO_KEY', 'no key for OpenRouter'))
    await click('Use other', part('Favourites'))
    expect(bridge.chooseModel).not.toHaveBeenCalled()
    const form = part('Another model')
    expect(['Provider', 'Base URL', 'Model name'].map((each) => field(each, form).element.value)).toEqual([
      'OpenRouter',
      'https://openrouter.ai/api/v1',
      'other',
    ])
    expect(document.activeElement).toBe(field('API key', form).element)
  })
})
