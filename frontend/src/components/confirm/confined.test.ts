import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'

import { confirm, type extend } from '../../api/bridge'
import { type readEvents, type readWhole } from '../../api/routes'
import { language } from '../../i18n'
import { en } from '../../i18n/en'
import { useWindow } from '../../stores/window'
import { asked, close, later, page, prepare } from '../../testing/dock'
import { alt, ask, fetches, press, runs, wantsNetwork, writes } from '../../testing/questions'
import { stateWith } from '../../testing/routes'
import { announce } from '../base/announce'

vi.mock('../../api/bridge', () => ({ confirm: vi.fn<typeof confirm>(), extend: vi.fn<typeof extend>() }))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))
vi.mock('../../api/routes', () => ({
  readWhole: vi.fn<typeof readWhole>(),
  readEvents: vi.fn<typeof readEvents>(),
}))
vi.mock('../base/announce', () => ({ announce: vi.fn<typeof announce>() }))

const programs: Record<string, string> = import.meta.glob('../../../../backend/tool/web/web.go', {
  query: '?raw',
  import: 'default',
  eager: true,
})

beforeEach(prepare)
afterEach(close)

describe('SEC-02 how far a command is confined', () => {
  const gaps = 'Partly confined: it can end your other programs\u202E. It has no network.'
  const of = (level: 'full' | 'limited' | 'none', network = false) => {
    const { preview } = runs('c1', 'ls')
    return runs('c1', 'ls', { preview: { ...preview, level, network, confinement: gaps } })
  }

  it.each([
    ['full', 2, 'Confined: this command can change only this folder', '已隔离：该命令只能修改此文件夹'],
    [
      'limited',
      2,
      'Partly confined: this command can write only in this folder',
      '部分隔离：该命令只能写入此文件夹',
    ],
    ['none', 1, 'Not confined: this command runs with all your rights', '未隔离：该命令以你的全部权限运行'],
  ] as const)('%s has a shield and words', async (level, strokes, english, chinese) => {
    await asked(of(level))
    const line = page.card.get('.level')
    expect(line.text()).toContain(english)
    expect(line.get('svg').classes()).toContain(level)
    const shapes = line.findAll('svg path').map((path) => path.attributes('d'))
    expect(shapes).toHaveLength(strokes)
    expect(new Set(shapes).size).toBe(level === 'limited' ? 2 : 1)
    expect(page.card.get('.facts').text().includes('without network')).toBe(level !== 'none')
    language.value = 'zh-CN'
    await nextTick()
    expect(page.card.get('.level').text()).toContain(chinese)
  })

  it('names the gaps in the details, with nothing hidden, where there are some', async () => {
    await asked(of('limited'))
    expect(page.card.get('details').text()).toContain('it can end your other programs‹U+202E›.')
    expect(page.card.get('.level').attributes('title')).toBe(gaps)
    page.receive(ask({ ...of('full'), hash: 'h2' }))
    await nextTick()
    expect(page.card.get('details').text()).not.toContain('your other programs')
  })

  it('says when it also asks for the network', async () => {
    await asked(of('full'))
    expect(page.card.text()).not.toContain('asks for the network')
    page.receive(ask({ ...of('full', true), hash: 'h2' }))
    await nextTick()
    expect(page.card.get('.again').text()).toBe(
      'It also asks for the network. Whether it may have that is asked next.',
    )
    expect(page.card.text()).not.toContain('without network')
    expect(page.button('Approve').exists()).toBe(true)
  })
})

