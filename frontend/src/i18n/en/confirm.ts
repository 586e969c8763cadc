export const confirm = {
  /** Above the composer, of what is answered at the side. */
  waits: { go: 'Answer', guard: 'The task has paused and asks' },
  of: '{at} of {n}',
  previous: 'Previous question',
  next: 'Next question',
  go: 'F8 leads here, and to the keys of these buttons',
  spoken: 'Needs your approval: {what}',
  fact: {
    creates: 'creates a file',
    changes: 'changes a file',
    inside: 'inside the folder',
    memory: 'outside the folder, in its memory',
    command: 'runs a command',
    lines: { other: '{n} lines' },
    commands: { other: '{n} commands' },
    offline: 'without network',
    startsIn: 'in {folder}',
    fetch: '{host} learns what is asked for',
    network: 'what it can read, it can send anywhere',
    none: 'only reads',
  },
  /** What is dangerous about a command, as marks on its lines. */
  danger: {
    deletes: 'deletes',
    forces: 'forces',
    network: 'network',
    outside: 'outside the folder',
    interpreter: 'runs what it is sent',
  },
  /** Other programs act on the file by themselves. */
  autorun: 'Runs by itself: {runs}.',
  /** What of the changes of a command cannot be taken back. */
  undo: {
    none: 'What this command changes cannot be undone.',
    lost: 'These cannot be kept, so that a change of them cannot be undone: {paths}.',
    frees:
      'To keep what this changes, what is kept of the oldest changes is deleted: these can no longer be undone.',
  },
  /** How far a command is confined. */
  confined: {
    full: 'Confined: this command can change only this folder and a private temporary one, and cannot read your other files or your keys.',
    limited:
      'Partly confined: this command can write only in this folder and cannot read your keys, but there are gaps. The details name them.',
    none: 'Not confined: this command runs with all your rights and can read your files and keys.',
  },
  /** Which addresses are refused, as the program says it. */
  addresses: {
    checked: 'Addresses of this computer and of private networks are refused.',
    unchecked:
      'The proxy of your settings resolves names, so that it is not checked whether one leads to this computer or a private network.',
  },
  /** A question of its own about a command. */
  network: {
    next: 'It also asks for the network. Whether it may have that is asked next.',
    question: 'Allow this command the network, once?',
    spoken: 'May this command have the network, once? {what}',
    dialog: 'Only the system’s own dialog can allow this. Answer there.',
    ask: 'Show the dialog',
    allow: 'Allow once',
    deny: 'Do not allow',
  },
  noCopy: 'This command works on the folder itself, not on a copy. {why}',
  /** What a command has changed in its copy of the folder. */
  /** Keys in what a command has printed. */
  output: {
    question: 'Let the model see what looks like a key?',
    spoken: 'Let the model see what looks like a key in the output of this command? {what}',
    fact: { one: '{n} key is hidden from the model', other: '{n} keys are hidden from the model' },
    label: 'Lines with hidden keys',
    reveal: 'Show the model',
    hide: 'Keep hidden',
    hideReason: 'Keep hidden and say why…',
    hideStop: 'Keep hidden and stop',
  },
  changes: {
    question: 'Keep what this command did in its copy?',
    spoken: 'Keep what this command did in its copy of the folder? {what}',
    list: 'What it changed in its copy',
    counts: {
      created: { other: '{n} new' },
      modified: { other: '{n} changed' },
      moved: { other: '{n} moved' },
      deleted: { other: '{n} deleted' },
      held: { other: '{n} held' },
    },
    held: {
      repository: 'Held: it is part of a new repository.',
      set_id: 'Held: it runs with the rights of its owner or group.',
      outside: 'Held: it leads out of the folder.',
      deletions: 'Held: many files are deleted at once.',
      meanwhile: 'Held: somebody else has changed it meanwhile.',
      merged:
        'Held: somebody else has changed it meanwhile, in other places. What is applied is both together.',
      open: 'Held: another program has it open for writing.',
    },
    show: 'Show the change of {path}',
    unit: { one: '{n} path, as a whole', other: '{n} paths, as a whole' },
    all: { other: 'Show all {n} paths' },
    apply: 'Apply',
    applyAll: 'Apply all',
    applySome: 'Apply {n} of {all}',
    applyChosen: 'Apply what is chosen',
    part: 'Apply part {n} of {all} of {path}',
    drop: 'Drop',
    dropReason: 'Drop and say why…',
    dropStop: 'Drop and stop',
  },
  /** Why it asks again, or at all. */
  again: {
    edited: 'Edited by you. This is what would happen now.',
    file_changed: 'The file changed since it was shown. This is what would happen now.',
    written: 'The model wrote this call into its text. It may have been meant as an example.',
    edit_unfit: 'Your edit cannot be used: {fault}',
    fault: '{what}: {fault}',
  },
  command: 'The whole command',
  address: 'The whole address',
  details: 'Details',
  reading: 'Reading the whole question…',
  part: 'Show all of the change to approve it.',
  approve: 'Approve',
  approveAll: 'Approve all {n}',
  unseen: 'Look at each of them first',
  reject: 'Reject',
  rejectReason: 'With reason…',
  rejectStop: 'Reject and stop',
  full: 'Full view',
  back: 'Back',
  reason: 'Reason, for the model',
  reasonHint: 'What should it do instead?',
  left: { one: '{n} second left to answer', other: '{n} seconds left to answer' },
  wait: 'Keep waiting',
  /** A guard has paused the run. */
  guard: {
    kinds: {
      doom_loop: 'The same call is repeating',
      all_failed: 'Every call failed three times in a row',
      budget: 'The budget is used up',
    },
    paused: 'The task is paused',
    spoken: 'Needs your decision: {what}',
    continue: 'Continue',
    stop: 'Stop',
    tell: 'Tell it what to do',
  },
  edit: {
    open: 'Edit',
    send: 'Preview the edit',
    /** What texts of a call are called; one that is not here has its own name. */
    names: {
      path: 'File',
      content: 'Content',
      command: 'Command',
      url: 'Address',
      old: 'Text to replace',
      new: 'New text',
    },
    numbered: '{name} {n}',
    arguments: 'Arguments as JSON',
    noJson: 'This is not JSON: {fault}',
    noObject: 'The arguments must be a JSON object: { … }',
  },
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
