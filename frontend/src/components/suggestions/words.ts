/** What is said of suggestions. */
import type { LeftOut, Skill, Suggested, Suggestion } from '../../api/types'
import { hasText, size, t } from '../../i18n'
import { inline } from '../../text/visible'
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
  if (kind === 'skill') return t('suggestions.skill.about')
  if (kind !== 'instructions') return ''
  const at = path.lastIndexOf('/')
  return at < 0
    ? t('suggestions.about.everywhere')
    : t('suggestions.about.nearby', { folder: path.slice(0, at + 1) })
}

/** What is odd about a skill, and what it wants and is not given. */
export function remarksOf({ allowedTools, warnings = [] }: Skill): string[] {
  const odd = warnings.flatMap(({ code, text = '', count = 0 }) => {
    const key = `suggestions.skill.warnings.${code}`
    return hasText(key) ? [t(key, { text, n: count })] : []
  })
  return allowedTools ? [t('suggestions.skill.tools', { tools: allowedTools }), ...odd] : odd
}

/** The files of a skill, to choose from. */
export const filesOf = ({ files }: Skill): { value: string; text: string }[] =>
  files.map(({ path, bytes, executable, link, secret }) => {
    const facts = [
      link ? t('suggestions.skill.link', { to: link }) : size(bytes),
      executable && t('suggestions.skill.program'),
      secret && t('suggestions.skill.secret'),
    ]
    return { value: path, text: inline([path, ...facts.filter(Boolean)].join(' · ')) }
  })

/** Why a skill cannot be used. */
export function reasonOf({ reason, detail }: LeftOut): string {
  const key = `suggestions.skill.reasons.${reason}`
  const words = hasText(key) ? t(key) : reason
  return detail ? `${words}: ${detail}` : words
}
