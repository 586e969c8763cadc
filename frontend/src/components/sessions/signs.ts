/** What a conversation's mark is shown as; the words are in the section `transcript.state`. */
export type Sign = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled'

/** The signs of marks; what was stopped in whatever way has one and the same. */
const signs: Readonly<Record<string, Sign>> = {
  running: 'running',
  waiting: 'waiting',
  completed: 'done',
  error: 'failed',
  timeout: 'failed',
  filtered: 'failed',
  context_overflow: 'failed',
}

/** The sign for a mark: running, waiting, or why the last run ended. */
export const signOf = (mark: string): Sign => signs[mark] ?? 'cancelled'
