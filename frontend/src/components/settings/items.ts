/** What there is to set, by the part of the page it stands in, and what finds it. */
import { everyText, hasText, t, type Key } from '../../i18n'
import type { Section } from '../../stores/shell'

/** Something to set: a setting of the file by its key, or a part of the page of its own. */
export type Item = `keys.${string}` | `parts.${string}`

/** What stands in each part, in order. */
export const items: Readonly<Record<Section, readonly Item[]>> = {
  models: [
    'parts.chosen',
    'keys.provider',
    'keys.base_url',
    'keys.model',
    'keys.api_key_env',
    'keys.reasoning_effort',
    'keys.model_titles',
    'keys.mode',
    'keys.proxy',
    'keys.ca_file',
    'parts.ownProviders',
  ],
  permissions: ['keys.approve', 'keys.dialog', 'parts.tools', 'keys.readable_folders', 'parts.confinement'],
  limits: [
    'keys.max_steps',
    'keys.run_timeout',
    'keys.step_timeout',
    'keys.tool_timeout',
    'keys.confirm_timeout',
    'keys.attempts',
    'keys.parallel',
    'keys.budget',
    'keys.budget_usd',
    'keys.context_window',
    'keys.max_output_tokens',
    'keys.temperature',
    'keys.command_memory',
    'keys.continue_on_error',
    'keys.doom_detection',
    'keys.compaction',
    'keys.continue_message',
  ],
  notifications: ['parts.notices'],
  appearance: ['parts.language', 'parts.theme', 'parts.zoom', 'parts.code', 'parts.wrap', 'parts.tint'],
  instructions: ['keys.instructions', 'parts.suggestions'],
  extensions: ['parts.suggestions', 'parts.servers', 'keys.memory', 'parts.memory'],
  data: ['parts.undo', 'keys.undo_space', 'parts.places', 'parts.index'],
  shortcuts: ['parts.shortcuts'],
  about: ['parts.version', 'parts.confinement', 'parts.doctor', 'keys.log_level'],
}

/** What an item is called. */
export const titleOf = (item: Item): string => t(`settings.${item}.title` as Key)

/** The key of the file that an item is; undefined for a part of the page. */
export const keyOf = (item: Item): string | undefined =>
  item.startsWith('keys.') ? item.slice('keys.'.length) : undefined

/** The key of the words for a value of a setting; undefined where it is shown as it is. */
export function wordsOf(key: string, value: string): Key | undefined {
  const places: Record<string, string> = {
    approve: 'shell.approve',
    dialog: 'shell.settings.dialogs',
    reasoning_effort: 'models.current.efforts',
  }
  const found = `${places[key] ?? `settings.keys.${key}.choices`}.${value}`
  return hasText(found) ? found : undefined
}

/** Everything that finds an item, in every language. */
function textOf(section: Section, item: Item): string {
  const words = ['title', 'text', 'words', 'effect', 'none', 'off'].flatMap((part) =>
    everyText(`settings.${item}.${part}`),
  )
  return [keyOf(item) ?? '', ...everyText(`settings.sections.${section}`), ...words].join(' ').toLowerCase()
}

/** The items that have all words, in any case, language and order; each once. */
export function findItems(words: string): { section: Section; item: Item }[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const seen = new Set<Item>()
  return Object.entries(items).flatMap(([name, all]) => {
    const section = name as Section
    return all.flatMap((item) => {
      const text = textOf(section, item)
      if (seen.has(item) || !wanted.every((word) => text.includes(word))) return []
      seen.add(item)
      return [{ section, item }]
    })
  })
}
