/** What a text names that could be a file, and a line of it. */
export interface NamedFile {
  name: string
  /** From 1; 0 where none is named. */
  line: number
}

/** How long a name may be that is looked up, in characters. */
const most = 300
/** A path without spaces, then :41, :41:7, :41-45, #L41 or #L41-L45. */
const form = /^([^\s:#<>|*?"'`$;]+)(?::(\d{1,7})(?:[:-]\d{1,7})?|#L(\d{1,7})(?:-L?\d{1,7})?)?$/

/** The file that a text could name; null where it cannot be one: without a slash or an ending. */
export function namedFile(text: string): NamedFile | null {
  if (text.length > most) return null
  const [, name = '', colon, hash] = form.exec(text.trim()) ?? []
  if (!/[^/.]\/[^/]|[^/]\.[^/.]/.test(name) || name.startsWith('-') || name.endsWith('/')) return null
  return { name, line: Number(colon ?? hash ?? 0) }
}
