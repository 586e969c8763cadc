const mac = /Mac/.test(navigator.platform)

/**
 * Says whether a key belongs to the input method that is composing a text.
 * WebKit sends the Enter that ends a composition after it, with the code 229.
 */
export function isIme(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229
}

/** Says whether the key is pressed with ⌘ on macOS or Ctrl elsewhere, and with nothing else. */
export function isMod(event: KeyboardEvent): boolean {
  const mod = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey
  return mod && !event.altKey && !event.shiftKey
}

/** How a key with Mod is written: ⌘L or Ctrl+L. */
export function modKey(key: string): string {
  return mac ? `⌘${key}` : `Ctrl+${key}`
}
