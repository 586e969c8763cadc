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

it.each([
  [
    'instructions',
    'en',
    'docs/AGENTS.md has instructions for the files near it, which the model is given from now on',
  ],
  [
    'instructions_left_out',
    'en',
    'docs/AGENTS.md has instructions for the files near it, which the model is not given: you have not agreed to them as they are now',
  ],
  [
    'instructions_full',
    'en',
    'docs/AGENTS.md has instructions for the files near it, which the model is not given: all instructions together may have 32 KB',
  ],
  ['instructions', 'zh-CN', 'docs/AGENTS.md 中有针对邻近文件的说明，从现在起交给模型'],
  [
    'instructions_left_out',
    'zh-CN',
    'docs/AGENTS.md 中有针对邻近文件的说明，未交给模型：你尚未同意其现在的内容',
  ],
  ['instructions_full', 'zh-CN', 'docs/AGENTS.md 中有针对邻近文件的说明，未交给模型：全部说明合计最多 32 KB'],
] as const)('EXT-05 says of %s in %s what the model is given', (code, chosen, words) => {
  language.value = chosen
  expect(noticeOf({ code, data: { path: 'docs/AGENTS.md' } })).toBe(words)
})
