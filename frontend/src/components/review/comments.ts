/** The message that comments on lines make. */
import { t } from '../../i18n'
import type { LineComment } from '../../stores/review'

/** The most of a line that is quoted, in characters. */
const maxQuoted = 200

/** Comments as a message to the model: each with its place and its line. */
export function commentsText(comments: readonly LineComment[]): string {
  const parts = comments.map(({ path, line, removed, code, text }) => {
    const place = t(removed ? 'review.messageGone' : 'review.messageLine', { path, n: String(line) })
    const quoted = code.trim() === '' ? [] : [`> ${code.trim().slice(0, maxQuoted)}`]
    return [place, ...quoted, text].join('\n')
  })
  return [t('review.message'), ...parts].join('\n\n')
}
