/** What the list offers for what is typed: actions, conversations, files, models and settings. */
import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue'

import { findTitles, readNames } from '../../api/routes'
import type { Name, SavedModel, SessionEntry } from '../../api/types'
import { moment, t } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { usePalette } from '../../stores/palette'
import { usePreview } from '../../stores/preview'
import { useSessions } from '../../stores/sessions'
import { useShell, type Section } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import { hasWords } from '../../text/words'
import { writeKeys } from '../base/keys'
import { isSame, useFavourites } from '../models/favourites'
import { findItems, titleOf, type Item } from '../settings/items'
import { nameOf, type Action } from '../shell/actions'
import { written } from '../shell/mention'

export interface Entry {
  id: string
  text: string
  /** It is the name of a file or a model. */
  mono: boolean
  /** What stands at the end of the line: keys, a day, a folder. */
  aside: string
  pick: () => void
  /** Names it in the field instead. */
  insert?: () => void
}

/** The signs that say what is wanted. */
const signs = { actions: '>', files: '@', sessions: '#', models: ':', settings: ',' } as const
type Kind = keyof typeof signs

/** How many of a kind are shown among others, and how many alone. */
const few = 6
const many = 50
/** How long a first look through the folder is waited for until it is asked again, in milliseconds. */
const again = 60

/** What is typed: the words, and the kind that is wanted where a sign says so. */
export function parse(typed: string): { kind: Kind | null; words: string } {
  const kind = (Object.keys(signs) as Kind[]).find((each) => typed.startsWith(signs[each])) ?? null
  return { kind, words: (kind === null ? typed : typed.slice(1)).trim() }
}

/** Keeps the answer to what was asked last. */
function useAnswer<T>(
  none: T,
  ask: (words: string) => Promise<T>,
): { value: ShallowRef<T>; look: (words: string) => Promise<void> } {
  const value = shallowRef(none)
  let asked = 0
  async function look(words: string): Promise<void> {
    const mine = ++asked
    // What cannot be looked up is not offered.
    const answer = await ask(words).catch(() => none)
    if (mine === asked) value.value = answer
  }
  return { value, look }
}

async function filesFor(words: string): Promise<Name[]> {
  const list = await readNames(words)
  if (list.whole) return list.names.filter(({ folder }) => !folder)
  await new Promise((resolve) => window.setTimeout(resolve, again))
  return filesFor(words)
}

const ofAction = (action: Action): Entry => ({
  id: `action ${action.id}`,
  text: nameOf(action),
  mono: false,
  aside: action.keys === undefined ? '' : writeKeys(action.keys),
  pick: () => action.act(),
})

export function useEntries(actions: readonly Action[]): ComputedRef<Entry[]> {
  const app = useWindow()
  const shell = useShell()
  const composer = useComposer()
  const palette = usePalette()
  const preview = usePreview()
  const sessions = useSessions()
  const favourites = useFavourites()

  const wanted = computed(() => parse(palette.text))
  const titles = useAnswer<SessionEntry[]>([], async (words) => (await findTitles(words)).sessions)
  const names = useAnswer<Name[]>([], filesFor)

  watch(
    wanted,
    ({ kind, words }) => {
      if (kind === null || kind === 'sessions') void titles.look(words)
      if (kind === 'files' || (kind === null && words !== '')) void names.look(words)
    },
    { immediate: true },
  )

  async function show(id: string): Promise<void> {
    await sessions.choose(id)
    if (sessions.refusal !== null) return
    shell.reveal()
    composer.focus()
  }

  function ofSession({ id, title, folder, updatedAt }: SessionEntry): Entry {
    const when = moment(updatedAt)
    return {
      id: `session ${id}`,
      text: title,
      mono: false,
      aside: folder ? `${folder.name} · ${when}` : when,
      pick: () => void show(id),
    }
  }

  function ofFile(name: Name): Entry {
    return {
      id: `file ${name.path}`,
      text: name.path,
      mono: true,
      aside: t('palette.file'),
      pick: () => preview.open(name.path),
      insert: () => composer.name([written(name)]),
    }
  }

  const ofModel = (model: SavedModel): Entry => ({
    id: `model ${model.provider} ${model.baseUrl} ${model.model}`,
    text: model.model,
    mono: true,
    aside: t('palette.model'),
    pick: () => void favourites.use(model),
  })

  const ofSetting = ({ section, item }: { section: Section; item: Item }): Entry => ({
    id: `setting ${item}`,
    text: titleOf(item),
    mono: false,
    aside: `${t('settings.title')} · ${t(`settings.sections.${section}`)}`,
    pick: () => void shell.openSettings(section, item),
  })

  /** Settings for words: those that are called so, then those that are only described so. */
  function settingsFor(words: string): { section: Section; item: Item }[] {
    if (app.welcome) return []
    const named = ({ item }: { item: Item }): number => (hasWords(titleOf(item), words) ? 0 : 1)
    return findItems(words).toSorted((a, b) => named(a) - named(b))
  }

  return computed(() => {
    const { kind, words } = wanted.value
    const most = kind === null ? few : many
    const of = <T>(which: Kind, all: readonly T[], make: (one: T) => Entry): Entry[] =>
      kind === null || kind === which ? all.slice(0, most).map(make) : []
    const doable = actions.filter(
      (action) =>
        !isOpener(action) && (action.can?.() ?? true) && (words === '' || hasWords(nameOf(action), words)),
    )
    const kept = app.state?.favourites ?? []
    const recent = (app.state?.recentModels ?? []).filter((one) => !kept.some((each) => isSame(each, one)))
    const models = [...kept, ...recent].filter(({ model }) => words === '' || hasWords(model, words))
    // Without words the last conversations come first, and everything that can be done is there to be read.
    const bare = kind === null && words === ''
    const others = titles.value.value.filter(({ id }) => id !== app.state?.sessionId)
    const first = bare ? doable.map(ofAction) : of('actions', doable, ofAction)
    return [
      ...of('sessions', bare ? others : [], ofSession),
      ...first,
      ...of('sessions', bare ? [] : titles.value.value, ofSession),
      ...of('files', bare ? [] : names.value.value, ofFile),
      ...of('models', models, ofModel),
      ...of('settings', bare ? [] : settingsFor(words), ofSetting),
    ]
  })
}

/** The action that opens the list is of no use in it. */
const isOpener = ({ id }: Action): boolean => id === 'everything'
