/** Menus: what is in them, where they open, and which keys ask for one. */

/** What can be chosen in a menu. */
export interface MenuItem {
  id: string
  text: string
  /** The keys that do the same, such as Mod+Shift+C. */
  keys?: string | undefined
}

/** Where a menu opens in the window. */
export interface MenuPlace {
  x: number
  y: number
}

/** Where a menu opens: at the pointer, or else below an element. */
export function placeOf(at: MouseEvent | Element): MenuPlace {
  if (!(at instanceof Element)) return { x: at.clientX, y: at.clientY }
  const { left, bottom } = at.getBoundingClientRect()
  return { x: left, y: bottom }
}

/** Reports whether a key asks for the menu of what is at hand. */
export const asksForMenu = ({ key, shiftKey }: KeyboardEvent): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey)
