/** Asks a provider about the model that is named in a form. */
import { computed, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import { readModels } from '../../api/routes'
import type { ModelChoice } from '../../api/types'
import { placeOf, stepsOf, type TestReport } from './modelTest'

/** What of the form the tester works with. */
interface Tested {
  /** The model that is named by now. */
  named: ComputedRef<string>
  where: () => Pick<ModelChoice, 'provider' | 'baseUrl' | 'key'>
  /** Reports whether a key goes with a test. */
  keyed: (asked: ModelChoice) => boolean
  busy: Ref<string>
  /** What is none of the provider's faults. */
  fault: ShallowRef<Fault | null>
}

export function useModelTester({ named, where, keyed, busy, fault }: Tested) {
  /** What the last test of this provider, address and key found. */
  const report = shallowRef<TestReport | null>(null)
  /** The models that it listed. */
  const models = shallowRef<string[]>([])
  const steps = computed(() =>
    report.value === null ? [] : stepsOf(report.value, named.value, models.value),
  )

  /** Makes the last test void. */
  function forgetTest(): void {
    report.value = null
    models.value = []
  }

  /** Does something that leaves the last test as it is. */
  function keepTest(act: () => void): void {
    const kept = { report: report.value, models: models.value }
    act()
    report.value = kept.report
    models.value = kept.models
  }

  /** Tests a choice; without a model it stops after the list. Reports whether the provider answered. */
  async function ask(asked: ModelChoice): Promise<boolean> {
    if (busy.value !== '') return false
    busy.value = 'test'
    fault.value = null
    report.value = null
    const sent = { asked, keyed: keyed(asked) }
    // What was changed meanwhile was not tested.
    const changed = (): boolean => {
      const { baseUrl, key } = where()
      return baseUrl !== asked.baseUrl || key !== asked.key
    }
    try {
      const found = await bridge.testModel(asked)
      const listed = found.listed ? await readModels() : []
      if (changed()) return false
      report.value = { ...sent, found, fault: null }
      models.value = listed
      return true
    } catch (reason) {
      const failed = faultOf(reason)
      if (changed()) return false
      if (placeOf(failed.code) === undefined) fault.value = failed
      else report.value = { ...sent, found: null, fault: failed }
      return false
    } finally {
      busy.value = ''
    }
  }

  return { models, steps, forgetTest, keepTest, ask }
}
