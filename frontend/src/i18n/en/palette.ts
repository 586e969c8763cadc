export const palette = {
  label: 'Search for actions, conversations, files and models',
  none: 'Nothing fits.',
  /** Under the list. */
  hint: '> actions · # conversations · @ files · : models',
  file: 'File',
  model: 'Model',
  keys: {
    title: 'Keyboard shortcuts',
    window: 'Everywhere',
    field: {
      title: 'In the message field',
      send: 'Send',
      line: 'New line',
      sendNow: 'Send now, in place of the running task',
      name: 'Name a file or folder',
      command: 'Choose what to do',
      edit: 'Edit the last message, where nothing is written',
      stop: 'Stop the task',
    },
    question: {
      title: 'When you are asked',
      approve: 'Approve',
      reject: 'Reject',
      reason: 'Reject with a reason',
      edit: 'Edit',
      full: 'Show all of it',
    },
    conversation: {
      title: 'In the conversation',
      rows: 'Next row, row before',
      open: 'Open or close a row',
      end: 'Go to the end',
    },
    list: {
      title: 'In the list of conversations',
      rows: 'Move',
      rename: 'Rename',
      delete: 'Delete',
    },
  },
}
