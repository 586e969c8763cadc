/** The page of settings. */
export const settings = {
  title: 'Settings',
  search: 'Search settings',
  clear: 'Clear the search',
  none: 'No setting has these words.',
  found: { one: '{n} setting found', other: '{n} settings found' },
  saved: 'Saved',
  reset: 'Back to the default',
  resetOne: 'Back to the default: {name}',
  byDefault: 'By default',
  restart: 'Takes effect when Fairlead is started again.',
  variable: 'Set by the variable {name}, which goes before the settings file: unset it to change this here.',
  flag: 'Set when Fairlead was started, which goes before the settings file.',
  broken:
    'The settings file has a fault. What it said before holds, and nothing is saved until it is mended.',
  wrong: {
    number: 'A number from {low} to {high}.',
    whole: 'A whole number from {low} to {high}.',
    duration: 'A time up to 24h, such as 90s or 5m.',
  },
  sections: {
    models: 'Models',
    permissions: 'Permissions',
    limits: 'Limits',
    notifications: 'Notifications',
    appearance: 'Appearance',
    instructions: 'Instructions',
    extensions: 'Extensions',
    data: 'Data',
    shortcuts: 'Shortcuts',
    about: 'About',
  },
  start: 'Where nothing is chosen in the window',
  /** What is noted about the folder. */
  memory: {
    about:
      'What the model has noted about this folder with your approval. You can change it here. It lies outside the folder:',
    label: 'Notes',
    empty: 'Nothing is noted yet.',
    all: 'The next task begins with all of it: {n} of at most {most}.',
    part: 'It has {all}. The next task begins with the newest {n} of it, at most {most}.',
    off: 'It has {all}. No task begins with it, because the memory is off.',
    unsaved: 'Not saved yet: {n}.',
    save: 'Save',
    saving: 'Saving…',
    changed:
      'The notes were changed meanwhile. Your text is still in the field above, and nothing was saved. The notes as they are now:',
    now: 'The notes as they are now',
    take: 'Take these instead of mine',
    keep: 'Save mine in their place',
  },
  /** The settings of the file, by their names. */
  keys: {
    provider: { title: 'Provider', effect: 'A task begins with this provider.', none: 'None is set.' },
    base_url: {
      title: 'Address',
      effect: 'Models are reached at this address.',
      none: 'Models are reached at the address of the provider.',
    },
    model: { title: 'Model', effect: 'A task begins with this model.', none: 'None is set.' },
    api_key_env: {
      title: 'Variable of the key',
      effect: 'The key is read from this environment variable.',
      none: 'The key is read from the variable that the provider has by custom, or from the keyring.',
    },
    mode: {
      title: 'Way of working of fairlead run',
      effect: 'For the command line; the window always works with tools.',
      choices: { react: 'With tools', single: 'One answer without tools' },
    },
    reasoning_effort: {
      title: 'Reasoning by default',
      effect: 'Models reason this much, or the nearest that they know.',
      none: 'Models reason as they do by themselves.',
    },
    memory: {
      title: 'Memory',
      effect: 'Tasks begin with what is noted about the folder, and the model can ask to note more.',
      off: 'The model is not given what is noted about the folder, and notes nothing.',
    },
    model_titles: {
      title: 'Titles by the model',
      effect: 'The model gives conversations their titles.',
      off: 'A conversation is called by its first task.',
    },
    proxy: {
      title: 'Proxy',
      effect: 'Providers and web pages are reached by this proxy.',
      none: 'Providers and web pages are reached directly.',
    },
    ca_file: {
      title: 'Certificate authorities',
      effect: 'The authorities in this PEM file are trusted beside those of the system.',
      none: 'Only the authorities of the system are trusted.',
    },
    approve: {
      title: 'Approval in new conversations',
      effect: 'New conversations begin with this; each can be set differently.',
    },
    dialog: {
      title: 'Ask outside the page too',
      effect: 'Questions are asked in a native dialog as well, which nothing in the page can answer.',
    },
    readable_folders: {
      title: 'Folders that commands may read',
      effect: 'Commands may read these folders beside those of the system. One a line.',
      none: 'Commands may read the folder and those of the system. One a line.',
    },
    max_steps: {
      title: 'Steps',
      effect: { one: 'A task stops after {n} step.', other: 'A task stops after {n} steps.' },
    },
    run_timeout: {
      title: 'Time of a task',
      effect: 'A task stops after {n}, without the time it waits for you.',
    },
    step_timeout: {
      title: 'Silence of the model',
      effect: 'A model that says nothing for {n} is asked again.',
    },
    tool_timeout: {
      title: 'Time of a call',
      effect: 'A call of a tool is ended after {n}.',
      none: 'A call of a tool is ended after 60 seconds, a command after 2 minutes.',
    },
    confirm_timeout: { title: 'Time of a question', effect: 'What nobody answers in {n} is refused.' },
    attempts: {
      title: 'Attempts',
      effect: {
        one: 'The model is asked {n} time: no second time where that fails.',
        other: 'The model is asked up to {n} times where that fails.',
      },
    },
    parallel: {
      title: 'Calls side by side',
      effect: { one: 'Calls run one after another.', other: 'Up to {n} calls run side by side.' },
    },
    budget: {
      title: 'Tokens of a task',
      effect: 'A task asks before it goes on after {n} tokens.',
      none: 'There is no limit of tokens.',
    },
    budget_usd: {
      title: 'Money of a task',
      effect: 'A task asks before it goes on after ${n}, where the price of the model is known.',
      none: 'There is no limit of money.',
    },
    context_window: {
      title: 'Context window',
      effect: 'What a model is shown is kept below {n} tokens.',
      none: 'What a model is shown is kept below what is known of it.',
    },
    max_output_tokens: {
      title: 'Length of a reply',
      effect: 'A reply has at most {n} tokens.',
      none: 'The provider limits the length of a reply.',
    },
    temperature: {
      title: 'Temperature',
      effect: 'Models answer with the temperature {n}.',
      none: 'Models answer with their own temperature.',
    },
    command_memory: {
      title: 'Memory of a command (MiB)',
      effect: 'A command and all it starts may use {n} MiB (Linux).',
      none: 'A command and all it starts may use half of the memory (Linux).',
    },
    continue_on_error: {
      title: 'Go on after a failed call',
      effect: 'The model sees what failed and goes on.',
      off: 'A task ends after a round with a failed call.',
    },
    doom_detection: {
      title: 'Notice repetition',
      effect: 'A task stops to ask when it repeats the same calls or words.',
      off: 'A task may repeat the same calls or words without end.',
    },
    compaction: {
      title: 'Sum up long conversations',
      effect: 'What was said long ago is summed up or left out when it gets too long.',
      off: 'Nothing is left out: a conversation that gets too long ends.',
    },
    continue_message: {
      title: 'Remind of the task',
      effect: 'The model is told after each round to go on with its task.',
      off: 'The model is not reminded of its task.',
    },
    instructions: {
      title: 'Your instructions',
      effect: 'Every conversation begins with them. At most 16 KiB.',
      none: 'What you write here is told to the model in every conversation. At most 16 KiB.',
    },
    undo_space: {
      title: 'Space to undo changes (MiB)',
      effect: 'Up to {n} MiB are kept to undo changes, the newest first.',
      none: 'Up to 2048 MiB, or a tenth of what is free if that is less, are kept to undo changes.',
    },
    log_level: {
      title: 'Log',
      effect: 'The log has everything from this level on.',
      choices: {
        debug: 'Everything (debug)',
        info: 'Normal (info)',
        warn: 'Warnings (warn)',
        error: 'Errors only (error)',
      },
    },
  },
  /** What is set elsewhere than in the file, or shown. */
  parts: {
    chosen: { title: 'Models', words: 'provider key favourites endpoint reasoning' },
    ownProviders: {
      title: 'More in the settings file',
      text: 'Headers and fields of your own endpoints, and values that tools always get ([presets.TOOL], [defaults.TOOL]), are edited in the file.',
      words: 'presets defaults providers',
    },
    tools: { title: 'Tools', words: 'files search commands web pages' },
    confinement: { title: 'Confinement of commands', words: 'sandbox self-test' },
    notices: { title: 'Notices by the system', words: 'needs me done stopped' },
    language: { title: 'Language', words: 'English 简体中文' },
    theme: { title: 'Theme', words: 'light dark system' },
    zoom: { title: 'Size of everything', text: 'Also with {larger} and {smaller}.', words: 'zoom' },
    code: {
      title: 'Size of code',
      text: 'Code in answers, files and changes is shown in {n} pixels.',
      words: 'font',
    },
    wrap: {
      title: 'Wrap code in answers',
      text: 'Long lines go on in the next one, in place of being scrolled.',
      words: 'lines',
    },
    tint: {
      title: 'Changes in colour',
      text: 'What was added is also green, and what was removed red.',
      words: 'tint diff green red',
    },
    suggestions: {
      title: 'What this folder suggests',
      words: 'instructions AGENTS.md CLAUDE.md GEMINI.md skills hooks project',
    },
    servers: { title: 'MCP servers', words: 'MCP tools protocol npx JSON add server OAuth' },
    memory: { title: 'Memory of this folder', words: 'notes remember MEMORY.md' },
    undo: { title: 'Kept to undo changes', words: 'free space' },
    places: { title: 'Where everything lies', words: 'config data state log file folder path' },
    index: {
      title: 'Search index',
      text: 'Conversations are found by it. Rebuild it if something is not found.',
      words: 'rebuild',
    },
    shortcuts: { title: 'Shortcuts', words: 'keys keyboard' },
    version: { title: 'Version', words: 'Fairlead' },
    doctor: {
      title: 'Check this computer',
      text: 'Checks settings, folders, commands, confinement, keyring and providers. No key is shown.',
      words: 'doctor check self-test',
    },
  },
  open: 'Open',
  openOne: 'Open {name}',
  places: { file: 'Settings file', data: 'Conversations', state: 'State', log: 'Log' },
  index: { rebuild: 'Rebuild', rebuilding: 'Rebuilding…', done: 'Rebuilt' },
  doctor: {
    run: 'Check',
    running: 'Checking…',
    ok: 'OK',
    missing: 'Missing',
    broken: 'Broken',
    list: 'What was found',
  },
}
