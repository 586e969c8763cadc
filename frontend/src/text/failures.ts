/** What a guard measured and why something failed, in the words of the language that is
    shown. Sentences of the program are shown only where it said nothing else. */
import type { FailData, GuardData } from '../api/types'
import { dollars, elapsed, hasText, number, t } from '../i18n'
import { inline } from './visible'

/** What a guard measured; its English sentence where that is not known. */
export function guardOf(kind: string, data: GuardData, sentence: string): string {
  const { toolName = '', calls = 0, times = 0, rounds = 0, used = 0, most = 0, unit, maxSteps = 0 } = data
  if (kind === 'doom_loop' && times > 0) {
    const name = inline(toolName)
    return t(calls > 1 ? 'guards.cycle' : 'guards.call', { name, calls, n: times })
  }
  if (kind === 'all_failed' && rounds > 0) return t('guards.rounds', { n: rounds })
  if (kind === 'budget' && most > 0) {
    const amount = unit === 'usd' ? dollars : number
    return t(unit === 'usd' ? 'guards.dollars' : 'guards.tokens', { used: amount(used), most: amount(most) })
  }
  if (kind === 'max_steps' && maxSteps > 0) return t('guards.steps', { n: maxSteps })
  return sentence
}

/** Why something failed, in as many sentences as there is to tell beside the words for its
    code; the program's English one where it said nothing else. */
export function failureOf(code: string, data: FailData | undefined, sentence: string): string {
  if (data === undefined) return sentence
  const { said = '', waitMs = 0 } = data
  return [
    causeOf(code, data),
    said === '' ? '' : t('failures.said', { said: inline(said) }),
    waitMs === 0 ? '' : t('failures.wait', { time: elapsed(waitMs) }),
  ]
    .filter(Boolean)
    .join('\n')
}

function causeOf(code: string, data: FailData): string {
  const { cause, limitMs = 0, httpStatus = 0, guard = '', guardData = {}, by = '' } = data
  switch (cause) {
    case 'plain': {
      const key = `failures.plain.${code}`
      return hasText(key) ? t(key) : ''
    }
    case 'provider':
      return httpStatus === 0 ? '' : t('failures.status', { status: String(httpStatus) })
    case 'guard': {
      const key = `failures.by.${by}`
      return [guardOf(guard, guardData, ''), hasText(key) ? t(key) : ''].filter(Boolean).join(' ')
    }
    default: {
      const key = `failures.causes.${cause}`
      return hasText(key) ? t(key, { time: elapsed(limitMs) }) : ''
    }
  }
}
