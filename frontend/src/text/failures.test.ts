// @vitest-environment node
import { afterEach, expect, test } from 'vitest'

import type { FailData } from '../api/types'
import { language } from '../i18n'
import { failureOf, guardOf } from './failures'

afterEach(() => {
  language.value = 'en'
})

test.each([
  [
    'doom_loop',
    { toolName: 'shell', calls: 1, times: 5 },
    'The same call of shell came 5 times in a row.',
    '对 shell 的同一调用连续出现了 5 次。',
  ],
  [
    'doom_loop',
    { toolName: 'shell', calls: 2, times: 3 },
    'The same 2 calls, the last one of shell, came 3 times in a row.',
    '相同的 2 个调用（最后一个是 shell）连续出现了 3 次。',
  ],
  ['all_failed', { rounds: 3 }, 'Every call failed in 3 rounds in a row.', '连续 3 轮调用全部失败。'],
  [
    'budget',
    { used: 10_200, most: 10_000, unit: 'tokens' },
    '10,200 of 10,000 tokens are used.',
    '已使用 10,200 / 10,000 个 token。',
  ],
  ['budget', { used: 0.5, most: 0.25, unit: 'usd' }, '$0.50 of $0.25 are used.', '已花费 $0.50 / $0.25。'],
  ['max_steps', { maxSteps: 50 }, 'The limit of 50 steps is reached.', '已达到 50 步的上限。'],
  ['doom_loop', {}, 'its own words', 'its own words'],
  ['another', { rounds: 3 }, 'its own words', 'its own words'],
])('EV-10: %s with %j in both languages', (kind, data, english, chinese) => {
  expect(guardOf(kind, data, 'its own words')).toBe(english)
  language.value = 'zh-CN'
  expect(guardOf(kind, data, 'its own words')).toBe(chinese)
})

test.each<[string, FailData | undefined, string, string]>([
  ['AUTH', undefined, 'its own words', 'its own words'],
  [
    'AUTH',
    { cause: 'provider', httpStatus: 401, said: 'no such\nkey' },
    'The provider answered with HTTP 401.\n“no such‹U+000A›key”',
    '服务商返回了 HTTP 401。\n“no such‹U+000A›key”',
  ],
  ['OVERLOADED', { cause: 'provider', said: 'busy' }, '“busy”', '“busy”'],
  [
    'RATE_LIMITED',
    { cause: 'provider', httpStatus: 429, waitMs: 90_000 },
    'The provider answered with HTTP 429.\nThe provider asks to wait 1:30.',
    '服务商返回了 HTTP 429。\n服务商要求等待 1:30。',
  ],
  [
    'TIMEOUT',
    { cause: 'silence', limitMs: 30_000 },
    'The model sent nothing of its answer for 0:30. Check that it is running.',
    '模型在 0:30 内没有返回任何内容。请检查它是否在运行。',
  ],
  [
    'DOOM_LOOP',
    { cause: 'guard', guard: 'all_failed', guardData: { rounds: 3 }, by: 'timeout' },
    'Every call failed in 3 rounds in a row. Nobody answered whether to go on.',
    '连续 3 轮调用全部失败。 无人回答是否继续。',
  ],
  ['CANCELLED', { cause: 'plain' }, '', ''],
  ['STORAGE', { cause: 'plain', said: 'disk full' }, '“disk full”', '“disk full”'],
])('EV-10: %s with %j in both languages', (code, data, english, chinese) => {
  expect(failureOf(code, data, 'its own words')).toBe(english)
  language.value = 'zh-CN'
  expect(failureOf(code, data, 'its own words')).toBe(chinese)
})
