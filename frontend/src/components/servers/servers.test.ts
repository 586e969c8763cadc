import { enableAutoUnmount, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Fault } from '../../api/fault'
import type { Server } from '../../api/servers'
import { language, t } from '../../i18n'
import { useWindow } from '../../stores/window'
import * as bridge from '../../testing/bridge'
import {
  folder,
  readServerOffer,
  readServers,
  readServerText,
  readState,
  stateWith,
} from '../../testing/routes'
import { foundOf, serverOf, toolOf } from '../../testing/servers'
import ServersPart from './ServersPart.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
enableAutoUnmount(afterEach)

let page: VueWrapper

beforeEach(() => {
  setActivePinia(createPinia())
  vi.clearAllMocks()
  language.value = 'en'
})

async function open(...servers: Server[]): Promise<void> {
  readState.mockResolvedValue(stateWith({ workspace: folder }))
  readServers.mockResolvedValue({ servers, path: '/home/ada/.config/fairlead/servers.json' })
  await useWindow().refresh()
  page = mount(ServersPart, { attachTo: document.body })
  await flushPromises()
}

function button(text: string) {
  const found = page.findAll('button').find((each) => each.text() === text)
  if (!found) throw new Error(`there is no button ${text}: ${page.text()}`)
  return found
}

async function press(text: string): Promise<void> {
  const found = button(text)
  await (found.attributes('type') === 'submit' ? found.trigger('submit') : found.trigger('click'))
  await flushPromises()
}

describe('a server', () => {
  it('EXT-02: is agreed to with the hash of the tools that are shown, whole', async () => {
    await open(
      serverOf({
        state: 'suspended',
        agreed: false,
        tools: [toolOf('read'), toolOf('write', { description: 'Writes.\u200B', readOnly: true })],
      }),
    )
    expect(page.text()).toContain(t('servers.states.new'))
    expect(page.findAll('.hidden-character')).toHaveLength(1)
    expect(page.text()).toContain(t('servers.readOnly'))
    await press(t('servers.agree', { n: 2 }))
    expect(bridge.agreeServer).toHaveBeenCalledWith('notes', 'tools-hash')
    expect(readServers).toHaveBeenCalledTimes(2)
  })

  it('EXT-02: that changed is shown old and new, and is agreed to or left', async () => {
    const changed = [{ name: 'read', old: 'read\ndescription: Reads.', new: 'read\ndescription: Deletes.' }]
    await open(
      serverOf({ state: 'suspended', difference: { changed, added: [{ name: 'wipe', new: 'wipe' }] } }),
    )
    for (const text of [
      'Reads.',
      'Deletes.',
      t('servers.altered', { name: 'read' }),
      t('servers.added', { name: 'wipe' }),
    ])
      expect(page.text()).toContain(text)
    await press(t('servers.leave'))
    expect(page.text()).not.toContain('Deletes.')
    expect(bridge.agreeServer).not.toHaveBeenCalled()
    expect(page.text()).toContain(t('servers.states.suspended'))
    await press(t('servers.showAgain'))
    expect(page.text()).toContain('Deletes.')
  })

  it('EXT-02: says that it changed again where a decision was too late', async () => {
    await open(serverOf({ state: 'suspended', agreed: false }))
    bridge.agreeServer.mockRejectedValueOnce(new Fault('INVALID_STATE', 'the server notes has changed'))
    await press(t('servers.agree', { n: 1 }))
    expect(page.get('[role=alert]').text()).toContain('the server notes has changed')
  })

  it('EXT-01: says what it may do, and how far it is held to that', async () => {
    const grant = { folder: 'write', hosts: ['api.example.org:443'], variables: ['TOKEN'] }
    await open(serverOf({ grant }), serverOf({ name: 'other', grant, level: 'none' }))
    const [held, open_] = page.findAll('section.card').map((each) => each.text())
    for (const text of [
      t('servers.grant.write'),
      t('servers.grant.hosts', { hosts: 'api.example.org:443' }),
      t('servers.grant.variables', { names: 'TOKEN' }),
      t('servers.held.hosts'),
    ])
      expect(held).toContain(text)
    expect(open_).toContain(t('servers.held.starts'))
    expect(open_).not.toContain(t('servers.held.full'))
  })

  it('EXT-01: is let run with the grant of the form, and removed after a second press', async () => {
    await open(serverOf({ grant: null, state: 'configured', variables: ['TOKEN', 'ZONE'], tools: [] }))
    expect(page.text()).toContain(t('servers.states.off'))
    expect(page.find('[role=switch]').exists()).toBe(false)
    await press(t('servers.allow'))
    await page.get('input[value=read]').setValue(true)
    await page.get('textarea').setValue('api.example.org\n\nb.example.org:8443')
    await page.findAll('input[type=checkbox]').at(1)?.setValue(false)
    await press(t('servers.form.save'))
    expect(bridge.grantServer).toHaveBeenCalledWith('notes', 'server-hash', {
      folder: 'read',
      hosts: ['api.example.org', 'b.example.org:8443'],
      variables: ['TOKEN'],
    })
    await press(t('servers.remove'))
    expect(bridge.removeServer).not.toHaveBeenCalled()
    await press(t('servers.removeYes'))
    expect(bridge.removeServer).toHaveBeenCalledWith('notes')
  })

  it('EXT-01: that failed says why, shows its log and is tried again', async () => {
    await open(
      serverOf({ state: 'failed', reason: 'the server notes ended by itself', log: ['no such option'] }),
    )
    expect(page.text()).toContain('ended by itself')
    expect(page.text()).toContain('no such option')
    await press(t('servers.retry'))
    expect(bridge.tryServer).toHaveBeenCalledWith('notes')
  })

  it('EXT-01: that is asked about at each start says so, and is started by a press', async () => {
    const grant = { folder: 'none', hosts: ['api.example.org:443'], variables: [] }
    await open(serverOf({ grant, state: 'configured', level: '', asksAtStart: true }))
    expect(page.text()).toContain(t('servers.held.starts'))
    await press(t('servers.start'))
    expect(bridge.tryServer).toHaveBeenCalledWith('notes')
  })

  it('is switched in the conversation that is shown', async () => {
    await open(serverOf())
    await page.get('[role=switch]').setValue(false)
    await flushPromises()
    expect(bridge.setGroup).toHaveBeenCalledWith('', 'mcp/notes', false)
  })
})

