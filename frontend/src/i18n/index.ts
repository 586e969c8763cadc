import { computed, ref } from 'vue'

import type { KeyOf, Plural } from './dict'
import { en } from './en'
import { zhCN } from './zh-CN'

/* The words of the page. `t` reads the language reactively, so a template that
   calls it follows a change at once. */

/** The languages that the page speaks. */
export type Language = 'en' | 'zh-CN'

/** The name of a text, such as `shell.send`. */
export type Key = KeyOf<typeof en>

const dictionaries = { en, 'zh-CN': zhCN }

/** The language that is shown. */
export const language = ref<Language>('en')

/** The language for what was chosen, else for what the system prefers. */
export function languageFor(chosen: string, preferred: readonly string[]): Language {
  const wanted = chosen === '' ? preferred[0] : chosen
  return wanted?.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en'
}

/** The text for a key, with `{name}` replaced by the parameter of that name. */
export function t(key: Key, params: Record<string, string | number> = {}): string {
  let words: unknown = dictionaries[language.value]
  for (const part of key.split('.')) words = (words as Record<string, unknown>)[part]
  const text = typeof words === 'string' ? words : plural(words as Plural, Number(params.n))
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? number(value) : value
  })
}

/** The text for a key in every language, to be searched; none where it has no text. */
export function everyText(key: string): string[] {
  return Object.values(dictionaries).flatMap((dictionary) => {
    let words: unknown = dictionary
    for (const part of key.split('.')) words = (words as Record<string, unknown> | undefined)?.[part]
    if (typeof words === 'string') return [words]
    return typeof words === 'object' && words !== null && 'other' in words ? [String(words.other)] : []
  })
}

/** Reports whether there is a text for a key that was put together at run time. */
export function hasText(key: string): key is Key {
  let words: unknown = en
  for (const part of key.split('.')) {
    if (typeof words !== 'object' || words === null || !Object.hasOwn(words, part)) return false
    words = (words as Record<string, unknown>)[part]
  }
  return typeof words === 'string' || (typeof words === 'object' && words !== null && 'other' in words)
}

function plural(words: Plural, n: number): string {
  const kind = formats.value.plural.select(n)
  return kind === 'one' && words.one !== undefined ? words.one : words.other
}

const formats = computed(() => ({
  plural: new Intl.PluralRules(language.value),
  number: new Intl.NumberFormat(language.value),
  compact: new Intl.NumberFormat(language.value, { notation: 'compact', maximumFractionDigits: 1 }),
  dollars: new Intl.NumberFormat(language.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  clock: new Intl.DateTimeFormat(language.value, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  weekday: new Intl.DateTimeFormat(language.value, { weekday: 'long' }),
  month: new Intl.DateTimeFormat(language.value, { month: 'long' }),
  monthOfYear: new Intl.DateTimeFormat(language.value, { month: 'long', year: 'numeric' }),
  either: new Intl.ListFormat(language.value, { type: 'disjunction' }),
  day: new Intl.DateTimeFormat(language.value, { day: 'numeric', month: 'short', year: 'numeric' }),
}))

/** One of some: JPEG or PNG, JPEG或PNG. */
export const either = (names: readonly string[]): string => formats.value.either.format(names)

/** A count with separators: 12,345. */
export const number = (value: number): string => formats.value.number.format(value)

/** A large count in short: 18.2K, 1.8万. */
export const compact = (value: number): string => formats.value.compact.format(value)

/** The time of day of a moment in milliseconds since 1970: 10:42. */
export const clock = (ms: number): string => formats.value.clock.format(ms)

/** The day of the week of a moment in milliseconds since 1970: Friday, 星期五. */
export const weekday = (ms: number): string => formats.value.weekday.format(ms)

/** The month of a moment in milliseconds since 1970: October. */
export const month = (ms: number): string => formats.value.month.format(ms)

/** The same with its year: October 2025, 2025年10月. */
export const monthOfYear = (ms: number): string => formats.value.monthOfYear.format(ms)

/** The day of a moment in milliseconds since 1970: Oct 3, 2025, 2025年10月3日. */
export const day = (ms: number): string => formats.value.day.format(ms)

/** A moment in milliseconds since 1970, as a list shows it: today its time, else its day. */
export const moment = (ms: number): string =>
  new Date(ms).toDateString() === new Date().toDateString() ? clock(ms) : day(ms)

/** What tokens cost, in US dollars: $0.03, below a cent <$0.01. */
export const dollars = (value: number): string =>
  value < 0.01 ? '<$0.01' : `$${formats.value.dollars.format(value)}`

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** A span in milliseconds as minutes and seconds: 0:48, 1:02:03. */
export function elapsed(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  const rest = twoDigits(whole % 60)
  return hours > 0 ? `${hours}:${twoDigits(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** A time as the program writes it, in words: 1h30m is 1 hour 30 minutes; another text as it is. */
export function duration(written: string): string {
  const units = { h: 'hour', m: 'minute', s: 'second', ms: 'millisecond' } as const
  const parts = [...written.matchAll(/(?<n>\d+(?:\.\d+)?)(?<unit>ms|h|m|s)/g)]
  if (parts.map(([part]) => part).join('') !== written) return written
  return parts
    .filter(({ groups }) => Number(groups?.n) > 0)
    .map(({ groups }) =>
      new Intl.NumberFormat(language.value, {
        style: 'unit',
        unit: units[groups?.unit as keyof typeof units],
        unitDisplay: 'long',
      }).format(Number(groups?.n)),
    )
    .join(' ')
}

/** A span in milliseconds in words: 0.3 s, 12 s; from a minute on as elapsed. */
export function span(ms: number): string {
  if (ms >= 60_000) return elapsed(ms)
  const value = ms / 1000
  return t('shell.seconds', { n: value.toFixed(value < 10 ? 1 : 0) })
}

/** A length in bytes: 512 B, 1.4 KB, 3.2 MB. */
export function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}
