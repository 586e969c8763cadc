// @vitest-environment node
import { describe, expect, it } from 'vitest'

import type { Arguments } from '../../api/types'
import { displayOf } from '../../testing/events'
import { edited, fieldsOf, inArea, jsonOf } from './edits'

const parse = (text: string): unknown => JSON.parse(text)

const fieldsFor = (tool: string, args: Arguments) => fieldsOf(displayOf(tool)?.form ?? [], args)

function put(content: string, area: string): unknown {
  const args = { path: 'a', content }
  return parse(edited(args, fieldsFor('write_file', args) ?? [], ['a', area]))
}

describe('fieldsOf', () => {
  it('has the texts of the known tools, with what names the file fixed', () => {
    expect(fieldsFor('shell', { command: 'ls', timeout: 5 })).toEqual([
      { name: 'command', at: ['command'], text: 'ls', readOnly: false, edit: 0 },
    ])
    expect(fieldsFor('shell_start', { command: 'ls', network: true })?.map((one) => one.at)).toEqual([
      ['command'],
    ])
    expect(fieldsFor('http_get', { url: 'a' })?.map((one) => [one.name, one.readOnly])).toEqual([
      ['url', false],
    ])
    const write = fieldsFor('write_file', { path: 'a', content: 'x' })
    expect(write?.map((one) => [one.name, one.readOnly])).toEqual([
      ['path', true],
      ['content', false],
    ])
    const edits = [
      { old: 'a', new: 'b', all: true },
      { old: 'c', new: 'd' },
    ]
    const edit = fieldsFor('edit_file', { path: 'a', edits })
    expect(edit?.map((one) => [one.name, one.readOnly, one.edit, one.text])).toEqual([
      ['path', true, 0, 'a'],
      ['old', true, 1, 'a'],
      ['new', false, 1, 'b'],
      ['old', true, 2, 'c'],
      ['new', false, 2, 'd'],
    ])
  })

  it.each([
    ['shell', { comand: 'ls' }],
    ['http_get', { url: 7 }],
    ['write_file', { path: 'a' }],
    ['write_file', { path: 'a', content: 1 }],
    ['edit_file', { path: 'a', edits: [] }],
    ['edit_file', { path: 'a', edits: [null] }],
    ['edit_file', { path: 'a', edits: 'x' }],
    ['fetch', { url: 'x' }],
  ])('leaves %s %j to JSON', (tool, args) => {
    expect(fieldsFor(tool, args)).toBeUndefined()
  })
})

describe('TOOL-08 fieldsOf', () => {
  it('has what a tool names, element by element where that is of one list', () => {
    const form = [{ at: 'name' }, { at: 'rows/*/key', fixed: true }, { at: 'rows/*/text' }, { at: 'end' }]
    const rows = [
      { key: 'a', text: '1' },
      { key: 'b', text: '2' },
    ]
    const fields = fieldsOf(form, { name: 'n', rows, end: 'e' })
    expect(fields?.map((one) => `${one.at.join('/')} ${one.readOnly} ${one.edit}`)).toEqual([
      'name false 0',
      'rows/0/key true 1',
      'rows/0/text false 1',
      'rows/1/key true 2',
      'rows/1/text false 2',
      'end false 0',
    ])
  })

  it('leaves to JSON what no tool names', () => {
    expect(fieldsOf([], { path: 'a' })).toBeUndefined()
  })
})

describe('edited', () => {
  it('puts the new texts in their places and keeps everything else', () => {
    const args = {
      path: 'a',
      edits: [
        { old: 'a', new: 'b', all: true },
        { old: 'c', new: 'd' },
      ],
      extra: 1,
    }
    const fields = fieldsFor('edit_file', args) ?? []
    const areas = fields.map((one) => inArea(one.text))
    areas[0] = 'other/path'
    areas[4] = 'new\nd'
    expect(parse(edited(args, fields, areas))).toEqual({
      ...args,
      edits: [
        { old: 'a', new: 'b', all: true },
        { old: 'c', new: 'new\nd' },
      ],
    })
    expect(args.edits[1]?.new).toBe('d')
  })

  it('keeps line breaks as they were', () => {
    expect(inArea('a\r\nb\rc\n')).toBe('a\nb\nc\n')
    expect(put('a\r\nb\r', 'a\nb\n')).toMatchObject({ content: 'a\r\nb\r' })
    expect(put('a\r\nb\r\n', 'a\nc\n')).toMatchObject({ content: 'a\r\nc\r\n' })
    expect(put('a\r\nb\n', 'a\nc\n')).toMatchObject({ content: 'a\nc\n' })
    expect(put('a\nb\n', 'a\nc\n')).toMatchObject({ content: 'a\nc\n' })
  })
})

describe('jsonOf', () => {
  it('tells an object from other JSON and from none', () => {
    expect(jsonOf('{"a":1}')).toEqual({ kind: 'object' })
    for (const text of ['[]', 'null', '1', '"a"']) expect(jsonOf(text)).toEqual({ kind: 'other' })
    const fault = jsonOf('{"a":')
    expect(fault.kind === 'fault' && fault.message).toMatch(/JSON/)
  })
})
