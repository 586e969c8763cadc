/** What jsdom lacks of the layout, for tests of the whole page. */
import { vi } from 'vitest'

/** jsdom lays nothing out, so nothing is ever resized. */
class NoResize implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Gives the page a width, and what it watches its size with. */
export function stubLayout(): void {
  vi.stubGlobal('ResizeObserver', NoResize)
  vi.stubGlobal('innerWidth', 1280)
}
