/** Tests on one page where questions are answered, in virtual time. Their bridge, routes
    and announcements are mocked. */
import { vi } from 'vitest'

import { confirm, extend } from '../api/bridge'
import { readWhole } from '../api/routes'
import { announce } from '../components/base/announce'
import { language } from '../i18n'
import { DockPage, type Request } from './questions'

/** The page of the test at hand. */
export let page: DockPage

/** Begins a test: a new page, and everything mocked as before. */
export function prepare(): void {
  vi.useFakeTimers()
  vi.mocked(confirm)
    .mockReset()
    .mockImplementation(async ({ callId }) => ({ callId }))
  vi.mocked(extend).mockReset().mockResolvedValue(null)
  vi.mocked(readWhole).mockReset()
  vi.mocked(announce).mockReset()
  page = new DockPage()
  vi.advanceTimersByTime(10_000)
}

/** Ends it. */
export function close(): void {
  page.close()
  language.value = 'en'
  vi.useRealTimers()
}

export const later = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** Asks, and lets the question be there for long enough. */
export async function asked(...requests: Request[]): Promise<void> {
  await page.ask(...requests)
  await later(300)
}
