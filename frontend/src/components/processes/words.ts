/** How a command is, in words. */
import type { Process } from '../../api/processes'
import { elapsed, t } from '../../i18n'
import { inline } from '../../text/visible'

/** How it is, as one of the states that have a glyph, and a word in `transcript.state`. */
export function stateOf({ running, failed, exitCode }: Process) {
  if (running) return 'running'
  if (failed !== '' || exitCode > 0) return 'failed'
  return exitCode === 0 ? 'done' : 'cancelled'
}

/** How it is in a word or two: 1:02, exit 3, SIGKILL. */
export function shortOf({ running, startedAt, failed, signal, exitCode }: Process, now: number): string {
  if (running) return elapsed(now - startedAt)
  if (failed !== '') return t('processes.short.failed')
  if (signal !== '') return inline(signal)
  return exitCode < 0 ? t('processes.short.ended') : t('transcript.exit', { code: String(exitCode) })
}

/** How it is in full. */
export function longOf(
  { running, startedAt, endedAt, failed, signal, exitCode }: Process,
  now: number,
): string {
  const time = elapsed((running ? now : endedAt) - startedAt)
  if (running) return t('processes.state.running', { time })
  if (failed !== '') return t('processes.state.failed', { why: inline(failed) })
  if (signal !== '') return t('processes.state.signal', { signal: inline(signal), time })
  if (exitCode < 0) return t('processes.state.ended', { time })
  return t('processes.state.exited', { code: String(exitCode), time })
}

/** Who waits for it, and what it is called. */
export function placeOf({ id, background }: Process): string {
  return background ? t('processes.background', { id: inline(id) }) : t('processes.foreground')
}
