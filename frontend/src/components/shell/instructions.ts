/** The instructions for the model that lie in the folder, and what is decided about them. */
import { computed, ref, shallowRef } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import { size } from '../../i18n'
import { useWindow } from '../../stores/window'
import { inline } from '../../text/visible'

export function useInstructions() {
  const app = useWindow()
  /** A decision is on its way. */
  const deciding = ref(false)
  const fault = shallowRef<Fault | null>(null)
  /** What there is; null where there are none. */
  const found = computed(() => app.state?.instructions ?? null)
  /** Their name and size, for the texts about them. */
  const about = computed(() => ({
    name: inline(found.value?.path ?? ''),
    size: size(found.value?.bytes ?? 0),
  }))

  async function decide(use: boolean): Promise<void> {
    if (deciding.value) return
    deciding.value = true
    fault.value = null
    try {
      await bridge.setInstructions(use)
    } catch (reason) {
      fault.value = faultOf(reason)
    }
    await app.refresh()
    deciding.value = false
  }

  return { found, about, deciding, fault, decide }
}
