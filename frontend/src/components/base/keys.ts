const mac = /Mac/.test(navigator.platform)

/**
 * Reports whether a key belongs to the input method that is composing a text.
 * WebKit sends the Enter that ends a composition after it, with the code 229.
 */
export function isIme(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229
}

/** Reports whether the key is pressed with ⌘ on macOS or Ctrl elsewhere, and with nothing else. */
export function isMod(event: KeyboardEvent): boolean {
  const mod = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  return mod && !event.altKey && !event.shiftKey
}

/** How a key with Mod is written: ⌘L or Ctrl+L. */
export function modKey(key: string): string {
  return mac ? `⌘${key}` : `Ctrl+${key}`
}

/** The keys of a combination such as Mod+Shift+F. */
function partsOf(combination: string): { key: string; mod: boolean; shift: boolean } {
  // The last one can be the plus itself.
  const parts = combination.split(/\+(?!$)/)
  return { key: parts.at(-1) ?? '', mod: parts.includes('Mod'), shift: parts.includes('Shift') }
}

/** How a combination is written: ⇧⌘F or Ctrl+Shift+F for Mod+Shift+F. */
export function writeKeys(combination: string): string {
  const { key, mod, shift } = partsOf(combination)
  const name = key === 'Delete' ? 'Del' : key
  if (mac) return `${shift ? '⇧' : ''}${mod ? '⌘' : ''}${name}`
  return [mod && 'Ctrl', shift && 'Shift', name].filter(Boolean).join('+')
}

/** Reports whether a combination is pressed, and nothing else with it. */
export function isPressed(event: KeyboardEvent, combination: string): boolean {
  const { key, mod, shift } = partsOf(combination)
  const pressed = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  if (event.key.toLowerCase() !== key.toLowerCase() || event.altKey || pressed !== mod) return false
  // Where a sign needs Shift on a keyboard, that is no key of its own.
  return event.shiftKey === shift || !/^[a-z0-9]/i.test(key)
}

/** How a key with Alt is written: ⌥A or Alt+A. */
export function altKey(letter: string): string {
  return mac ? `⌥${letter}` : `Alt+${letter}`
}

/**
 * The letter that is pressed with Alt and nothing else, in lower case. Where Alt or the
 * layout makes another character of it, the place of the key decides.
 */
export function altLetter(event: KeyboardEvent): string | undefined {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return undefined
  const letter = /^[a-z]$/i.test(event.key) ? event.key : /^Key([A-Z])$/.exec(event.code)?.[1]
  return letter?.toLowerCase()
}

/** Reports whether something is written or chosen where a key is pressed. A box to tick takes no
    key but the space. */
export function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input:not([type=checkbox]), textarea, select') !== null
  )
}

/** How far the keys of a list move what is selected in it. */
const moves: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
}

/** Does what a key means in a list: move what is selected by so many rows, or enter it. */
export function onListKey(event: KeyboardEvent, move: (rows: number) => void, enter: () => void): void {
  if (isIme(event) || event.ctrlKey || event.metaKey || event.altKey) return
  const rows = moves[event.key]
  if (rows !== undefined) move(rows)
  else if (event.key === 'Enter' || event.key === 'ArrowRight') enter()
  else return
  event.preventDefault()
}
