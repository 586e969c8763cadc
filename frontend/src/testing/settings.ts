/** The settings of a test, as the program lists them. */
import type { Setting, SettingsList } from '../api/types'

/** A setting with the default it has in the program, as far as the page cares. */
export const settingOf = (key: string, more: Partial<Setting> = {}): Setting => ({
  key,
  kind: 'text',
  choices: [],
  low: 0,
  high: 0,
  default: '',
  value: more.default ?? '',
  from: 'default',
  variable: `FAIRLEAD_${key.toUpperCase()}`,
  restart: false,
  ...more,
})

const whole = (key: string, low: number, high: number, more: Partial<Setting> = {}): Setting =>
  settingOf(key, { kind: 'whole', low, high, ...more })
const time = (key: string, usual: string): Setting => settingOf(key, { kind: 'duration', default: usual })
const truth = (key: string, usual: string): Setting => settingOf(key, { kind: 'switch', default: usual })
const oneOf = (key: string, choices: string[], usual = ''): Setting =>
  settingOf(key, { choices, default: usual })

/** All settings, in the order of the program. */
export const all: readonly Setting[] = [
  settingOf('provider'),
  settingOf('base_url'),
  settingOf('model'),
  settingOf('api_key_env'),
  oneOf('approve', ['ask', 'preview', 'draft', 'writes', 'none'], 'ask'),
  oneOf('mode', ['react', 'single'], 'react'),
  whole('max_steps', 1, 500, { default: '50' }),
  time('run_timeout', '30m'),
  time('step_timeout', '2m'),
  time('tool_timeout', ''),
  time('confirm_timeout', '5m'),
  whole('attempts', 1, 20, { default: '5' }),
  whole('parallel', 1, 64, { default: '8' }),
  whole('budget', 0, 1_000_000_000, { default: '0' }),
  whole('context_window', 0, 100_000_000, { default: '0' }),
  truth('continue_on_error', 'true'),
  truth('doom_detection', 'true'),
  truth('compaction', 'true'),
  oneOf('log_level', ['debug', 'info', 'warn', 'error'], 'info'),
  settingOf('budget_usd', { kind: 'number', low: 0.001, high: 1_000_000 }),
  truth('continue_message', 'false'),
  settingOf('instructions'),
  oneOf('reasoning_effort', ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']),
  whole('max_output_tokens', 0, 1_000_000, { default: '0' }),
  settingOf('temperature', { kind: 'number', low: 0, high: 2 }),
  settingOf('proxy'),
  settingOf('ca_file'),
  settingOf('readable_folders', { restart: true }),
  whole('command_memory', 64, 1_073_741_824, { restart: true }),
  whole('undo_space', 16, 1_073_741_824, { restart: true }),
  truth('model_titles', 'true'),
  truth('memory', 'true'),
  oneOf('dialog', ['always', 'background', 'never']),
]

/** The list of the program, with some settings as given. */
export const listOf = (given: readonly Setting[] = [], more: Partial<SettingsList> = {}): SettingsList => ({
  settings: all.map((each) => given.find(({ key }) => key === each.key) ?? each),
  config: '/home/ada/.config/fairlead',
  data: '/home/ada/.local/share/fairlead',
  state: '/home/ada/.local/state/fairlead',
  file: '/home/ada/.config/fairlead/config.toml',
  log: '/home/ada/.local/state/fairlead/logs/fairlead.log',
  fault: '',
  ...more,
})
