/** The choice of a model while it is being made: found on this computer, or typed. */
import { computed, inject, provide, ref, shallowRef, watch, type InjectionKey } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import type { Effort, LocalServer, Model, ModelChoice, Provider, SavedModel } from '../../api/types'
import { useWindow } from '../../stores/window'
import { useFavourites } from '../models/favourites'
import { callsOf, cleanAddress } from './address'
import { providerOfKey } from './keyOwner'
import { useModelTester } from './modelTester'

/** Where the model is: a server of this computer by its address, or elsewhere. */
export type Place = { local: LocalServer } | 'remote' | null

/**
 * A form for a model in place of the one that is chosen; `chosen` is null where none is.
 * `effortOf` is how much a model is to reason.
 */
export function useModelForm(
  chosen: () => Model | null,
  effortOf: (model: Pick<SavedModel, 'provider' | 'baseUrl' | 'model'>) => Effort = () => '',
) {
  const providers = shallowRef<Provider[]>([])
  /** The servers of this computer; null while they are looked for. */
  const servers = shallowRef<LocalServer[] | null>(null)
  const place = shallowRef<Place>(null)
  const localModel = ref('')
  /** A provider's name; empty for another address. */
  const provider = ref('')
  const address = ref('')
  /** Never kept longer than this form. */
  const key = ref('')
  const model = ref('')
  const fault = shallowRef<Fault | null>(null)
  const busy = ref<'' | 'test' | 'use' | 'forget'>('')
  const forgotten = ref(false)
  /** The user chose something: what is found later does not move it. */
  const touched = ref(false)
  /** The provider is the user's choice, and not only the first of all. */
  const providerNamed = ref(false)
  /** The key does not tell whose it is, and nobody has said. */
  const asks = ref(false)

  /** What will be called. */
  const calls = computed(() => callsOf(address.value))

  const chosenModel = computed(() => (place.value === 'remote' ? model.value.trim() : localModel.value))
  /** Reports whether there is enough to use. */
  const complete = computed(
    () =>
      place.value !== null && chosenModel.value !== '' && (place.value !== 'remote' || calls.value !== ''),
  )
  /** The source of the key that is known for this provider and address; empty when none is. */
  const keyKnown = computed(() => {
    const current = chosen()
    return current !== null &&
      place.value === 'remote' &&
      !forgotten.value &&
      current.provider === provider.value &&
      current.baseUrl === cleanAddress(address.value)
      ? current.keySource
      : ''
  })
  /** Whose key is typed; undefined where it does not tell. */
  const keyOwner = computed(() => providerOfKey(key.value.trim(), providers.value))
  const known = (name: string): Provider | undefined => providers.value.find((each) => each.name === name)

  /** What the provider is called; empty for another address. */
  const title = computed(() =>
    place.value !== null && place.value !== 'remote'
      ? place.value.local.title
      : (known(provider.value)?.title ?? ''),
  )

  function where(): Pick<ModelChoice, 'provider' | 'baseUrl' | 'key'> {
    if (place.value !== null && place.value !== 'remote') {
      const { provider: name, baseUrl } = place.value.local
      return { provider: name, baseUrl, key: '' }
    }
    return { provider: provider.value, baseUrl: cleanAddress(address.value), key: key.value.trim() }
  }

  const { models, steps, forgetTest, keepTest, ask } = useModelTester({
    named: chosenModel,
    where,
    keyed: (asked) => asked.key !== '' || keyKnown.value !== '' || known(asked.provider)?.needsKey === true,
    busy,
    fault,
  })
  /** The models to choose from, as far as they are known. */
  const offered = computed(() =>
    models.value.length === 0 && place.value !== null && place.value !== 'remote'
      ? place.value.local.models
      : models.value,
  )

  function choice(keep: 'keyring' | 'session'): ModelChoice {
    const wanted = { ...where(), model: chosenModel.value, keep }
    return { ...wanted, effort: effortOf(wanted) }
  }

  /** Names the model. */
  function pick(name: string): void {
    if (place.value === 'remote') model.value = name
    else localModel.value = name
  }

  /** Chooses where the model is. */
  function select(wanted: Place): void {
    place.value = wanted
    fault.value = null
    if (wanted === null || wanted === 'remote') return
    const there = wanted.local.models
    const current = chosen()
    const own = current !== null && there.includes(current.model) ? current.model : there[0]
    localModel.value = own ?? ''
  }

  /** Chooses the provider, as the user says. */
  function nameProvider(name: string): void {
    providerNamed.value = true
    selectProvider(name)
  }

  function selectProvider(name: string): void {
    asks.value = false
    provider.value = name
    address.value = known(name)?.baseUrl ?? ''
    model.value = ''
  }

  // Another provider, address or key makes the last test void.
  watch(
    [place, provider, address, key],
    () => {
      forgetTest()
      fault.value = null
      if (asks.value && address.value !== '') {
        providerNamed.value = true
        asks.value = false
      }
    },
    { flush: 'sync' },
  )
  watch(
    key,
    () => {
      const owner = keyOwner.value
      // What the user named or typed is where the key is to go, and it is said whose it is.
      const found = known(provider.value)
      if (!asks.value && (found === undefined || found.own)) return
      if (owner !== undefined) {
        if (owner.name !== found?.name) selectProvider(owner.name)
      } else if (key.value.trim() === '') {
        if (asks.value) selectProvider(providers.value[0]?.name ?? '')
      } else if (!providerNamed.value && found?.baseUrl === address.value) {
        // It must not go to a provider that nobody named.
        selectProvider('')
        asks.value = true
      }
    },
    { flush: 'sync' },
  )

  /** Looks for servers on this computer. */
  async function look(): Promise<void> {
    servers.value = null
    try {
      servers.value = await bridge.detect()
    } catch (reason) {
      servers.value = []
      fault.value = faultOf(reason)
    }
    if (touched.value) return
    const current = chosen()
    const own = servers.value.find((server) => server.baseUrl === current?.baseUrl)
    const first = own ?? (current === null ? servers.value[0] : undefined)
    select(first === undefined ? 'remote' : { local: first })
  }

  /** Reads again which providers there are; the one that is chosen may be another one, or gone. */
  async function reloadProviders(): Promise<void> {
    fault.value = await loadProviders()
    const found = known(provider.value)
    if (provider.value === '' || (found !== undefined && found.baseUrl === address.value)) return
    if (found === undefined || found.own) selectProvider(found?.name ?? '')
  }

  /** Reads which providers there are; returns why that failed. */
  async function loadProviders(): Promise<Fault | null> {
    try {
      providers.value = (await bridge.providers()).filter((each) => each.needsKey || each.own)
      return null
    } catch (reason) {
      return faultOf(reason)
    }
  }

  /** Has the form be about a model that is not on this computer. */
  function fill(wanted: Pick<SavedModel, 'provider' | 'baseUrl' | 'model'>): void {
    providerNamed.value = true
    asks.value = false
    provider.value = known(wanted.provider)?.name ?? ''
    address.value = wanted.baseUrl
    model.value = wanted.model
  }

  /** The same for one that the user wants, whatever is found on this computer. */
  function want(wanted: SavedModel): void {
    touched.value = true
    select('remote')
    fill(wanted)
  }

  /** Fills the form in. */
  async function load(): Promise<void> {
    const looking = look()
    const failed = await loadProviders()
    const current = chosen()
    if (current !== null && current.model !== '') fill(current)
    else selectProvider(providers.value[0]?.name ?? '')
    if (failed !== null) fault.value = failed
    await looking
  }

  /** Tests the model that is named; reports whether the provider answered. */
  const test = (): Promise<boolean> => ask(choice('keyring'))

  /** Asks the provider for its models, and none of them for anything. */
  const list = (): Promise<boolean> => ask({ ...choice('keyring'), model: '' })

  /** Uses what is chosen; reports whether that worked. */
  async function use(keep: 'keyring' | 'session' = 'keyring'): Promise<boolean> {
    if (busy.value !== '' || !complete.value) return false
    busy.value = 'use'
    fault.value = null
    try {
      await bridge.chooseModel(choice(keep))
      // It was this key that was tested, and it is the one that is known now.
      keepTest(() => (key.value = ''))
      forgotten.value = false
      return true
    } catch (reason) {
      fault.value = faultOf(reason)
      return false
    } finally {
      busy.value = ''
    }
  }

  /** Removes the key that is kept for this provider and address. */
  async function forget(): Promise<void> {
    if (busy.value !== '') return
    busy.value = 'forget'
    fault.value = null
    try {
      await bridge.forgetKey({ ...choice('keyring'), key: '' })
      forgotten.value = true
    } catch (reason) {
      fault.value = faultOf(reason)
    } finally {
      busy.value = ''
    }
  }

  return {
    providers,
    servers,
    place,
    localModel,
    provider,
    address,
    key,
    model,
    steps,
    models,
    offered,
    fault,
    busy,
    touched,
    title,
    named: chosenModel,
    calls,
    complete,
    keyKnown,
    keyOwner,
    asks,
    select,
    selectProvider: nameProvider,
    want,
    pick,
    where,
    look,
    load,
    reloadProviders,
    test,
    list,
    use,
    forget,
  }
}

export type ModelForm = ReturnType<typeof useModelForm>

const injectionKey: InjectionKey<ModelForm> = Symbol('model form')

/** Makes the form for the fields inside this component. */
export function provideModelForm(): ModelForm {
  const app = useWindow()
  const form = useModelForm(() => app.state?.model ?? null, useFavourites().effortOf)
  provide(injectionKey, form)
  return form
}

/** The form of the component around this one. */
export function injectModelForm(): ModelForm {
  const form = inject(injectionKey)
  if (form === undefined) throw new Error('the model fields are outside a model form')
  return form
}
