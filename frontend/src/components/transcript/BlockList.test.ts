import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'

import type { Block } from '../../api/types'
import { language } from '../../i18n'
import { call } from '../../testing/events'
import { TranscriptPage } from '../../testing/transcript'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))
vi.mock('../../api/routes', () => import('../../testing/routes'))
vi.mock('../../api/events', () => ({ onEvents: () => {}, onNews: () => {} }))

let transcript: TranscriptPage

beforeEach(async () => {
  vi.useFakeTimers()
  transcript = await TranscriptPage.open()
})
afterEach(() => {
  transcript.close()
  language.value = 'en'
  vi.useRealTimers()
})

const image: Block = { type: 'image', name: 'a.png', mediaType: 'image/png', size: 2048, ref: '/fairlead/x' }

/** Has a task given with blocks, and a call that returns some. */
async function show(given: Block[], returned: Block[]): Promise<string[]> {
  await transcript.add(
    ['lifecycle.start', { prompt: 'Look', blocks: given, model: 'scripted', maxSteps: 50 }],
    ['step.started', { step: 1, maxSteps: 50 }],
    call('c1', 'shell', { command: 'ls' }),
    [
      'tool.result',
      {
        callId: 'c1',
        success: true,
        content: 'seen',
        blocks: returned,
        durationMs: 1,
        truncated: false,
        changes: [],
      },
    ],
  )
  await transcript.row('ls').trigger('click')
  return [
    ...document.querySelectorAll('[aria-label="Images and files"] li, [aria-label="图片和文件"] li'),
  ].map((line) => line.textContent)
}

describe('PART-01: what is not text', () => {
  test('is named with its type and size, where it was given and where it was returned', async () => {
    const returned: Block[] = [
      { type: 'file', path: 'b/c.bin', size: 12 },
      { type: 'resource', uri: 'db://t', mediaType: 'text/csv', size: 0 },
    ]
    expect(await show([image], returned)).toEqual([
      'Image a.png · image/png · 2.0 KB',
      'File b/c.bin · 12 B',
      'Resource db://t · text/csv',
    ])
  })

  test('is shown itself where it is a picture, and enlarged', async () => {
    const odd: Block = {
      type: 'image',
      name: 'b.svg',
      mediaType: 'image/svg+xml',
      size: 9,
      ref: '/fairlead/y',
    }
    await show([image, odd], [])
    expect([...document.querySelectorAll('.picture img')].map((img) => img.getAttribute('src'))).toEqual([
      '/fairlead/x',
    ])
    const picture = document.querySelector<HTMLElement>('[aria-label="Enlarge a.png"]')
    expect(picture?.getAttribute('aria-expanded')).toBe('false')
    picture?.click()
    await nextTick()
    expect(picture?.getAttribute('aria-expanded')).toBe('true')
  })

  test('has its words in Chinese too', async () => {
    language.value = 'zh-CN'
    expect(await show([image], [{ type: 'file', size: 3 }])).toEqual([
      '图片 a.png · image/png · 2.0 KB',
      '文件 · 3 B',
    ])
  })

  test('is shown where its type is unknown, or a cut event has none', async () => {
    const odd = [{ type: 'hologram', name: 'h\u202Ex', size: 1 }, {}] as Block[]
    expect(await show(odd, [])).toEqual(['Attachment h‹U+202E›x · 1 B', 'Attachment'])
  })
})
