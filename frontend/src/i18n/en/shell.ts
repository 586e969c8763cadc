export const shell = {
  seconds: '{n} s',
  skip: 'Skip to the message field',
  starting: 'Starting…',
  close: 'Close',
  folder: {
    none: 'No folder',
    label: 'Folder: {name}',
    panel: 'Folder',
    choose: 'Choose folder…',
    recent: 'Recent folders',
    drop: 'Or drop a folder here.',
    create: 'New workspace',
    name: 'Name of the new workspace',
    make: 'Create',
    under: 'It is made in {path}.',
    gone: 'The folder moved or was deleted.',
  },
  talk: 'Conversation in {name}',
  conversation: 'New conversation',
  model: {
    none: 'No model',
    label: 'Model: {name}',
    panel: 'Model',
    tour: 'Guided tour',
    use: 'Use this model',
    using: 'Saving…',
  },
  approve: {
    panel: 'What is asked about',
    label: 'Approval: {name}',
    ask: 'Ask first',
    askNote: 'File changes and commands wait for you.',
    preview: 'Show first',
    previewNote: 'Commands run in a copy of the folder. You decide what of it counts.',
    writes: 'Edits pass',
    writesNote: 'File changes pass, commands wait for you.',
    none: 'Read only',
    noneNote: 'Whatever would change something is refused.',
    /** Where commands can work on a copy of the folder. */
    offer:
      'With Show first, commands run without a question in a copy of your folder, and you are asked about what they changed.',
    next: 'Holds in this conversation: approval from the next call on, tools from the next task on.',
  },
  /** Why commands cannot work on a copy of the folder. */
  noCopy: {
    level: 'Not here: commands are not fully confined on this computer.',
    mount: 'Not in this folder: another file system or subvolume lies at {path}.',
    owner: 'Not in this folder: {path} belongs to another user or group.',
    system: 'Not here: the system refuses it ({detail}).',
    failed: 'Not in this folder: it could not be looked at ({detail}).',
  },
  tools: {
    label: 'Tools',
    /** The groups of tools, by name. */
    groups: { file: 'Files', search: 'Search', shell: 'Commands', web: 'Web pages' },
    /** Beside what is asked about, where some are switched off. */
    without: 'without {names}',
    /** Between two names. */
    between: ', ',
  },
  moved: {
    bar: 'A folder that was moved',
    found: {
      one: 'This folder used to be at {from}. {n} conversation still points there.',
      other: 'This folder used to be at {from}. {n} conversations still point there.',
    },
    take: 'Take them over',
    leave: 'Leave them',
  },
  instructions: {
    found: 'This folder has instructions for the model ({name}, {size}).',
    label: 'Instructions for the model ({name}, {size})',
    bar: 'Instructions for the model',
    show: 'Show',
    use: 'Use',
    skip: 'Leave out',
  },
  settings: {
    panel: 'Settings',
    language: 'Language',
    theme: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
    english: 'English',
    chinese: '简体中文',
    /** How far commands are confined on this computer. */
    confined: {
      full: 'Commands are confined: they can change only this folder, and cannot use the network or read your keys.',
      limited:
        'Commands are partly confined: they can write only in this folder and cannot read your keys, but there are gaps.',
      none: 'Commands are not confined: they run with all your rights.',
    },
    /** When questions are asked in native dialogs too. */
    dialogs: {
      label: 'Ask outside the page too',
      always: 'Always',
      background: 'Only when Fairlead is not in front',
      never: 'Never',
    },
    /** What is kept to undo changes. */
    undo: {
      space: 'Kept to undo changes: {used} of {limit}',
      free: 'Free…',
      sure: 'What tasks have changed so far can no longer be undone then.',
      freeNow: 'Free it',
    },
    version: 'Fairlead {version}',
  },
  desk: {
    label: 'Side panel',
    open: 'Show the side panel',
    close: 'Hide the side panel',
    width: 'Width of the side panel',
    files: 'Files',
    preview: 'Preview',
    processes: 'Processes',
    /** The same while some run in the background. */
    running: 'Processes {n}',
    tabs: 'What the side panel shows',
  },
  composer: {
    form: 'Task',
    label: 'Message',
    placeholder: 'What is to be done?',
    busy: 'Message… (queued until this step ends)',
    send: 'Send',
    queue: 'Queue',
    /** Ends the task cooperatively. */
    interrupt: 'Stop after this step',
    stop: 'Stop',
    stopping: 'Stopping…',
    again: 'Press Esc again to stop.',
    tour: 'The guided tour takes no other task.',
  },
  /** At the end of the guided tour. */
  tour: {
    label: 'End of the guided tour',
    text: 'This was the guided tour. It is not saved. Now choose a folder and a model of your own.',
    files: 'Its sample files are in',
    leave: 'Choose a folder and a model',
  },
  empty: {
    title: 'What is to be done in {name}?',
    noFolder: 'No folder is chosen yet.',
    readme: 'Sum up {file} in five sentences.',
    tests: 'Run the tests and explain what fails.',
    tidy: 'What is in this folder? Say what each part is for.',
    write: 'Write a README.md that says what this folder is for.',
    todo: 'Find the notes that say what is left to do, and list them.',
  },
  status: {
    label: 'Task running',
    step: 'step {step}/{max}',
    tokens: '{n} tok',
    /** How full the model's context is; the same in numbers on request. */
    context: 'ctx {n}',
    contextOf: 'Context: {n} of {window} tokens',
    contextUsed: 'Context: {n} tokens',
    interrupted: 'Stopping after this step…',
    background: { one: '{n} process', other: '{n} processes' },
  },
  spoken: {
    started: 'The task began.',
    finished: { one: 'Done after {n} step and {time}.', other: 'Done after {n} steps and {time}.' },
    stopped: 'Stopped by you.',
    failed: 'The task ended without success.',
    copied: 'Copied.',
  },
  closing: {
    label: 'Closing the window',
    text: 'A task is running.',
    quit: 'Stop it and quit',
    stay: 'Stay',
    stopping: 'Stopping…',
  },
  warnings: 'Warnings',
}
