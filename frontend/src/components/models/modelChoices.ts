/** The models to choose from in the list: favourites, recent ones, those of the provider in use. */
import { computed, ref, shallowRef, watch } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import { readOffered } from '../../api/routes'
import type { ModelFacts, OfferedModels, SavedModel } from '../../api/types'
import { t } from '../../i18n'
import { useWindow } from '../../stores/window'
import { inline } from '../../text/visible'
import { hasWords } from '../../text/words'
import { hostOf } from '../shell/address'
import { isSame, useFavourites } from './favourites'

/** A model in the list. */
export interface Choice {
  id: string
  model: SavedModel
  /** Undefined while they are not there. */
  facts: ModelFacts | undefined
  kept: boolean
  used: boolean
}

export interface ChoiceGroup {
  name: 'favourites' | 'recent' | 'offered'
  title: string
  choices: Choice[]
}

/** How many models of a provider are shown at once; typing finds the others. */
const most = 200

/** Who a model comes from. */
export const sourceOf = ({ title, baseUrl }: Pick<SavedModel, 'title' | 'baseUrl'>): string =>
  inline(title || hostOf(baseUrl))

const idOf = ({ provider, baseUrl, model }: SavedModel): string => JSON.stringify([provider, baseUrl, model])

/** What the provider in use offers, asked when the list is opened and when it changes. */
function useOffered() {
  const app = useWindow()
  const offered = shallowRef<OfferedModels | null>(null)
  const fault = shallowRef<Fault | null>(null)
  const asking = ref(false)
  let asked = 0

  const place = computed(() => {
    const { model = null, tour = false } = app.state ?? {}
    return model === null || tour ? null : `${model.provider} ${model.baseUrl}`
  })

  async function ask(fresh: boolean): Promise<void> {
    const mine = ++asked
    fault.value = null
    asking.value = true
    try {
      const answer = await readOffered(fresh)
      if (mine === asked) offered.value = answer
    } catch (reason) {
      if (mine === asked) fault.value = faultOf(reason)
    }
    if (mine === asked) asking.value = false
  }

  watch(
    place,
    (now) => {
      offered.value = null
      if (now !== null) void ask(false)
    },
    { immediate: true },
  )
  return { offered, fault, asking, ask }
}

/** The list for what is typed. */
export function useModelChoices(words: () => string) {
  const app = useWindow()
  const favourites = useFavourites()
  const { offered, fault: offerFault, asking, ask } = useOffered()
  const facts = shallowRef(new Map<string, ModelFacts>())

  const inUse = computed(() => (app.state?.tour ? null : (app.state?.model ?? null)))
  const kept = computed(() => app.state?.favourites ?? [])
  const recent = computed(() => (app.state?.recentModels ?? []).filter((each) => !favourites.find(each)))

  watch(
    () => [...kept.value, ...recent.value],
    async (models) => {
      if (models.every((each) => facts.value.has(idOf(each)))) return
      // What is not known of a model is not shown.
      const known = await bridge.modelFacts(models).catch(() => [])
      facts.value = new Map(models.flatMap((each, i) => (known[i] ? [[idOf(each), known[i]] as const] : [])))
    },
    { immediate: true },
  )

  const fits = (text: string): boolean => {
    const wanted = words().trim()
    return wanted === '' || hasWords(text, wanted)
  }

  function choiceOf(group: string, model: SavedModel, known?: ModelFacts): Choice {
    return {
      id: `${group} ${idOf(model)}`,
      model,
      facts: known ?? facts.value.get(idOf(model)),
      kept: favourites.find(model) !== undefined,
      used: inUse.value !== null && isSame(inUse.value, model),
    }
  }

  /** The provider's own that fit. */
  const matches = computed(() => {
    const from = offered.value
    if (from === null) return []
    const { provider, title, baseUrl, models } = from
    return models
      .filter(({ model }) => fits(`${model} ${title} ${provider}`))
      .map((each) => ({ provider, title, baseUrl, model: each.model, known: each.facts }))
  })

  const groups = computed<ChoiceGroup[]>(() => {
    const saved = (name: 'favourites' | 'recent', models: SavedModel[]): ChoiceGroup => ({
      name,
      title: t(`models.list.${name}`),
      choices: models
        .filter((each) => fits(`${each.model} ${sourceOf(each)} ${each.provider}`))
        .map((each) => choiceOf(name, each)),
    })
    const own = matches.value.slice(0, most).map(({ known, ...each }) => {
      const model: SavedModel = { ...each, effort: favourites.effortOf(each) }
      return choiceOf('offered', model, known)
    })
    const title = offered.value === null ? '' : t('models.choose.list', { title: sourceOf(offered.value) })
    const all: ChoiceGroup[] = [
      saved('favourites', kept.value),
      saved('recent', recent.value),
      { name: 'offered', title, choices: own },
    ]
    return all.filter(({ choices }) => choices.length > 0)
  })

  /** How many of the provider's own are not shown. */
  const more = computed(() => Math.max(0, matches.value.length - most))

  return { inUse, groups, more, offered, offerFault, asking, ask, favourites }
}
