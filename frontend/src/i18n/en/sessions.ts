export const sessions = {
  label: 'Conversations',
  open: 'Show the conversations',
  close: 'Hide the conversations',
  none: 'No conversations yet.',
  /** Above those that wait for an answer, and those that run. */
  waiting: 'Needs you',
  running: 'Running',
  /** Above those that run in another folder. */
  runningIn: 'Running in {folder}',
  pinnedOnes: 'Pinned',
  archivedOnes: 'Archived ({n})',
  /** What runs in one in the background. */
  commands: { one: '{n} command running', other: '{n} commands running' },
  draft: 'Draft',
  today: 'Today',
  yesterday: 'Yesterday',
  more: 'Show more',
  rename: 'Rename',
  delete: 'Delete',
  pin: 'Pin',
  unpin: 'Unpin',
  copy: 'Copy as Markdown',
  archive: 'Archive',
  unarchive: 'Unarchive',
  menu: 'More for this conversation',
  /** The same for screen readers, with what it is for. */
  menuOf: 'More for “{title}”',
  title: 'Title',
  archived: 'Archived “{title}”.',
  deleted: 'Deleted “{title}”.',
  undo: 'Undo',
  /** Said to screen readers. */
  spoken: { pinned: 'Pinned.', unpinned: 'Unpinned.', unarchived: 'Unarchived.' },
}
