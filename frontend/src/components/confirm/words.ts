/** What a question is about, in the words of the language that is shown. */
import type { ServerCall } from '../../api/servers'
import type { Preview, ToolError } from '../../api/types'
import { hasText, t } from '../../i18n'
import type { QuestionView } from '../../stores/view'
import { subjectOf, verbOf } from '../../text/calls'
import { autorunOf } from '../../text/notices'
import { inline } from '../../text/visible'
import { heldOf } from '../servers/words'
import { splitAddress } from './address'
import type { CommandLine } from './command'
import { countChanges } from './pending'

/** The most characters of a command that name a question. */
const maxObject = 200

/** What the call is about, on one line: a path, or the beginning of something else. */
export function objectOf(question: QuestionView): string {
  const { preview } = question
  if (preview.serverCall) return `${preview.serverCall.server} / ${preview.serverCall.tool}`
  const subject = subjectOf(question, question.arguments)
  const text = preview.command ?? preview.url ?? subject.text
  const [first = ''] = text.split('\n', 1)
  const short = first.length > maxObject || first !== text ? `${first.slice(0, maxObject)}…` : first
  const what = preview.path ?? short
  return subject.to === '' ? what : `${what} → ${subject.to}`
}

/** Reports whether the question is whether a command may have the network, and no other. */
export const asksNetwork = ({ kind, preview }: QuestionView): boolean =>
  kind === 'network' && preview.network === true

/** Reports whether a question is about what a command has changed in its copy of the folder. */
export const asksAboutCopy = ({ kind, preview }: QuestionView): boolean =>
  kind === 'changes' && (preview.changes?.length ?? 0) > 0

/** Reports whether a question is about keys in what a command has printed. */
export const asksAboutOutput = ({ kind }: QuestionView): boolean => kind === 'output'

/** The question in one sentence, for screen readers. */
export function spoken(question: QuestionView): string {
  if (asksNetwork(question)) {
    return t('confirm.network.spoken', { what: inline(objectOf(question)) })
  }
  if (asksAboutCopy(question)) {
    return t('confirm.changes.spoken', { what: inline(objectOf(question)) })
  }
  if (asksAboutOutput(question)) {
    return t('confirm.output.spoken', { what: inline(objectOf(question)) })
  }
  const asked = t('confirm.spoken', {
    what: `${verbOf(question)} ${inline(objectOf(question))}`.trim(),
  })
  const { autorun } = question.preview
  return autorun ? `${asked} — ${t('confirm.autorun', { runs: autorunOf(autorun) })}` : asked
}

/** What would happen, in a few words each. */
export function factsOf({ kind, preview }: QuestionView, shown: readonly CommandLine[]): string[] {
  if (preview.serverCall) return serverFacts(preview, preview.serverCall)
  switch (kind) {
    case 'command':
      return commandFacts(preview, shown)
    case 'edit':
    case 'changes': {
      if (preview.changes?.length) return [...countChanges(preview.changes), ...placeOf(preview)]
      const created = preview.diff?.startsWith('--- /dev/null\n') ?? false
      return [
        t(created ? 'confirm.fact.creates' : 'confirm.fact.changes'),
        t(preview.memory ? 'confirm.fact.memory' : 'confirm.fact.inside'),
        ...(preview.diff === undefined ? [] : [`+${preview.added ?? 0} −${preview.removed ?? 0}`]),
      ]
    }
    case 'network':
      if (!preview.network)
        return [t('confirm.fact.fetch', { host: inline(splitAddress(preview.url ?? '').host) })]
      return [t('confirm.fact.network'), ...placeOf(preview)]
    case 'call':
      return [t('confirm.fact.none')]
    case 'output':
      return [t('confirm.output.fact', { n: preview.keys ?? 1 })]
  }
}

/** What a call of a tool of a server means. */
function serverFacts({ url = '' }: Preview, { runs, elsewhere, hosts = [] }: ServerCall): string[] {
  const names = hosts.map(inline).join(t('servers.between'))
  return [
    elsewhere
      ? t('servers.call.sends', { address: inline(splitAddress(url || runs).host) })
      : t('servers.call.runs'),
    ...(names === '' ? [] : [t('servers.call.reaches', { hosts: names })]),
    ...(names === '' && !elsewhere ? [t('servers.grant.offline')] : []),
  ]
}

function commandFacts(preview: Preview, shown: readonly CommandLine[]): string[] {
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

/** Reports whether a command is kept from the network. */
const isOffline = ({ level, network }: Preview): boolean =>
  (level === 'full' || level === 'limited') && !network

/** Where a command starts. */
function placeOf({ folder }: Preview): string[] {
  return folder ? [t('confirm.fact.startsIn', { folder: inline(folder) })] : []
}

/** What else keeps a call within bounds: which addresses are refused. An earlier version
    said that in English only. */
export function confinementOf({ addresses, confinement = '', serverCall }: Preview): string {
  if (serverCall) return ''
  const key = `confirm.addresses.${addresses ?? ''}`
  return hasText(key) ? t(key) : inline(confinement)
}

/** How far the system confines what would run; empty where nothing is known of it. */
export function levelOf({ level = '', serverCall }: Preview): string {
  if (serverCall) return heldOf(level, serverCall.hosts ?? [], serverCall.elsewhere === true)
  return level && t(`confirm.confined.${level}`)
}

/** What could not be taken back: of the changes of a call, and of older ones; empty where all
    could. */
export function undoOf({ undo }: Preview): string {
  if (undo?.quality === 'none') return t('confirm.undo.none')
  const names = (undo?.lost ?? []).map(inline).join(t('notices.comma'))
  const sentences: string[] = []
  if (names !== '') {
    const paths = undo?.more ? t('notices.andMore', { names, n: undo.more }) : names
    sentences.push(t('confirm.undo.lost', { paths }))
  }
  if (undo?.frees) sentences.push(t('confirm.undo.frees'))
  return sentences.join(' ')
}

/** Why it asks again, or at all; empty where there is no more to it. An earlier version said
    that in English only. */
export function causeOf({ cause, reason }: QuestionView): string {
  if (cause === undefined) return inline(reason)
  const { error } = cause.data
  return t(`confirm.again.${cause.code}`, { fault: error === undefined ? '' : editFaultOf(error) })
}

/** Why an edit cannot be used: in words for its code, and those of who looked at it. */
function editFaultOf({ code, message }: ToolError): string {
  const key = `transcript.failures.${code}`
  return hasText(key) ? t('confirm.again.fault', { what: t(key), fault: inline(message) }) : inline(message)
}
