export const search = {
  label: 'Search conversations',
  titles: 'Titles',
  messages: 'Messages',
  none: 'Nothing was found.',
  short: 'Type at least two characters.',
  more: 'There are more. Type more of it to see them.',
  you: 'You',
  assistant: 'Assistant',
  find: {
    label: 'Find in this conversation',
    older: 'Older',
    newer: 'Newer',
    close: 'Close',
    count: '{at} of {n}',
    countMore: '{at} of {n} or more',
    none: 'Not found',
  },
}
