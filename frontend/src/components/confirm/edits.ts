/** What a person may edit of a call before it runs. */
import type { Arguments } from '../../api/types'

/** A text of a call's arguments. */
export interface Field {
  name: 'path' | 'content' | 'command' | 'url' | 'old' | 'new'
  /** Where it is in the arguments. */
  at: (string | number)[]
  text: string
  readOnly: boolean
  /** Which of several edits it belongs to, from 1; 0 where there is one. */
  edit: number
}

/**
 * The texts of a call, to edit one by one; undefined where the arguments are not
 * those of a known tool, and are to be edited as JSON.
 */
export function fieldsOf(toolName: string, args: Arguments): Field[] | undefined {
  switch (toolName) {
    case 'shell':
    case 'shell_start':
      return all([field('command', ['command'], args.command)])
    case 'http_get':
      return all([field('url', ['url'], args.url)])
    case 'write_file':
      return all([field('path', ['path'], args.path), field('content', ['content'], args.content)])
    case 'edit_file':
      return editFields(args)
  }
  return undefined
}

function editFields({ path, edits }: Arguments): Field[] | undefined {
  if (!Array.isArray(edits) || edits.length === 0) return undefined
  const fields = edits.flatMap((edit: unknown, i) => {
    const { old, new: text } = (edit ?? {}) as Arguments
    const number = edits.length > 1 ? i + 1 : 0
    return [field('old', ['edits', i, 'old'], old, number), field('new', ['edits', i, 'new'], text, number)]
  })
  return all([field('path', ['path'], path), ...fields])
}

const fixed: ReadonlySet<Field['name']> = new Set(['path', 'old'])

function field(name: Field['name'], at: Field['at'], text: unknown, edit = 0): Field | undefined {
  return typeof text === 'string' ? { name, at, text, readOnly: fixed.has(name), edit } : undefined
}

function all(fields: (Field | undefined)[]): Field[] | undefined {
  const found = fields.filter((one) => one !== undefined)
  return found.length === fields.length ? found : undefined
}

/** A text as a text area holds it: it knows no line break but LF. */
export const inArea = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/**
 * The arguments, as JSON, with the texts that the areas hold. A text that was not
 * touched stays as it is to the byte, and one with CR LF throughout keeps that.
 */
export function edited(args: Arguments, fields: readonly Field[], areas: readonly string[]): string {
  // They may be a reactive proxy, which structuredClone refuses.
  const copy: unknown = JSON.parse(JSON.stringify(args))
  for (const [i, { at, text, readOnly }] of fields.entries()) {
    const area = areas[i]
    if (readOnly || area === undefined || area === inArea(text)) continue
    put(
      copy,
      at,
      /\r\n/.test(text) && !/(?<!\r)\n|\r(?!\n)/.test(text) ? area.replaceAll('\n', '\r\n') : area,
    )
  }
  return JSON.stringify(copy)
}

function put(into: unknown, at: Field['at'], text: string): void {
  let place = into as Record<string | number, unknown>
  for (const step of at.slice(0, -1)) place = place[step] as Record<string | number, unknown>
  const last = at.at(-1)
  if (last !== undefined) place[last] = text
}

/** What an edited text is: an object's JSON, other JSON, or none, and then why. */
export type Json = { kind: 'object' } | { kind: 'other' } | { kind: 'fault'; message: string }

export function jsonOf(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    const object = typeof value === 'object' && value !== null && !Array.isArray(value)
    return { kind: object ? 'object' : 'other' }
  } catch (cause) {
    return { kind: 'fault', message: (cause as Error).message }
  }
}
