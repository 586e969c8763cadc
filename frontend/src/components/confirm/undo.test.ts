// @vitest-environment node
import { afterEach, expect, it } from 'vitest'

import { language } from '../../i18n'
import { undoOf } from './words'

afterEach(() => {
  language.value = 'en'
})

it('CHG-03 says before a command what cannot be taken back', () => {
  const preview = { effect: 'command' } as const
  expect(undoOf(preview)).toBe('')
  expect(undoOf({ ...preview, undo: { quality: 'compared' } })).toBe('')
  expect(undoOf({ ...preview, undo: { quality: 'none' } })).toBe(
    'What this command changes cannot be undone.',
  )
  const lost = { quality: 'compared', lost: ['a.iso', 'b.iso'], more: 2 }
  expect(undoOf({ ...preview, undo: lost })).toContain('cannot be undone: a.iso, b.iso and 2 more.')
  expect(undoOf({ ...preview, undo: { quality: 'exact', frees: true } })).toBe(
    'To keep what this changes, what is kept of the oldest changes is deleted: these can no longer be undone.',
  )
  language.value = 'zh-CN'
  expect(undoOf({ ...preview, undo: lost })).toContain('a.iso、b.iso 以及另外 2 项')
})
