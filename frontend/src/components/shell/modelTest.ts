/** What a test of a model found, step by step: the address, the key, the model, its
    calls. */
import { Fault } from '../../api/fault'
import type { ModelChoice, TestedModel } from '../../api/types'
import { span, t } from '../../i18n'
import { hostOf } from './address'

export type StepName = 'reached' | 'key' | 'model' | 'tools'

export interface TestStep {
  name: StepName
  /** `cancelled` is for what does not hold, and may still do. */
  state: 'done' | 'cancelled' | 'failed'
  /** What holds; empty where there is a fault. */
  text: string
  fault?: Fault
}

/** A test that was made: what was asked, and what came of it. One of the two is null. */
export interface TestReport {
  asked: ModelChoice
  /** A key went with it. */
  keyed: boolean
  found: TestedModel | null
  fault: Fault | null
}

/** Where a test fails, by the code of its fault. */
const places: Readonly<Record<string, StepName>> = {
  NETWORK: 'reached',
  TIMEOUT: 'reached',
  MALFORMED: 'reached',
  OVERLOADED: 'reached',
  AUTH: 'key',
  QUOTA: 'key',
  NO_KEY: 'key',
  RATE_LIMITED: 'key',
  MODEL_NOT_FOUND: 'model',
}
/** Of these, what the model's own answer can still say; all else is about its calls. */
const later: ReadonlySet<string> = new Set(['AUTH', 'QUOTA', 'NO_KEY', 'MODEL_NOT_FOUND'])

/** The step that a fault belongs to; undefined where it is none of the provider's. */
export const placeOf = (code: string): StepName | undefined => places[code]

const done = (name: StepName, text: string): TestStep => ({ name, state: 'done', text })
const unsure = (name: StepName, text: string): TestStep => ({ name, state: 'cancelled', text })
const failed = (name: StepName, fault: Fault): TestStep => ({ name, state: 'failed', text: '', fault })

/** The steps of a test, for the model that is named by now and the models that were listed. */
export function stepsOf(report: TestReport, model: string, models: readonly string[]): TestStep[] {
  const { asked, keyed, found, fault } = report
  const answers = t('welcome.model.steps.answers', { host: hostOf(asked.baseUrl) })
  if (fault !== null) {
    const place = placeOf(fault.code) ?? 'tools'
    if (place === 'reached') return [failed('reached', fault)]
    return [done('reached', answers), failed(place, fault)]
  }
  if (found === null) return []
  const steps = [done('reached', `${answers} · ${span(found.ms)}`)]
  // What the model did says nothing about another one.
  const probed = asked.model !== '' && asked.model === model
  const refused = probed ? faultAt(found) : undefined
  if (refused?.name === 'key') return [...steps, refused]
  if (keyed && found.keyChecked) steps.push(done('key', t('welcome.model.steps.accepted')))
  else if (keyed && found.listed) steps.push(unsure('key', t('welcome.model.steps.unchecked')))
  if (refused?.name === 'model') return [...steps, refused]
  steps.push(listing(found, probed, model, models))
  const calls = refused ?? (probed ? answer(found) : undefined)
  return calls === undefined ? steps : [...steps, calls]
}

/** Why the model did not answer, at the step that this belongs to. */
function faultAt({ toolsFault }: TestedModel): TestStep | undefined {
  if (!toolsFault) return undefined
  const { code, message, hint } = toolsFault
  const place = later.has(code) ? (placeOf(code) ?? 'tools') : 'tools'
  return failed(place, new Fault(code, message, hint))
}

function listing(found: TestedModel, probed: boolean, model: string, models: readonly string[]): TestStep {
  const answers = probed && found.tools !== ''
  const n = found.total
  // There are models that no list has.
  if (answers && !(found.listed && models.includes(model)))
    return done('model', t('welcome.model.steps.modelAnswers', { model }))
  if (!found.listed) return unsure('model', t('welcome.model.steps.noList'))
  if (model === '') return done('model', t('welcome.model.steps.listed', { n }))
  if (models.includes(model)) return done('model', t('welcome.model.steps.known', { model, n }))
  return unsure('model', t('welcome.model.steps.unknown', { model, n }))
}

function answer({ tools, toolsMs }: TestedModel): TestStep | undefined {
  if (tools === 'called') return done('tools', t('welcome.model.steps.called', { time: span(toolsMs) }))
  if (tools === 'ignored') return unsure('tools', t('welcome.model.steps.ignored'))
  return undefined
}
