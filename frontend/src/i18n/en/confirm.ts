export const confirm = {
  diff: {
    label: 'Changes: lines added {added}, removed {removed}',
    gap: { one: '{n} unchanged line', other: '{n} unchanged lines' },
    endless: 'no line break at the end of the file',
    crlf: 'Every line ends with CR LF.',
    empty: 'No line changes.',
    cut: 'This is only the beginning.',
    all: { one: 'Show all of it', other: 'Show all {n} lines' },
  },
}
