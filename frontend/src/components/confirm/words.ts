/** What a question is about, in the words of the language that is shown. */
import { hasText, t } from '../../i18n'
import { en } from '../../i18n/en'
import { editedReason } from '../../stores/reduce'
import type { QuestionView } from '../../stores/view'
import { inline } from '../../text/visible'

/** The most characters of a command that name a question. */
const maxObject = 200

/** What the tool does: Write, Run; the tool's own name where there is no word for it. */
export function verbOf(toolName: string): string {
  const key = `confirm.verb.${toolName}`
  return hasText(key) ? t(key) : inline(toolName)
}

/** What the call is about, on one line: a path, or the beginning of a command. */
export function objectOf({ preview }: QuestionView): string {
  const command = preview.command ?? ''
  const [first = ''] = command.split('\n', 1)
  const short = first.length > maxObject || first !== command ? `${first.slice(0, maxObject)}…` : first
  return preview.path ?? short
}

/** The question in one sentence, for screen readers. */
export function spoken(question: QuestionView): string {
  return t('confirm.spoken', { what: `${verbOf(question.toolName)} ${inline(objectOf(question))}`.trim() })
}

/** What would happen, in a few words each. */
export function factsOf({ preview }: QuestionView, commands: number): string[] {
  if (preview.effect === 'command') {
    const lines = (preview.command ?? '').split('\n').length
    return [
      t('confirm.fact.command'),
      // Those below the first may be out of sight.
      ...(lines > 1 ? [t('confirm.fact.lines', { n: lines })] : []),
      ...(commands > 1 ? [t('confirm.fact.commands', { n: commands })] : []),
      ...(preview.folder ? [t('confirm.fact.startsIn', { folder: inline(preview.folder) })] : []),
    ]
  }
  if (preview.effect === 'files') {
    const created = preview.diff?.startsWith('--- /dev/null\n') ?? false
    return [
      t(created ? 'confirm.fact.creates' : 'confirm.fact.changes'),
      t('confirm.fact.inside'),
      `+${preview.added ?? 0} −${preview.removed ?? 0}`,
    ]
  }
  return [t('confirm.fact.none')]
}

/** What keeps a command from the rest of the computer; the program says it in English. */
export function confinementOf(sentence: string): string {
  return sentence === en.confirm.unconfined ? t('confirm.unconfined') : sentence
}

/** Why it asks again, or at all; the program says it in English. */
export function reasonOf(reason: string): string {
  if (reason === editedReason) return t('confirm.again.edited')
  if (reason === 'the file changed since it was shown') return t('confirm.again.changed')
  if (reason === 'the model wrote this call into its text') return t('confirm.again.written')
  const unfit = /^edited, but ([\s\S]*)$/.exec(reason)?.[1]
  return unfit === undefined ? inline(reason) : t('confirm.again.unfit', { fault: inline(unfit) })
}
