// @vitest-environment node
import { afterEach, expect, it } from 'vitest'

import { language } from '../i18n'
import { noticeOf } from './notices'

afterEach(() => {
  language.value = 'en'
})

it.each([
  ['en', 'the tools of notes are missing in this run: no route'],
  ['zh-CN', '这次运行缺少 notes 提供的工具：no route'],
] as const)('TOOL-08 says in %s that tools are missing', (chosen, words) => {
  language.value = chosen
  expect(noticeOf({ code: 'tools_missing', data: { toolset: 'notes', error: 'no route' } })).toBe(words)
})
