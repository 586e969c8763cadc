/** What a folder suggests to models and to the programs around them. */
export const suggestions = {
  title: 'What this folder suggests',
  found: 'This folder suggests: {what}.',
  between: ', ',
  /** How much there is, by kind. */
  counts: {
    instructions: { one: '{n} file with instructions', other: '{n} files with instructions' },
    skill: { one: '{n} skill', other: '{n} skills' },
    server: { one: '{n} server', other: '{n} servers' },
    assistant: { one: '{n} file for other programs', other: '{n} files for other programs' },
  },
  look: 'Look',
  later: 'Not now',
  nothing: 'This folder suggests nothing.',
  note: 'Nothing here is used before you agree. You agree to exactly the text that you see: when it changes, you are asked again.',
  reading: 'Reading…',
  more: 'There is more than is listed here.',
  list: 'Suggestions',
  kinds: {
    instructions: 'Instructions',
    skill: 'Skills',
    server: 'Servers',
    assistant: 'For other programs',
  },
  states: { undecided: 'not decided', use: 'used', skip: 'not used', shown: 'only shown' },
  text: 'Text of {path}',
  decision: 'What becomes of {path}',
  use: 'Use',
  skip: 'Do not use',
  /** What the one that is shown is for. */
  about: {
    everywhere: 'Instructions for the model. If you use them, the model is given them with every task.',
    nearby:
      'Instructions for the model. If you use them, the model is given them once it works on files in {folder}.',
    assistant:
      'Settings or hooks of another coding assistant. They are only shown: Fairlead never runs or follows them.',
  },
  changed: 'This has changed since it was shown. Here it is as it is now: read it again before you decide.',
  hidden: 'It has hidden characters. They are shown in this form: {example}.',
  cut: 'It is cut here: {all} in all, the first {shown} are shown.',
  cutUse: 'The model is given no more than that.',
}
