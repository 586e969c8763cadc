/** What is not as it was in a draft that began with the folder of an earlier time. */
import type { PastFolder } from '../api/types'
import { hasText, t } from '../i18n'

/** How many paths are not as they were. */
export function missingIn(past: PastFolder | null): number {
  return past ? past.missing.length + past.more + past.ignored + past.inDraft : 0
}

/** Why a path is not as it was, by one of change.Absence or change.Loss. */
export function absenceOf(why: string): string {
  const key = `review.past.why.${why}`
  return t(hasText(key) ? key : 'review.past.why.others')
}
