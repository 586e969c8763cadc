/** How much the model in use reasons. */
import { computed } from 'vue'

import type { Effort } from '../../api/types'
import { t } from '../../i18n'
import { useWindow } from '../../stores/window'

const efforts = ['', 'off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export const effortName = (effort: Effort): string => t(`models.current.efforts.${effort || 'own'}`)

/** The choice of it; `use` is what chooses. */
export function useEffort(use: (effort: Effort) => unknown) {
  const app = useWindow()
  const model = computed(() => app.state?.model ?? null)
  /** It reasons, or nothing is known of it: a price is known of those that are listed. */
  const can = computed(() => {
    if (model.value === null) return false
    const { reasons, priced, price } = model.value
    return reasons || !priced || (price.prompt === 0 && price.completion === 0)
  })
  const options = computed(() => efforts.map((value) => ({ value, text: effortName(value) })))
  const chosen = computed({
    get: () => model.value?.effort ?? '',
    set: (wanted) => void use(wanted),
  })
  return { can, options, chosen }
}
