import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import type { announce } from '../base/announce'
import { useShell } from '../../stores/shell'
import * as bridge from '../../testing/bridge'
import { choose, endpoint, openai } from '../../testing/models'
import { button, click, field, focused, lab, open, page, part, prepare } from '../../testing/modelsScreen'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))
enableAutoUnmount(afterEach)
beforeEach(prepare)

describe('own endpoints', () => {
  const list = () => part('Own endpoints')
  const form = () => list().get('form')

  it('are added, with what is wrong said at the form', async () => {
    await open()
    await click('Add endpoint')
    expect(document.activeElement).toBe(field('Name', form()).element)
    expect(button('Save', form()).attributes('disabled')).toBeDefined()
    await field('Name', form()).setValue('mill')
    await field('Base URL', form()).setValue('https://mill.example/v1/chat/completions')
    expect(form().text()).toContain('Calls: https://mill.example/v1/chat/completions')
    await field('Base URL', form()).trigger('change')
    expect(field('Base URL', form()).element.value).toBe('https://mill.example/v1')
    await field('Speaks like', form()).setValue('openrouter')
    await click('Add header', form())
    expect(focused()).toBe('Name of header 1')
    await field('Name of header 1', form()).setValue('X-Key')
    await field('Value of header 1', form()).setValue('{key}')
    await field('Extra fields', form()).setValue('{"top_p": 0.9}')
    await field('Context window', form()).setValue('32768')
    await form().get('[role=switch]').setValue(true)
    await field('Protocol', form()).setValue('responses')
    expect(form().text()).toContain('https://mill.example/v1/responses')
    await field('Family of its models', form()).setValue(' qwen ')
    bridge.saveProvider.mockRejectedValueOnce(new Fault('USAGE', 'header X-Key is set by Fairlead'))
    await form().trigger('submit')
    await flushPromises()
    expect(form().get('[role=alert]').text()).toContain('header X-Key is set by Fairlead')
    const mill = endpoint('mill', {
      baseUrl: 'https://mill.example/v1',
      dialect: 'openrouter',
      headers: [{ name: 'X-Key', value: '{key}' }],
      body: '{"top_p": 0.9}',
      writtenCalls: true,
      protocol: 'responses',
      family: 'qwen',
      contextWindow: 32_768,
    })
    bridge.ownProviders.mockResolvedValue([lab, mill])
    await form().trigger('submit')
    await flushPromises()
    expect(bridge.saveProvider.mock.lastCall).toEqual([mill])
    expect(list().find('form').exists()).toBe(false)
    expect(focused()).toBe('Edit mill')
    expect(bridge.providers).toHaveBeenCalledTimes(4)
  })

  it('say what their fields are for', async () => {
    await open()
    await click('Add endpoint')
    expect(form().text()).toContain('{key} stands for the key. Never write a key here')
    expect(form().text()).toContain('Such calls always ask')
    expect(
      field('Speaks like', form())
        .findAll('option')
        .map((each) => each.text()),
    ).toEqual(['Nothing special', 'OpenAI', 'OpenRouter'])
  })

  it('with extra fields that are no JSON object cannot be saved', async () => {
    await open()
    await click('Edit Lab‹U+202E›')
    const body = field('Extra fields', form())
    await body.setValue('[1]')
    expect(body.attributes('aria-invalid')).toBe('true')
    expect(page.get(`[id="${body.attributes('aria-describedby')}"]`).text()).toContain('no JSON object')
    await form().trigger('submit')
    expect(bridge.saveProvider).not.toHaveBeenCalled()
  })

  it('are changed under the name that they have', async () => {
    await open()
    await click('Edit Lab‹U+202E›')
    expect(
      form()
        .findAll('label')
        .map((each) => each.text()),
    ).not.toContain('Name')
    await field('Environment variable of its key', form()).setValue('LAB_KEY')
    await form().trigger('submit')
    await flushPromises()
    expect(bridge.saveProvider.mock.calls).toEqual([[{ ...lab, keyEnv: 'LAB_KEY' }]])
  })

  it('Esc leaves the form, not the view; the Enter of an input method saves nothing', async () => {
    await open()
    await click('Add endpoint')
    const name = field('Name', form())
    const event = new KeyboardEvent('keydown', {
      key: 'Enter',
      isComposing: true,
      bubbles: true,
      cancelable: true,
    })
    name.element.dispatchEvent(event)
    expect(event.defaultPrevented).toBe(true)
    await name.trigger('keydown', { key: 'Escape' })
    await nextTick()
    expect(list().find('form').exists()).toBe(false)
    expect([useShell().settings, focused()]).toEqual(['models', 'Add endpoint'])
  })

  it('are removed once the user said so twice', async () => {
    await open()
    await click('Remove Lab‹U+202E›')
    expect(list().text()).toContain('Remove Lab‹U+202E›?')
    expect([focused(), bridge.removeProvider.mock.calls]).toEqual(['Keep', []])
    await click('Keep')
    expect(focused()).toBe('Remove Lab‹U+202E›')
    await click('Remove Lab‹U+202E›')
    bridge.ownProviders.mockResolvedValue([])
    await click('Remove', list())
    expect(bridge.removeProvider.mock.calls).toEqual([['lab']])
    expect(list().find('li').exists()).toBe(false)
    expect(focused()).toBe('Add endpoint')
  })

  it('that cannot be removed stay, and say why', async () => {
    await open()
    bridge.removeProvider.mockRejectedValue(new Fault('USAGE', 'the file changed'))
    await click('Remove Lab‹U+202E›')
    await click('Remove', list())
    expect(list().get('[role=alert]').text()).toContain('the file changed')
    expect(list().find('li').exists()).toBe(true)
  })

  it('can be chosen at once, and are not once they are removed', async () => {
    await open()
    await choose(field('Provider'), 'lab')
    expect(field('Base URL', part('Another model')).element.value).toBe('https://lab.example/v1')
    bridge.providers.mockResolvedValue([openai])
    await click('Remove Lab‹U+202E›')
    await click('Remove', list())
    expect(field('Provider').element.value).toBe('Another address')
    expect(field('Base URL', part('Another model')).element.value).toBe('')
  })
})
