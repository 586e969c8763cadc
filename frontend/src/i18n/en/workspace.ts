export const workspace = {
  tree: {
    label: 'Files',
    empty: 'Empty',
    more: { one: 'Only the first entry is listed.', other: 'Only the first {n} entries are listed.' },
    secret: 'holds keys or passwords, tools do not read it',
    link: 'link',
  },
  /** What became of a file. */
  mark: {
    created: 'new',
    modified: 'modified',
    deleted: 'deleted',
    touched: 'changed',
    inside: 'changes inside',
  },
  refresh: 'Read the folder again',
  limited: 'Not everything is watched: {why}',
  preview: {
    label: 'Preview',
    none: 'Choose a file to look at it here.',
    close: 'Close the file',
    reading: 'Reading…',
    binary: 'This file is no text.',
    empty: 'The file is empty.',
    content: 'Content of the file',
    truncated: 'The file goes on; only its beginning is shown.',
  },
}
