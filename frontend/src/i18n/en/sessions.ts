export const sessions = {
  label: 'Conversations',
  open: 'Show the conversations',
  close: 'Hide the conversations',
  none: 'No conversations yet.',
  /** Above those that wait for an answer, and those that run. */
  waiting: 'Needs you',
  running: 'Running',
  draft: 'Draft',
  today: 'Today',
  yesterday: 'Yesterday',
  more: 'Show more',
  rename: 'Rename',
  delete: 'Delete',
  /** The same for screen readers, with what it is done to. */
  renameOne: 'Rename “{title}”',
  deleteOne: 'Delete “{title}”',
  title: 'Title',
  deleted: 'Deleted “{title}”.',
  undo: 'Undo',
}
