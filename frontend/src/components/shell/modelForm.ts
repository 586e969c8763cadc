/** The choice of a model while it is being made: found on this computer, or typed. */
import { computed, inject, provide, ref, shallowRef, watch, type InjectionKey } from 'vue'

import * as bridge from '../../api/bridge'
import { faultOf, type Fault } from '../../api/fault'
import { readModels } from '../../api/routes'
import type { LocalServer, Model, ModelChoice, Provider, TestedModel } from '../../api/types'

/** Where the model is: a server of this computer by its address, or elsewhere. */
export type Place = { local: LocalServer } | 'remote' | null

/** A base URL as it is used: without the end that every call adds by itself. */
export function cleanAddress(typed: string): string {
  return typed
    .trim()
    .replace(/\/+$/, '')
    .replace(/\/chat\/completions$/, '')
    .replace(/\/+$/, '')
}

/** The provider that a key says it belongs to; undefined where keys do not tell. */
export function providerOfKey(key: string): string | undefined {
  if (key.startsWith('sk-or-')) return 'openrouter'
  if (/^sk-(proj|svcacct|admin)-/.test(key)) return 'openai'
  return undefined
}

export function useModelForm(current: Model | null) {
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
  const tested = shallowRef<TestedModel | null>(null)
  const models = shallowRef<string[]>([])
  const fault = shallowRef<Fault | null>(null)
  const busy = ref<'' | 'test' | 'use' | 'forget'>('')
  const forgotten = ref(false)
  /** The person chose something: what is found later does not move it. */
  const touched = ref(false)

  /** What will be called. */
  const calls = computed(() => {
    const base = cleanAddress(address.value)
    return base === '' ? '' : `${base}/chat/completions`
  })

  const chosenModel = computed(() => (place.value === 'remote' ? model.value.trim() : localModel.value))
  /** Says whether there is enough to use. */
  const complete = computed(
    () =>
      place.value !== null && chosenModel.value !== '' && (place.value !== 'remote' || calls.value !== ''),
  )
  /** The source of the key that is known for this provider and address; empty when none is. */
  const keyKnown = computed(() =>
    current !== null &&
    !forgotten.value &&
    current.provider === provider.value &&
    current.baseUrl === cleanAddress(address.value)
      ? current.keySource
      : '',
  )

  function choice(keep: 'keyring' | 'session'): ModelChoice {
    if (place.value !== null && place.value !== 'remote') {
      const { provider: name, baseUrl } = place.value.local
      return { provider: name, baseUrl, model: localModel.value, key: '', keep }
    }
    return {
      provider: provider.value,
      baseUrl: cleanAddress(address.value),
      model: model.value.trim(),
      key: key.value.trim(),
      keep,
    }
  }

  /** Chooses where the model is. */
  function select(wanted: Place): void {
    place.value = wanted
    fault.value = null
    if (wanted === null || wanted === 'remote') return
    const known = wanted.local.models
    const own = current !== null && known.includes(current.model) ? current.model : known[0]
    localModel.value = own ?? ''
  }

  function selectProvider(name: string): void {
    provider.value = name
    const found = providers.value.find((each) => each.name === name)
    address.value = found?.baseUrl ?? ''
    model.value = ''
  }

  // Another provider, address or key makes the last test void.
  watch(
    [provider, address, key],
    () => {
      tested.value = null
      models.value = []
      fault.value = null
    },
    { flush: 'sync' },
  )
  watch(
    key,
    (typed) => {
      const owner = providerOfKey(typed.trim())
      if (owner !== undefined && owner !== provider.value && provider.value !== '') selectProvider(owner)
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
    const own = servers.value.find((server) => server.baseUrl === current?.baseUrl)
    const first = own ?? (current === null ? servers.value[0] : undefined)
    select(first === undefined ? 'remote' : { local: first })
  }

  /** Fills the form in. */
  async function load(): Promise<void> {
    const looking = look()
    let failed: Fault | null = null
    try {
      providers.value = (await bridge.providers()).filter((each) => each.needsKey)
    } catch (reason) {
      failed = faultOf(reason)
    }
    const named = providers.value.some((each) => each.name === current?.provider)
    if (current !== null && current.model !== '') {
      provider.value = named ? current.provider : ''
      address.value = current.baseUrl
      model.value = current.model
    } else {
      selectProvider(providers.value[0]?.name ?? '')
    }
    if (failed !== null) fault.value = failed
    await looking
  }

  /** Asks the provider for its models; says whether it answered. */
  async function test(): Promise<boolean> {
    if (busy.value !== '') return false
    busy.value = 'test'
    fault.value = null
    tested.value = null
    const asked = choice('keyring')
    try {
      const found = await bridge.testModel(asked)
      const listed = found.listed ? await readModels() : []
      const now = choice('keyring')
      if (now.baseUrl !== asked.baseUrl || now.key !== asked.key) return false
      tested.value = found
      models.value = listed
      return true
    } catch (reason) {
      fault.value = faultOf(reason)
      return false
    } finally {
      busy.value = ''
    }
  }

  /** Uses what is chosen; says whether that worked. */
  async function use(keep: 'keyring' | 'session' = 'keyring'): Promise<boolean> {
    if (busy.value !== '' || !complete.value) return false
    busy.value = 'use'
    fault.value = null
    try {
      await bridge.chooseModel(choice(keep))
      key.value = ''
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
    tested,
    models,
    fault,
    busy,
    touched,
    calls,
    complete,
    keyKnown,
    select,
    selectProvider,
    look,
    load,
    test,
    use,
    forget,
  }
}

export type ModelForm = ReturnType<typeof useModelForm>

const injectionKey: InjectionKey<ModelForm> = Symbol('model form')

/** Makes the form for the fields inside this component. */
export function provideModelForm(current: Model | null): ModelForm {
  const form = useModelForm(current)
  provide(injectionKey, form)
  return form
}

/** The form of the component around this one. */
export function injectModelForm(): ModelForm {
  const form = inject(injectionKey)
  if (form === undefined) throw new Error('the model fields are outside a model form')
  return form
}
