/** Everything that can be done in the window, by its name and with its keys. */
import * as bridge from '../../api/bridge'
import { faultOf } from '../../api/fault'
import { readMarkdown } from '../../api/routes'
import type { Theme } from '../../api/types'
import { t, type Key } from '../../i18n'
import { useComposer } from '../../stores/composer'
import { useFind } from '../../stores/find'
import { useForks } from '../../stores/forks'
import { useMeter } from '../../stores/meter'
import { usePalette } from '../../stores/palette'
import { useReview } from '../../stores/review'
import { useRuns } from '../../stores/runs'
import { useSearch } from '../../stores/search'
import { useShell, type Tab } from '../../stores/shell'
import { useWindow } from '../../stores/window'
import { announce } from '../base/announce'
import { isField, isPressed } from '../base/keys'
import { useDeeds } from '../sessions/deeds'
import { fileKeys } from '../workspace/fileKeys'
import { deeds, useOutside, type Deed } from '../workspace/outside'

/** What the name of an action is. */
type Name<K extends string = Key> = K extends `actions.${infer N}` ? N : never

export interface Action {
  id: Name
  /** How its keys are called, such as Mod+Shift+F; without one it has none. */
  keys?: string
  /** The word behind a slash in the field that does it. */
  slash?: string
  /** Reports whether a key is for it, where that is not just its keys. */
  takes?: (event: KeyboardEvent) => boolean
  /** It can be done before there is a folder and a model. */
  early?: boolean
  /** Reports whether it can be done now; without it, always. */
  can?: () => boolean
  act: (event?: KeyboardEvent) => void
}

/** How an action is called. */
export const nameOf = ({ id }: Action): string => t(`actions.${id}`)

/** Reports whether a key is for an action. */
export function isFor(action: Action, event: KeyboardEvent): boolean {
  if (action.takes) return action.takes(event)
  return action.keys !== undefined && isPressed(event, action.keys)
}

/** Reports whether one of some keys is pressed with Mod, on whatever layout. */
const withMod = (event: KeyboardEvent, ...keys: string[]): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && keys.includes(event.key)

/** Moves the focus to the next part of the page, or the one before. */
function movePane(step: number): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-pane]')]
  const panes = all.filter((pane) => pane.getClientRects().length > 0)
  const at = panes.findIndex((pane) => pane.contains(document.activeElement))
  const next = at < 0 ? (step > 0 ? 0 : panes.length - 1) : (at + step + panes.length) % panes.length
  panes[next]?.focus()
}

