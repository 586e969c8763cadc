export const processes = {
  label: 'Commands of this conversation',
  chosen: 'The chosen command',
  none: 'Nothing running.',
  /** Where it runs. */
  background: 'in the background as {id}',
  foreground: 'a call waits for it',
  network: 'has the network',
  /** How far it is confined, in a word. */
  level: { full: 'Confined', limited: 'Partly confined', none: 'Not confined' },
  /** How it is, beside its command. */
  short: { failed: 'not run', ended: 'ended' },
  /** The same in full. */
  state: {
    running: 'running for {time}',
    exited: 'exited with code {code} after {time}',
    signal: 'ended by {signal} after {time}',
    ended: 'ended after {time}',
    failed: 'was not run: {why}',
  },
  kill: 'Kill',
  /** Stands for its name where it has none. */
  unnamed: 'this command',
  sure: 'Kill {name} and all that it started?',
  keep: 'Keep it running',
  killed: 'Killed {name}.',
  move: 'Move to background',
  moved: 'Moved to the background as {id}.',
  output: 'Output',
  copy: 'Copy the output',
  silent: 'No output.',
  lost: 'Earlier output is no longer kept.',
}
