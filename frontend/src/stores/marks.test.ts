// @vitest-environment node
import { describe, expect, it } from 'vitest'

import type { Change } from '../api/types'
import { call, eventsOf, type Step, viewOf } from '../testing/events'
import { callMarks, deletedBy, folderOf, foldersAbove } from './marks'

const change = (path: string, kind: string): Change => ({ path, kind, added: 1, removed: 0 })

function changed(callId: string, ...changes: Change[]): Step[] {
  const result = { callId, success: true, content: '', durationMs: 1, truncated: false, changes }
  return [call(callId, 'write_file', {}), ['tool.result', result]]
}

const marks = (...steps: Step[][]) => Object.fromEntries(callMarks([viewOf(eventsOf(steps.flat()))]))

describe('callMarks', () => {
  it('has the sum of what the calls did', () => {
    expect(
      marks(
        changed('1', change('new', 'created'), change('old', 'modified'), change('gone', 'deleted')),
        changed('2', change('new', 'modified'), change('gone', 'created'), change('old', 'deleted')),
        changed('3', change('short', 'created')),
        changed('4', change('short', 'deleted')),
      ),
    ).toEqual({ new: 'created', old: 'deleted', gone: 'modified' })
  })

  it('goes over all runs of the conversation', () => {
    const runs = [changed('1', change('a', 'created')), changed('2', change('b', 'modified'))].map((steps) =>
      viewOf(eventsOf(steps)),
    )
    expect([...callMarks(runs)]).toEqual([
      ['a', 'created'],
      ['b', 'modified'],
    ])
  })
})

describe('deletedBy', () => {
  it('DESK-09: is the last run that deleted the file', () => {
    const runs = ['1', '2', '3'].map((id) =>
      viewOf(eventsOf(changed(id, change('a', id === '3' ? 'created' : 'deleted')), `run-${id}`)),
    )
    expect(deletedBy(runs, 'a')).toBe('run-2')
    expect(deletedBy(runs, 'b')).toBeUndefined()
  })
})

describe('folders', () => {
  it('are the parts of a path but the last', () => {
    expect(folderOf('a/b/c')).toBe('a/b')
    expect(folderOf('a')).toBe('')
    expect(folderOf('')).toBe('')
    expect([...foldersAbove(['a/b/c', 'a/d', 'e'])].toSorted()).toEqual(['a', 'a/b'])
  })
})
