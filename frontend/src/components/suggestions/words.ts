/** What is said of suggestions. */
import type { Suggested, Suggestion } from '../../api/types'
import { hasText, t } from '../../i18n'
import type { GlyphState } from '../base/StateGlyph.vue'

/** What a folder suggests, in short: 2 files with instructions, 1 skill. */
export function countsOf(suggested: readonly Suggested[], of: 'all' | 'undecided'): string {
  return suggested
    .filter((one) => one[of] > 0)
    .map(({ kind, [of]: n }) => {
      const key = `suggestions.counts.${kind}`
      return hasText(key) ? t(key, { n }) : `${n} ${kind}`
    })
    .join(t('suggestions.between'))
}

/** What suggestions of a kind are called. */
export function kindOf(kind: string): string {
  const key = `suggestions.kinds.${kind}`
  return hasText(key) ? t(key) : kind
}

/** What was decided about one, and the sign for it. */
export function stateOf({ canUse, decision }: Suggestion): { text: string; glyph: GlyphState | null } {
  if (!canUse) return { text: t('suggestions.states.shown'), glyph: null }
  switch (decision) {
    case 'use':
      return { text: t('suggestions.states.use'), glyph: 'done' }
    case 'skip':
      return { text: t('suggestions.states.skip'), glyph: 'cancelled' }
    default:
      return { text: t('suggestions.states.undecided'), glyph: 'waiting' }
  }
}

/** What one is for; empty where that is not known. */
export function aboutOf({ kind, path }: Suggestion): string {
  if (kind === 'assistant') return t('suggestions.about.assistant')
  if (kind !== 'instructions') return ''
  const at = path.lastIndexOf('/')
  return at < 0
    ? t('suggestions.about.everywhere')
    : t('suggestions.about.nearby', { folder: path.slice(0, at + 1) })
}