describe('adding a server', () => {
  it('EXT-01: keeps no text that may hold keys, and sends back the hashes that it was shown', async () => {
    readServerText.mockResolvedValue({
      id: '7',
      servers: [foundOf({ variables: [{ name: 'TOKEN', given: true }], notTaken: ['"autoApprove"'] })],
    })
    bridge.addServer.mockResolvedValue({ unsaved: 'no keyring' })
    await open()
    expect(page.text()).toContain(t('servers.none'))
    await press(t('servers.add'))
    await page.get('textarea').setValue('{"env":{"TOKEN":"hunter2"}}')
    await press(t('servers.form.read'))
    expect(page.get('textarea').element.value).toBe('')
    expect(page.text()).toContain('"autoApprove"')
    expect(bridge.addServer).not.toHaveBeenCalled()
    readServers.mockResolvedValue({ servers: [serverOf({ state: 'starting' })], path: '/servers.json' })
    await press(t('servers.form.run'))
    expect(bridge.addServer).toHaveBeenCalledWith({
      id: '7',
      name: 'notes',
      hash: 'definition-hash',
      offer: '',
      scripts: false,
      private: false,
      values: {},
      grant: { folder: 'none', hosts: [], variables: ['TOKEN'] },
    })
    expect(document.activeElement?.getAttribute('data-server')).toBe('notes')
    expect(page.text()).toContain('no keyring')
  })

  it('EXT-01: asks the registry of packages only when told to, and runs no scripts unasked', async () => {
    readServerText.mockResolvedValue({ id: '7', servers: [foundOf({ fetches: true, runs: 'npx notes' })] })
    readServerOffer.mockResolvedValue({
      hash: 'lock-hash',
      packages: ['notes@1.2.3'],
      integrity: 'sha512-abc',
      registry: 'https://packages.example.org/',
      otherHosts: [],
      count: 3,
      scripts: ['fast@1.0.0'],
      bytes: 0,
    })
    bridge.addServer.mockResolvedValue({ unsaved: '' })
    await open()
    await press(t('servers.add'))
    await page.get('input[value=command]').setValue(true)
    await page.get('input.mono').setValue('npx notes')
    await press(t('servers.form.read'))
    expect(readServerOffer).not.toHaveBeenCalled()
    expect(button(t('servers.form.run')).attributes('disabled')).toBeDefined()
    await press(t('servers.form.ask'))
    expect(page.text()).toContain('notes@1.2.3')
    await press(t('servers.form.run'))
    expect(bridge.addServer).toHaveBeenCalledWith(
      expect.objectContaining({ offer: 'lock-hash', scripts: false }),
    )
  })

  it('EXT-01: says why one cannot be used, and lets it not run', async () => {
    readServerText.mockResolvedValue({
      id: '7',
      servers: [foundOf({ refused: 'docker has its own service' })],
    })
    await open()
    await press(t('servers.add'))
    await page.get('textarea').setValue('{}')
    await press(t('servers.form.read'))
    expect(page.text()).toContain('docker has its own service')
    expect(page.findAll('button').some((each) => each.text() === t('servers.form.run'))).toBe(false)
  })

  it('EXT-01: lets an address of this computer run only where the user wants that', async () => {
    const runs = 'http://127.0.0.1:3000/mcp'
    readServerText.mockResolvedValue({
      id: '7',
      servers: [foundOf({ kind: 'http', runs, nearby: 'this computer' })],
    })
    bridge.addServer.mockResolvedValue({ unsaved: '' })
    await open()
    await press(t('servers.add'))
    await page.get('textarea').setValue('{}')
    await press(t('servers.form.read'))
    expect(button(t('servers.form.run')).attributes('disabled')).toBeDefined()
    await page.get('input[type=checkbox]').setValue(true)
    await press(t('servers.form.run'))
    expect(bridge.addServer).toHaveBeenCalledWith(expect.objectContaining({ private: true }))
  })
})