describe('SEC-02 the network for a command', () => {
  const labels = () => page.card.findAll('button').map((each) => each.text().replace(/Alt\+.*/, ''))
  const verdicts = () => vi.mocked(confirm).mock.calls.map(([{ decision, hash }]) => [decision, hash])

  async function next(nativeDialogs: boolean): Promise<void> {
    useWindow().state = stateWith({ nativeDialogs })
    await asked(runs('c1', 'npm install && npm test'))
    await page.button('Approve').trigger('click')
    page.receive(ask(wantsNetwork('c1', 'npm install && npm test')))
    await flushPromises()
    vi.mocked(confirm).mockClear()
    await later(300)
  }

  it('is a second question, which only the dialog of the system can allow', async () => {
    await next(true)
    expect(page.heading.text()).toBe('Allow this command the network, once?')
    expect(page.card.get('.facts').text()).toContain('what it can read, it can send anywhere')
    expect(page.card.findAll('.command .part').map((part) => part.text())).toEqual([
      'npm install &&',
      'npm test',
    ])
    expect(page.card.text()).toContain('Only the system’s own dialog can allow this. Answer there.')
    expect(page.card.text()).not.toContain('It also asks for the network')
    expect(labels()).toEqual(['Show the dialog', 'Do not allow'])
    press('a', page.heading.element, alt)
    for (const key of ['e', 'w', 'd', 'f']) press(key, page.heading.element, alt)
    await nextTick()
    expect(page.card.find('textarea, input').exists()).toBe(false)
    expect(confirm).not.toHaveBeenCalled()
    await page.button('Do not allow').trigger('click')
    expect(verdicts()).toEqual([['reject', 'network-c1']])
  })

  it('is not allowed here while it is not known whether there are dialogs', async () => {
    await next(true)
    useWindow().state = null
    await nextTick()
    expect(labels()).toEqual(['Show the dialog', 'Do not allow'])
  })

  it('is allowed once here where there is no dialog, after 300 ms', async () => {
    await next(false)
    expect(labels()).toEqual(['Allow once', 'Do not allow'])
    page.receive(ask({ ...wantsNetwork('c1', 'npm install && npm test'), hash: 'other' }))
    await nextTick()
    press('a', page.heading.element, alt)
    expect(confirm).not.toHaveBeenCalled()
    await later(300)
    await page.button('Allow once').trigger('click')
    expect(verdicts()).toEqual([['approve', 'other']])
  })

  it('can be refused by key', async () => {
    await next(false)
    press('r', page.heading.element, alt)
    expect(verdicts()).toEqual([['reject', 'network-c1']])
  })

  it('is announced as what it is, in both languages', async () => {
    await next(true)
    expect(vi.mocked(announce).mock.lastCall?.[0]).toBe(
      'May this command have the network, once? npm install && npm test',
    )
    language.value = 'zh-CN'
    await nextTick()
    expect(page.heading.text()).toBe('允许该命令访问一次网络？')
    expect(page.card.text()).toContain('只能在系统对话框中允许，请在那里回答。')
  })
})

describe('HITL-02 a page that is to be fetched', () => {
  const url = `https://docs.example.org:8443/a?q=\u202E${'x'.repeat(1900)}`

  it('is shown with its whole address, its host, and what that learns', async () => {
    await asked(fetches('c1', url))
    expect(page.heading.text()).toMatch(/^Fetch https:\/\/docs\.example\.org:8443\/a\?q=‹U\+202E›x+…$/)
    expect(page.card.get('.facts').text()).toBe('docs.example.org:8443 learns what is asked for')
    const address = page.card.get('[role=region][aria-label="The whole address"]')
    expect(address.element.textContent).toBe(url.replace('\u202E', '‹U+202E›'))
    expect(address.get('strong').text()).toBe('docs.example.org:8443')
    expect(address.attributes('tabindex')).toBe('0')
    expect(page.card.text()).toContain('Addresses of this computer and of private networks are refused.')
    expect((page.card.get('details').element as HTMLDetailsElement).open).toBe(false)
  })

  it('is approved, rejected and edited like any other call', async () => {
    useWindow().state = stateWith({ nativeDialogs: true })
    await asked(fetches('c1', 'https://a.test/'))
    await page.button('Edit').trigger('click')
    await page.card.get('textarea').setValue('https://b.test/')
    await page.card.get('form').trigger('submit')
    expect(vi.mocked(confirm).mock.lastCall?.[0]).toMatchObject({
      decision: 'modify',
      arguments: '{"url":"https://b.test/"}',
    })
    page.receive(ask({ ...fetches('c1', 'https://b.test/'), hash: 'h2' }))
    await flushPromises()
    await later(300)
    await page.button('Approve').trigger('click')
    expect(vi.mocked(confirm).mock.lastCall?.[0]).toMatchObject({ decision: 'approve', hash: 'h2' })
  })

  it('speaks Chinese, also about a proxy', async () => {
    language.value = 'zh-CN'
    const request = fetches('c1', 'https://a.test/')
    await asked({ ...request, preview: { ...request.preview, addresses: 'unchecked' } })
    expect(page.heading.text()).toBe('获取 https://a.test/')
    expect(page.card.text()).toContain('a.test 会看到请求的内容')
    expect(page.card.text()).toContain('域名由所设置的代理解析')
  })

  it('says what the program says of addresses, word for word', () => {
    const [source = ''] = Object.values(programs)
    for (const sentence of Object.values(en.confirm.addresses))
      expect(source).toContain(JSON.stringify(sentence))
  })
})

describe('SEC-08 a file that other programs run by themselves', () => {
  const of = (autorun?: string) => {
    const request = writes('c1')
    return { ...request, preview: { ...request.preview, autorun } }
  }

  it.each([
    ['editor', 'editors can run what it says when the folder is opened.', '编辑器'],
    ['another', 'other programs run what it says.', '其他程序'],
  ])('is marked: %s', async (named, english, chinese) => {
    await asked(of(named))
    expect(page.card.get('.autorun').text()).toBe(`Runs by itself: ${english}`)
    expect(vi.mocked(announce).mock.lastCall?.[0]).toContain(english)
    language.value = 'zh-CN'
    await nextTick()
    expect(page.card.get('.autorun').text()).toContain(chinese)
  })

  it('is not marked where none does', async () => {
    await asked(of())
    expect(page.card.find('.autorun').exists()).toBe(false)
  })
})
