/** What a conversation's mark is shown as; the words are in the section `transcript.state`. */
import type { SessionEntry } from '../../api/types'
import { t } from '../../i18n'
import { inline } from '../../text/visible'

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

/** How a conversation is, in words; its folder is left out where something else names it. */
export function wordsOf({ mark, draft, processes, folder }: SessionEntry, named = false): string {
  const words = [
    !named && folder && inline(folder.name),
    draft && t('sessions.draft'),
    processes > 0 && t('sessions.commands', { n: processes }),
    t(`transcript.state.${signOf(mark)}`),
  ]
  return words.filter(Boolean).join(', ')
}
