import { flushPromises, mount } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'

import { Fault } from '../../api/fault'
import { useComposer } from '../../stores/composer'
import { useWindow } from '../../stores/window'
import { forkAfter, forkSession, showSession } from '../../testing/bridge'
import { start, type Step } from '../../testing/events'
import { readState, stateWith } from '../../testing/routes'
import { TranscriptPage } from '../../testing/transcript'
import PastList from '../review/PastList.vue'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

let transcript: TranscriptPage
const done: Step = ['lifecycle.end', { reason: 'completed', content: '', steps: 1, durationMs: 9 }]
const opener = () => transcript.page.findAll('button').find((each) => each.text() === 'Edit…')
const choice = () => transcript.page.find('section[aria-label="Edit and send again"]')
const press = async (words: string): Promise<void> => {
  await choice()
    .findAll('button')
    .find((each) => each.text().startsWith(words))
    ?.trigger('click')
  await flushPromises()
}

async function ask(): Promise<void> {
  await transcript.add(...start, done)
  const button = opener()
  if (button?.element instanceof HTMLElement) button.element.focus()
  await button?.trigger('click')
  await nextTick()
}

/** The picture that went with the task. */
const plan = { id: 'p1', name: 'plan.png', mediaType: 'image/png', size: 9, ref: '/fairlead/pictures/p1' }

beforeEach(async () => {
  forkSession.mockReset().mockResolvedValue({ sessionId: 's2', pictures: [plan] })
  showSession.mockReset().mockImplementation(async (id) => {
    readState.mockResolvedValue(stateWith({ sessionId: id }))
    return null
  })
  transcript = await TranscriptPage.open()
})
afterEach(() => transcript.close())

describe('FIND-02: an earlier task is edited and sent again', () => {
  test.each([
    ['As they were then', true],
    ['As they are now', false],
  ])('in a new conversation, its files %s', async (words, asItWas) => {
    await ask()
    expect(document.activeElement?.textContent).toContain('As they were then')
    await press(words)
    expect(forkSession.mock.calls).toEqual([['run-1', asItWas]])
    expect(useWindow().state?.sessionId).toBe('s2')
    expect(useComposer().text).toBe('Fix the parser')
    expect(useComposer().pictures).toEqual([plan])
    expect(choice().exists()).toBe(false)
  })

  test('it can be sent again as it is', async () => {
    await transcript.add(...start, done)
    await transcript.button('Retry: send again as it is').trigger('click')
    await nextTick()
    const again = transcript.page.get('section[aria-label="Retry: send again as it is"]')
    const sends = useComposer().toSend
    await again.findAll('button')[1]?.trigger('click')
    await flushPromises()
    expect(forkSession.mock.calls).toEqual([['run-1', false]])
    expect([useComposer().text, useComposer().toSend]).toEqual(['Fix the parser', sends + 1])
  })

  test('one question is asked at a time', async () => {
    await ask()
    await transcript.button('Retry: send again as it is').trigger('click')
    await nextTick()
    expect(choice().exists()).toBe(false)
    await opener()?.trigger('click')
    await nextTick()
    expect(transcript.page.findAll('section')).toHaveLength(1)
  })

  test('Escape leaves everything as it is', async () => {
    await ask()
    await choice().trigger('keydown', { key: 'Escape' })
    expect(choice().exists()).toBe(false)
    expect(document.activeElement).toBe(opener()?.element)
    expect(forkSession).not.toHaveBeenCalled()
  })

  test('what keeps it from being done is said, and the question stays', async () => {
    forkSession.mockRejectedValue(new Fault('BUSY', 'another Fairlead works on it'))
    await ask()
    await press('As they are now')
    expect(choice().text()).toContain('another Fairlead works on it')
  })

  test('where there can be no draft the files are as they are', async () => {
    transcript.close()
    transcript = await TranscriptPage.open({ noCopy: { code: 'level' } })
    await ask()
    expect(choice().text()).toContain('There can be no draft. Not here: commands are not fully confined')
    expect(document.activeElement?.textContent).toContain('As they are now')
  })

  test('it is not offered in the guided tour, nor while a task is running', async () => {
    await transcript.add(...start)
    expect(opener()).toBeUndefined()
    transcript.close()
    transcript = await TranscriptPage.open({ tour: true })
    await transcript.add(...start, done)
    expect(opener()).toBeUndefined()
  })
})

test('PRE-09: what is not as it was is listed with the reason', () => {
  const missing = [
    { path: 'a.txt', why: 'others' },
    { path: '.git', why: 'unit' },
    { path: 'b.txt', why: 'freed' },
  ]
  const at = new Date(2026, 0, 3, 9, 5).getTime()
  const list = mount(PastList, { props: { past: { at, missing, more: 2, ignored: 1, inDraft: 0 } } })
  expect(list.find('summary').text()).toBe('6 paths are not as they were at Jan 3, 2026 09:05')
  expect(list.findAll('li').map((each) => each.text())).toEqual([
    'a.txt changed by others since',
    '.git changed by others since, and left as a whole',
    'b.txt what was kept of it was freed',
    '2 more paths',
    '1 file that git ignores',
  ])
})

describe('FIND-02: a conversation is forked where a task has ended', () => {
  const here = () => transcript.button('Fork: new conversation with everything up to here')

  test('and shown', async () => {
    forkAfter.mockReset().mockResolvedValue({ sessionId: 's3', pictures: [] })
    await transcript.add(...start, done)
    await here().trigger('click')
    await flushPromises()
    expect(forkAfter.mock.calls).toEqual([['run-1']])
    expect(useWindow().state?.sessionId).toBe('s3')
    expect(useComposer().text).toBe('')
  })

  test('what keeps it from being done is said, and it can be tried again', async () => {
    forkAfter.mockReset().mockRejectedValueOnce(new Fault('INTERNAL', 'the disk is full'))
    forkAfter.mockResolvedValue({ sessionId: 's3', pictures: [] })
    await transcript.add(...start, done)
    await here().trigger('click')
    await flushPromises()
    expect(transcript.text()).toContain('the disk is full')
    await transcript.page.get('.fault button').trigger('click')
    await flushPromises()
    expect(useWindow().state?.sessionId).toBe('s3')
  })
})
