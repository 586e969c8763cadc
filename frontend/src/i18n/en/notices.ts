/** What the user should know beside a result. */
export const notices = {
  label: 'Fairlead noticed',
  created: '{path} is new: {runs}',
  modified: '{path} was changed: {runs}',
  more: { other: '{n} more like that: {runs}' },
  /** A command could change the file while it ran. */
  notPinned: '{path} could be changed while the command ran: {runs}',
  /** A command tried to, and could not. */
  pinned: '{path} is read-only while commands run: {runs}',
  /** Where tools come from has failed. */
  toolsMissing: 'the tools of {name} are missing in this run: {error}',
  /** A call touched a file near some that tells the model how to work on those. */
  instructions: {
    given: '{path} has instructions for the files near it, which the model is given from now on',
    leftOut:
      '{path} has instructions for the files near it, which the model is not given: you have not agreed to them as they are now',
    full: '{path} has instructions for the files near it, which the model is not given: all instructions together may have 32 KB',
  },
  /** The user has taken back, or made again, what earlier calls changed. */
  undone: 'you have taken back the changes in {paths}',
  redone: 'you have made the changes again in {paths}',
  applied: 'you have applied what was set aside in {paths}',
  draftApplied: 'you have applied the draft in {paths}',
  draftDropped: 'you have dropped the draft, with what was changed in {paths}',
  dropped: 'you have dropped what was set aside in {paths}',
  partlyUndone: 'you have taken parts of the changes back, or made them again, in {paths}',
  forked: 'you have gone back to this point; the files are as they are now',
  forkedDraft: 'you have gone back to this point; the files are as they were then, in a draft',
  forkedDraftBut:
    'you have gone back to this point; the files are as they were then, in a draft, but not {paths}',
  comma: ', ',
  andMore: { other: '{names} and {n} more' },
  /** Why not everything was looked at. */
  gaps: {
    entries: 'Not everything was looked at: {path} has too many entries.',
    time: 'Not everything was looked at: there was no time left.',
    unreadable: 'Not everything was looked at: {path} cannot be read.',
    settings:
      'Not everything was looked at: git’s settings in {path} cannot be read, or include too many files.',
  },
  /** Of a command in the background, named by its id. */
  process: 'After command {id}: {text}',
  /** What the programs do that act on a file by themselves. */
  autorun: {
    git: 'git runs what it says',
    editor: 'editors can run what it says when the folder is opened',
    assistant: 'coding assistants follow what it says',
    shell: 'shells and terminals can run what it says when they start',
    environment: 'it decides which programs run when the project is used',
    task: 'task runners and git hooks run what it says',
    ci: 'a CI service runs what it says after a push',
    programs: 'other programs run what it says',
  },
}
