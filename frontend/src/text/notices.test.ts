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

it.each([
  ['en', 'you have taken back the changes in a.txt, b.txt and 3 more'],
  ['zh-CN', '您已撤销对 a.txt、b.txt 以及另外 3 项 的更改'],
] as const)('CHG-05 says in %s what was taken back', (chosen, words) => {
  language.value = chosen
  expect(noticeOf({ code: 'undone', data: { paths: ['a.txt', 'b.txt'], count: 3 } })).toBe(words)
})
