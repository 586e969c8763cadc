/** What a question is about, in the words of the language that is shown. */
import type { Preview } from '../../api/types'
import { t } from '../../i18n'
import { en } from '../../i18n/en'
import { editedReason } from '../../stores/reduce'
import type { QuestionView } from '../../stores/view'
import { subjectOf, verbOf } from '../../text/calls'
import { autorunOf } from '../../text/notices'
import { inline } from '../../text/visible'
import { splitAddress } from './address'
import type { CommandLine } from './command'

/** The most characters of a command that name a question. */
const maxObject = 200

/** What the call is about, on one line: a path, or the beginning of something else. */
export function objectOf(question: QuestionView): string {
  const { preview } = question
  const text = preview.command ?? preview.url ?? subjectOf(question, question.arguments).text
  const [first = ''] = text.split('\n', 1)
  const short = first.length > maxObject || first !== text ? `${first.slice(0, maxObject)}…` : first
  return preview.path ?? short
}

/** Says whether the question is whether a command may have the network, and no other. */
export const asksNetwork = ({ effect, network }: Preview): boolean => effect === 'network' && network === true

/** The question in one sentence, for screen readers. */
export function spoken(question: QuestionView): string {
  if (asksNetwork(question.preview)) {
    return t('confirm.network.spoken', { what: inline(objectOf(question)) })
  }
  const asked = t('confirm.spoken', {
    what: `${verbOf(question)} ${inline(objectOf(question))}`.trim(),
  })
  const { autorun } = question.preview
  return autorun ? `${asked} — ${t('confirm.autorun', { runs: autorunOf(autorun) })}` : asked
}

/** What would happen, in a few words each. */
export function factsOf({ preview }: QuestionView, shown: readonly CommandLine[]): string[] {
  if (preview.effect === 'command') {
    const commands = shown.filter(({ text }) => !/^(?:do|done|then|else|fi)?[\s;|&]*$/.test(text)).length
    const lines = (preview.command ?? '').split('\n').length
    return [
      t('confirm.fact.command'),
      // Those below the first may be out of sight.
      ...(lines > 1 ? [t('confirm.fact.lines', { n: lines })] : []),
      ...(commands > 1 ? [t('confirm.fact.commands', { n: commands })] : []),
      ...(isOffline(preview) ? [t('confirm.fact.offline')] : []),
      ...placeOf(preview),
    ]
  }
  if (preview.effect === 'files') {
    const created = preview.diff?.startsWith('--- /dev/null\n') ?? false
    return [
      t(created ? 'confirm.fact.creates' : 'confirm.fact.changes'),
      t('confirm.fact.inside'),
      ...(preview.diff === undefined ? [] : [`+${preview.added ?? 0} −${preview.removed ?? 0}`]),
    ]
  }
  if (preview.effect === 'network') {
    if (!preview.network)
      return [t('confirm.fact.fetch', { host: inline(splitAddress(preview.url ?? '').host) })]
    return [t('confirm.fact.network'), ...placeOf(preview)]
  }
  return [t('confirm.fact.none')]
}

/** Says whether a command is kept from the network. */
const isOffline = ({ level, network }: Preview): boolean =>
  (level === 'full' || level === 'limited') && !network

/** Where a command starts. */
function placeOf({ folder }: Preview): string[] {
  return folder ? [t('confirm.fact.startsIn', { folder: inline(folder) })] : []
}

/** What else keeps a call within bounds; the program says it in English. */
export function confinementOf(sentence: string): string {
  const { checked, unchecked } = en.confirm.addresses
  if (sentence === checked) return t('confirm.addresses.checked')
  return sentence === unchecked ? t('confirm.addresses.unchecked') : inline(sentence)
}

/** Why it asks again, or at all; the program says it in English. */
export function reasonOf(reason: string): string {
  if (reason === editedReason) return t('confirm.again.edited')
  if (reason === 'the file changed since it was shown') return t('confirm.again.changed')
  if (reason === 'the model wrote this call into its text') return t('confirm.again.written')
  const unfit = /^edited, but ([\s\S]*)$/.exec(reason)?.[1]
  return unfit === undefined ? inline(reason) : t('confirm.again.unfit', { fault: inline(unfit) })
}
