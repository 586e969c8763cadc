/** Changes that a command has made in its copy of the folder, in words. */
import type { Held, PendingChange } from '../../api/types'
import { hasText, t } from '../../i18n'
import { isApplied, type LeftOut, rowsOf } from '../../stores/leftOut'
import { autorunOf } from '../../text/notices'
import { parseDiff } from '../diff/parse'

/** What becomes of a path; empty where its lines say it all. */
export function kindOf({ op, from }: PendingChange): string {
  const key = `review.ops.${from ? 'moved' : (op ?? '')}`
  return hasText(key) ? t(key) : ''
}

/** Why a change is held. */
export function heldOf({ code, autorun }: Held): string {
  if (code === 'autorun') return t('confirm.autorun', { runs: autorunOf(autorun ?? '') })
  const key = `confirm.changes.held.${code}`
  return hasText(key) ? t(key) : code
}

/** The most lines of a diff whose parts are offered one by one. */
const maxLines = 2000

/** Reports whether a diff has several parts, and is not too long to choose from them. */
export function hasParts(diff: string): boolean {
  const { hunks, rows } = parseDiff(diff)
  return hunks.length > 1 && rows.length <= maxLines
}

/** What applying is called, where something may be left out. */
export function applyText(changes: readonly PendingChange[], leftOut: LeftOut): string {
  if (leftOut.hunks.size > 0) return t('confirm.changes.applyChosen')
  if (leftOut.paths.size === 0) return t('confirm.changes.applyAll')
  const rows = rowsOf(changes)
  return t('confirm.changes.applySome', {
    n: rows.filter((row) => isApplied(leftOut, row)).length,
    all: rows.length,
  })
}

/** How many rows become what, and how many are held, in a few words each. */
export function countChanges(changes: readonly PendingChange[]): string[] {
  const counts = { created: 0, modified: 0, moved: 0, deleted: 0, held: 0 }
  for (const { kind, from, held } of rowsOf(changes)) {
    if (held) counts.held++
    if (from) counts.moved++
    else if (kind === 'created' || kind === 'modified' || kind === 'deleted') counts[kind]++
  }
  return (['created', 'modified', 'moved', 'deleted', 'held'] as const).flatMap((kind) =>
    counts[kind] > 0 ? [t(`confirm.changes.counts.${kind}`, { n: counts[kind] })] : [],
  )
}