/** What can be done; the page itself stops a run and begins a conversation. */
export function useActions(page: { stop: () => void; conversation: () => void }): readonly Action[] {
  const app = useWindow()
  const runs = useRuns()
  const shell = useShell()
  const composer = useComposer()
  const review = useReview()
  const find = useFind()
  const search = useSearch()
  const palette = usePalette()
  const forks = useForks()
  const meter = useMeter()
  const outside = useOutside()
  const act = useDeeds()

  const begun = (): boolean => runs.current !== undefined
  const saved = (): boolean => begun() && app.state?.tour === false
  const idle = (): boolean => saved() && !runs.busy
  const settings = (): void => {
    if (app.welcome) shell.open('settings')
    else void shell.openSettings()
  }
  const tab = (id: Extract<Name, Tab>, keys?: string): Action => ({
    id,
    slash: id,
    ...(keys !== undefined && { keys }),
    act: () => shell.show(id),
  })
  const forFile = (deed: Deed): Action => ({
    id: deed,
    ...(fileKeys[deed] !== undefined && { keys: fileKeys[deed] }),
    can: () => outside.current !== null,
    act: () => void outside.act(deed),
  })
  const theme = (id: Name, wanted: Theme): Action => ({
    id,
    act: () => void attempt(bridge.setTheme(wanted)),
  })
  const speak = (id: Name, wanted: '' | 'en' | 'zh-CN'): Action => ({
    id,
    act: () => void attempt(bridge.setLanguage(wanted)),
  })

  /** Waits for what was begun. There is no place for why it failed, so it is spoken. */
  async function attempt(work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (reason) {
      announce(faultOf(reason).message, 'assertive')
    }
    await app.refresh()
  }

  async function copyConversation(): Promise<void> {
    await bridge.copyText(await readMarkdown(runs.shown ?? ''))
    announce(t('shell.spoken.copied'))
  }

  /** Does something with the conversation that is shown, as its menu in the list would. */
  function actOn(deed: 'pin' | 'archive'): void {
    if (!app.state || !(deed === 'pin' ? saved() : idle())) return
    const { sessionId: id, title, pinned, archived } = app.state
    void act(deed, { id, title, pinned, archived })
  }

  function undoLast(): void {
    if (runs.task?.end) review.ask({ runId: runs.task.runId })
  }

  return [
    { id: 'new', slash: 'new', keys: 'Mod+N', can: begun, act: page.conversation },
    { id: 'stop', keys: 'Mod+.', can: () => runs.busy, act: page.stop },
    {
      id: 'undo',
      slash: 'undo',
      keys: 'Mod+Z',
      can: () => begun() && !runs.busy,
      // What is being written is not taken back that way.
      takes: (event) =>
        isPressed(event, 'Mod+Z') &&
        begun() &&
        !runs.busy &&
        !(isField(event.target) && (event.target as HTMLTextAreaElement).value !== ''),
      act: undoLast,
    },
    tab('review', 'Mod+Shift+D'),
    { id: 'recent', slash: 'recent', keys: 'Mod+E', act: () => palette.show('#') },
    { id: 'toFile', keys: 'Mod+P', act: () => palette.show('@') },
    {
      id: 'search',
      slash: 'search',
      keys: 'Mod+Shift+F',
      act: () => {
        shell.sidebar = true
        search.focus()
      },
    },
    {
      id: 'find',
      slash: 'find',
      keys: 'Mod+F',
      can: begun,
      act: () => {
        if (!begun()) return
        shell.reveal()
        find.show()
      },
    },
    { id: 'context', slash: 'context', keys: 'Mod+Shift+M', act: () => shell.open('context') },
    {
      id: 'compact',
      slash: 'compact',
      can: idle,
      act: () => {
        // What comes of it, or why nothing does, is seen there.
        shell.open('context')
        void meter.compact()
      },
    },
    { id: 'pin', slash: 'pin', keys: 'Mod+D', can: saved, act: () => actOn('pin') },
    { id: 'archive', slash: 'archive', keys: 'Mod+Shift+A', can: idle, act: () => actOn('archive') },
    { id: 'copy', slash: 'copy', can: begun, act: () => void attempt(copyConversation()) },
    {
      id: 'forkHere',
      slash: 'fork',
      can: idle,
      act: () => void attempt(composer.forkAfter(runs.current?.runId ?? '')),
    },
    {
      id: 'editLast',
      slash: 'edit',
      can: () => idle() && runs.current?.continued === false && !runs.current.compacts,
      act: () => {
        if (runs.current) forks.toggle(runs.current.runId, false)
      },
    },
    {
      id: 'write',
      keys: 'Mod+L',
      act: composer.focus,
    },
    {
      id: 'sidebar',
      keys: 'Mod+B',
      act: () => {
        shell.sidebar = !shell.sidebar
      },
    },
    {
      id: 'desk',
      keys: 'Mod+I',
      act: () => {
        shell.desk = !shell.desk
      },
    },
    tab('files'),
    tab('preview'),
    tab('processes', 'Mod+J'),
    ...deeds.map(forFile),
    { id: 'folder', keys: 'Mod+O', act: () => shell.open('folder') },
    { id: 'model', slash: 'model', can: () => !app.state?.tour, act: () => shell.open('model') },
    { id: 'models', act: () => void shell.manageModels() },
    { id: 'approve', slash: 'mode', can: () => !app.state?.tour, act: () => shell.open('approve') },
    {
      id: 'suggestions',
      slash: 'suggestions',
      can: () => (app.state?.workspace ?? null) !== null,
      act: () => void shell.openSuggestions(),
    },
    { id: 'settings', slash: 'settings', keys: 'Mod+,', early: true, act: settings },
    theme('themeSystem', ''),
    theme('themeLight', 'light'),
    theme('themeDark', 'dark'),
    speak('languageSystem', ''),
    speak('languageEnglish', 'en'),
    speak('languageChinese', 'zh-CN'),
    {
      id: 'larger',
      keys: 'Mod++',
      early: true,
      takes: (event) => withMod(event, '+', '='),
      act: () => shell.scale(1),
    },
    {
      id: 'smaller',
      keys: 'Mod+-',
      early: true,
      takes: (event) => withMod(event, '-', '_'),
      act: () => shell.scale(-1),
    },
    {
      id: 'asItWas',
      keys: 'Mod+0',
      early: true,
      takes: (event) => withMod(event, '0'),
      act: () => shell.scale(0),
    },
    {
      id: 'pane',
      keys: 'F6',
      early: true,
      takes: ({ key }) => key === 'F6',
      act: (event) => movePane(event?.shiftKey ? -1 : 1),
    },
    {
      id: 'everything',
      keys: 'Mod+K',
      takes: (event) => isPressed(event, 'Mod+K') || isPressed(event, 'Mod+Shift+P'),
      act: () => palette.show(),
    },
    { id: 'keys', keys: 'Mod+/', act: palette.showKeys },
  ]
}
