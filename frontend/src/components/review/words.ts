/** A change in words. */
import type { ReviewRow } from '../../api/types'
import { hasText, size, t } from '../../i18n'
import { inline } from '../../text/visible'

/** What was done to a path; empty where its lines say it all. */
export function opOf({ op, from }: ReviewRow): string {
  const key = `review.ops.${from ? 'moved' : op}`
  return hasText(key) ? t(key) : ''
}

/** What has become of it; empty where it is as the run left it. */
export function stateOf({ state }: ReviewRow): string {
  const key = `review.states.${state}`
  return hasText(key) ? t(key) : ''
}

/** Lines added and removed; empty for none. */
export const countsOf = ({ added, removed }: Pick<ReviewRow, 'added' | 'removed'>): string =>
  added + removed > 0 ? `+${added} −${removed}` : ''

/** What is to be known of a change beside its lines, a sentence each. */
export function aboutRow(row: ReviewRow): string[] {
  const { before, after, unit, lost = '', from } = row
  const facts: string[] = []
  if (row.state !== 'applied') {
    const key = `review.losses.${lost}`
    facts.push(t(`review.about.${row.state}`, { why: hasText(key) ? t(key) : '' }))
  }
  if (from) facts.push(t('review.movedFrom', { path: inline(from) }))
  if (unit) facts.push(t('review.unit', { name: inline(unit) }))
  if (row.during) facts.push(t('review.during'))
  if (before.mode && after.mode && before.mode !== after.mode) {
    facts.push(t('review.mode', { before: before.mode, after: after.mode }))
  }
  if (before.target && after.target && before.target !== after.target) {
    facts.push(t('review.targets', { before: inline(before.target), after: inline(after.target) }))
  } else if (after.target || before.target) {
    facts.push(t('review.target', { path: inline(after.target || before.target || '') }))
  }
  return facts
}

/** How much a file held before and after. */
export function bytesOf({ before, after }: ReviewRow): string {
  const [was, is] = [before, after].map((side) => (side.mode === undefined ? '' : size(side.size ?? 0)))
  return was && is ? t('review.bytes', { before: was, after: is }) : was || is || ''
}
