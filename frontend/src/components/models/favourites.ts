/** The models that are kept to be chosen again, and what is done with a model. */
import { computed, ref, shallowRef } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import type { Effort, SavedModel } from '../../api/types'
import { t } from '../../i18n'
import { useShell } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import { inline } from '../../text/visible'
import { announce } from '../base/announce'
import { wantedModel } from './wanted'

/** Reports whether both are the same model at the same place, however much it reasons. */
export const isSame = (a: Place, b: Place): boolean =>
  a.provider === b.provider && a.baseUrl === b.baseUrl && a.model === b.model

type Place = Pick<SavedModel, 'provider' | 'baseUrl' | 'model'>

export function useFavourites() {
  const app = useWindow()
  const shell = useShell()
  const busy = ref(false)
  const fault = shallowRef<Fault | null>(null)
  const all = computed(() => app.state?.favourites ?? [])

  const find = (model: SavedModel): SavedModel | undefined => all.value.find((each) => isSame(each, model))

  /** How much a model reasons, as it was chosen for it last. */
  function effortOf(model: Place): Effort {
    const { model: current = null, recentModels = [] } = app.state ?? {}
    const known = [...(current === null ? [] : [current]), ...recentModels, ...all.value]
    return known.find((each) => isSame(each, model))?.effort ?? ''
  }

  /** Does one thing at a time; reports whether it worked. */
  async function act(work: () => Promise<unknown>): Promise<boolean> {
    if (busy.value) return false
    busy.value = true
    fault.value = null
    try {
      await work()
    } catch (reason) {
      fault.value = faultOf(reason)
    }
    await app.refresh()
    busy.value = false
    return fault.value === null
  }

  /** Keeps a model, or keeps it no longer. */
  function toggle(model: SavedModel): Promise<boolean> {
    const kept = find(model)
    const { provider, title, baseUrl, model: name, effort } = model
    return act(() =>
      kept === undefined
        ? bridge.favour({ provider, title, baseUrl, model: name, effort })
        : bridge.unfavour(kept),
    )
  }

  /** Chooses a model, with the key that is known for it; reports whether that worked. Where none is
      known, it leads to the form for it. */
  async function use(model: SavedModel, effort: Effort = model.effort): Promise<boolean> {
    const { provider, title, baseUrl, model: name } = model
    const chosen = await act(async () => {
      await bridge.checkKey({ provider, title, baseUrl, model: name, effort })
      await bridge.chooseModel({ provider, baseUrl, model: name, key: '', keep: 'keyring', effort })
    })
    if (chosen) announce(t('models.favourites.used', { model: inline(name) }))
    if (fault.value?.code === 'NO_KEY') {
      wantedModel.value = model
      void shell.manageModels()
    }
    return chosen
  }

  /** Removes the key that is kept for a model's provider and address. */
  function forget(model: SavedModel): Promise<boolean> {
    const { provider, baseUrl, model: name, effort } = model
    return act(() => bridge.forgetKey({ provider, baseUrl, model: name, key: '', keep: 'keyring', effort }))
  }

  /** Forgets what refusals have taught of a model. */
  function unlearn(model: SavedModel): Promise<boolean> {
    const { provider, baseUrl, model: name, effort } = model
    return act(() =>
      bridge.forgetLessons({ provider, baseUrl, model: name, key: '', keep: 'keyring', effort }),
    )
  }

  return { all, busy, fault, find, effortOf, toggle, use, forget, unlearn }
}
