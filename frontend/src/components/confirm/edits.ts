/** What the user may edit of a call before it runs. */
import type { Arguments, FormField } from '../../api/types'

/** A text of a call's arguments. */
export interface Field {
  /** The argument, or the name of a part of one. */
  name: string
  /** Where it is in the arguments. */
  at: (string | number)[]
  text: string
  readOnly: boolean
  /** Which of several elements of a list it belongs to, from 1; 0 where there is one. */
  edit: number
}

/** Stands for every element of a list. */
const each = '/*/'

/**
 * The texts of a call, to edit one by one; undefined where the arguments do not have all
 * that the form names, and are to be edited as JSON.
 */
export function fieldsOf(form: readonly FormField[], args: Arguments): Field[] | undefined {
  const fields: (Field | undefined)[] = []
  for (let i = 0; i < form.length; i++) {
    const { at, fixed = false } = form[i] as FormField
    const [list = '', part] = at.split(each)
    if (part === undefined) {
      fields.push(field(list, [list], args[list], fixed))
      continue
    }
    // What is named of the same list belongs together, element by element.
    const parts = form.slice(i).filter((one) => one.at.startsWith(list + each))
    fields.push(...elementsOf(list, parts, args[list]))
    i += parts.length - 1
  }
  const found = fields.filter((one) => one !== undefined)
  return found.length === fields.length && found.length > 0 ? found : undefined
}

/** The texts of the elements of a list; one undefined where it is none or empty. */
function elementsOf(list: string, parts: readonly FormField[], value: unknown): (Field | undefined)[] {
  if (!Array.isArray(value) || value.length === 0) return [undefined]
  return value.flatMap((element: unknown, i) =>
    parts.map(({ at, fixed = false }) => {
      const name = at.slice(list.length + each.length)
      const text = ((element ?? {}) as Arguments)[name]
      return field(name, [list, i, name], text, fixed, value.length > 1 ? i + 1 : 0)
    }),
  )
}

function field(name: string, at: Field['at'], text: unknown, readOnly: boolean, edit = 0): Field | undefined {
  return typeof text === 'string' ? { name, at, text, readOnly, edit } : undefined
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
