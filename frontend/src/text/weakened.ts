/** What of a request goes out weaker than it was asked for, in the words of the language that
    is shown. */
import { hasText, t } from '../i18n'
import type { WeakenedItem } from '../stores/view'

/** What is weaker, and where the user can do something about it, what. */
export function weakenedOf(item: WeakenedItem): string {
  const { what, asked, sent, window = 0 } = item
  if (what === 'tools' && window > 0) return smallWindow(item, window)
  const levels = { asked: levelOf(what, asked), sent: levelOf(what, sent) }
  const key = `transcript.weakened.${what === 'pictures' && sent === '0' ? 'noPictures' : what}`
  return hasText(key) ? t(key, levels) : t('transcript.weakened.unknown', levels)
}

/** An effort or a protocol as the user knows it; one that a later version names stays as it is. */
function levelOf(what: string, level: string): string {
  if (what === 'effort') {
    const key = `models.current.efforts.${level === '' ? 'own' : level}`
    if (hasText(key)) return t(key)
  }
  const key = `transcript.protocol.${level}`
  return hasText(key) ? t(key) : level
}

/** That the model takes few tokens at once, and how that is changed where it is served. */
function smallWindow({ asked, sent, server = '' }: WeakenedItem, window: number): string {
  const key = `transcript.window.widen.${server}`
  return [
    t(sent === asked ? 'transcript.window.small' : 'transcript.window.fewTools', { window, sent, asked }),
    t(hasText(key) ? key : 'transcript.window.widen.elsewhere'),
  ].join('\n')
}
