// @vitest-environment node
import { afterEach, describe, expect, it } from 'vitest'

import { language } from '../../i18n'
import { entry, noon } from '../../testing/sessions'
import { groupsOf } from './days'

afterEach(() => {
  language.value = 'en'
})

const at = (month: number, day: number, hour = 12, year = 2026) => new Date(year, month, day, hour).getTime()
const folder = { path: '/home/ada/notes', name: 'notes' }

describe('UI-05 the conversations by day', () => {
  const listed = [
    entry('other', { updatedAt: at(0, 1), mark: 'running', folder }),
    entry('asks', { updatedAt: at(0, 1), mark: 'waiting', folder }),
    entry('soon', { updatedAt: noon + 60_000 }),
    entry('dawn', { updatedAt: at(7, 12, 0) }),
    entry('eve', { updatedAt: at(7, 11, 23) }),
    entry('days', { updatedAt: at(7, 6) }),
    entry('week', { updatedAt: at(7, 5) }),
    entry('july', { updatedAt: at(6, 30) }),
    entry('june', { updatedAt: at(6, 1) }),
    entry('past', { updatedAt: at(11, 31, 12, 2025) }),
    entry('works', { updatedAt: at(6, 1), mark: 'running' }),
    entry('serves', { updatedAt: at(6, 1), processes: 1 }),
    entry('serves elsewhere', { updatedAt: at(6, 1), processes: 1, folder }),
    entry('in letters', { mark: 'running', folder: { path: '/home/ada/letters', name: 'letters' } }),
    entry('kept', { updatedAt: at(0, 1), pinned: true }),
    entry('kept and runs', { mark: 'running', pinned: true }),
    entry('asks elsewhere', { mark: 'waiting', folder }),
  ]

  it.each([
    [
      'en',
      ['Needs you', 'Running', 'Running in notes', 'Running in letters', 'Pinned'],
      ['Today', 'Yesterday', 'Thursday', 'August', 'July', 'December 2025'],
    ],
    [
      'zh-CN',
      ['需要你处理', '运行中', '在 notes 中运行', '在 letters 中运行', '已置顶'],
      ['今天', '昨天', '星期四', '八月', '七月', '2025年12月'],
    ],
  ] as const)('UI-11 have headings in %s', (chosen, headings, days) => {
    language.value = chosen
    const groups = groupsOf(listed, noon)
    expect(groups.map((group) => group.title)).toEqual([...headings, ...days])
    expect(groups.map((group) => group.entries.map(({ id }) => id))).toEqual([
      ['asks', 'asks elsewhere'],
      ['works', 'serves', 'kept and runs'],
      ['other', 'serves elsewhere'],
      ['in letters'],
      ['kept'],
      ['soon', 'dawn'],
      ['eve'],
      ['days'],
      ['week'],
      ['july', 'june'],
      ['past'],
    ])
  })

  it('know a day by the calendar, not by its hours', () => {
    const [group] = groupsOf([entry('late', { updatedAt: at(7, 11, 23) })], at(7, 12, 1))
    expect(group?.title).toBe('Yesterday')
  })
})
