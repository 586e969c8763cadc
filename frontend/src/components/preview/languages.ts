/** What a file is written in, by its name. */

const endings: Record<string, string> = {
  bash: 'bash sh zsh',
  cpp: 'c cc cpp cxx h hh hpp',
  css: 'css less scss',
  diff: 'diff patch',
  go: 'go',
  java: 'java',
  javascript: 'cjs js jsx mjs',
  json: 'json jsonl webmanifest',
  python: 'py pyi',
  rust: 'rs',
  sql: 'sql',
  typescript: 'cts mts ts tsx',
  xml: 'htm html rss svg vue xhtml xml',
  yaml: 'yaml yml',
}

const languages = new Map(
  Object.entries(endings).flatMap(([language, names]) => names.split(' ').map((name) => [name, language])),
)

/** How a text can be read besides as it is written. */
export type Kind = 'markdown' | 'table' | 'text'

const endingOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** The language of a file's code; empty where it is not known. */
export const languageOf = (path: string): string => languages.get(endingOf(path)) ?? ''

/** What kind of text a file is. */
export function kindOf(path: string): Kind {
  switch (endingOf(path)) {
    case 'md':
    case 'markdown':
      return 'markdown'
    case 'csv':
    case 'tsv':
      return 'table'
    default:
      return 'text'
  }
}
