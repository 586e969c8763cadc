/* What the program lists of the settings file, and finds on this computer. */

/** Key, kind, default, value, where that comes from, range and words. @type {[string, string, string, string, string, number, number, string][]} */
const rows = [
  ['provider', 'text', '', '', 'default', 0, 0, ''],
  ['base_url', 'text', '', '', 'default', 0, 0, ''],
  ['model', 'text', '', '', 'default', 0, 0, ''],
  ['api_key_env', 'text', '', '', 'default', 0, 0, ''],
  ['approve', 'text', 'ask', 'preview', 'file', 0, 0, 'ask preview draft writes none'],
  ['mode', 'text', 'react', 'react', 'default', 0, 0, 'react single'],
  ['max_steps', 'whole', '50', '80', 'file', 1, 500, ''],
  ['run_timeout', 'duration', '30m', '30m', 'default', 0, 0, ''],
  ['step_timeout', 'duration', '2m', '2m', 'default', 0, 0, ''],
  ['tool_timeout', 'duration', '', '', 'default', 0, 0, ''],
  ['confirm_timeout', 'duration', '5m', '5m', 'default', 0, 0, ''],
  ['attempts', 'whole', '5', '5', 'default', 1, 20, ''],
  ['parallel', 'whole', '8', '4', 'variable', 1, 64, ''],
  ['budget', 'whole', '0', '0', 'default', 0, 1000000000, ''],
  ['context_window', 'whole', '0', '0', 'default', 0, 100000000, ''],
  ['continue_on_error', 'switch', 'true', 'true', 'default', 0, 0, ''],
  ['doom_detection', 'switch', 'true', 'true', 'default', 0, 0, ''],
  ['compaction', 'switch', 'true', 'true', 'default', 0, 0, ''],
  ['log_level', 'text', 'info', 'info', 'default', 0, 0, 'debug info warn error'],
  ['budget_usd', 'number', '', '', 'default', 0.001, 1000000, ''],
  ['continue_message', 'switch', 'false', 'false', 'default', 0, 0, ''],
  ['instructions', 'text', '', '', 'default', 0, 0, ''],
  ['reasoning_effort', 'text', '', '', 'default', 0, 0, 'off minimal low medium high xhigh max'],
  ['max_output_tokens', 'whole', '0', '0', 'default', 0, 1000000, ''],
  ['temperature', 'number', '', '0.2', 'file', 0, 2, ''],
  ['proxy', 'text', '', '', 'default', 0, 0, ''],
  ['ca_file', 'text', '', '', 'default', 0, 0, ''],
  ['readable_folders', 'text', '', '', 'default', 0, 0, ''],
  ['command_memory', 'whole', '', '', 'default', 64, 1073741824, ''],
  ['undo_space', 'whole', '', '', 'default', 16, 1073741824, ''],
  ['memory', 'switch', 'true', 'true', 'default', 0, 0, ''],
  ['model_titles', 'switch', 'true', 'true', 'default', 0, 0, ''],
  ['dialog', 'text', '', '', 'default', 0, 0, 'always background never'],
]

const atStart = new Set(['log_level', 'readable_folders', 'command_memory', 'undo_space'])
const home = '/home/ada'

export const settingsList = {
  settings: rows.map(([key, kind, usual, value, from, low, high, words]) => ({
    key,
    kind,
    choices: words === '' ? [] : words.split(' '),
    low,
    high,
    default: usual,
    value,
    from,
    variable: `FAIRLEAD_${key.toUpperCase()}`,
    restart: atStart.has(key),
  })),
  config: `${home}/.config/fairlead`,
  data: `${home}/.local/share/fairlead`,
  state: `${home}/.local/state/fairlead`,
  file: `${home}/.config/fairlead/config.toml`,
  log: `${home}/.local/state/fairlead/logs/fairlead.log`,
  fault: '',
}

export const findings = [
  { name: 'settings', state: 'ok', detail: `${settingsList.file} (defaults for what it does not say)` },
  { name: 'folders', state: 'ok', detail: `data in ${settingsList.data}, log in ${settingsList.state}` },
  { name: 'changes', state: 'ok', detail: '14 MB of at most 2048 MB keep what can be taken back' },
  { name: 'commands', state: 'ok', detail: "the system's shell runs" },
  {
    name: 'keyring',
    state: 'missing',
    detail: 'no program of the session keeps keys; install one, such as gnome-keyring',
  },
  { name: 'openai', state: 'broken', detail: 'OPENAI_API_KEY has a space in it: it is no key' },
]
