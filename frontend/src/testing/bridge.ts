/** Stands for api/bridge in tests: `vi.mock('…/api/bridge', () => import('…/testing/bridge'))`. */
import { vi } from 'vitest'

import type * as real from '../api/bridge'

export const run = vi.fn<typeof real.run>()
export const cancel = vi.fn<typeof real.cancel>()
export const confirm = vi.fn<typeof real.confirm>()
export const extend = vi.fn<typeof real.extend>()
export const chooseFolder = vi.fn<typeof real.chooseFolder>()
export const openFolder = vi.fn<typeof real.openFolder>()
export const createFolder = vi.fn<typeof real.createFolder>()
export const providers = vi.fn<typeof real.providers>()
export const detect = vi.fn<typeof real.detect>()
export const testModel = vi.fn<typeof real.testModel>()
export const chooseModel = vi.fn<typeof real.chooseModel>()
export const forgetKey = vi.fn<typeof real.forgetKey>()
export const newConversation = vi.fn<typeof real.newConversation>()
export const startTour = vi.fn<typeof real.startTour>()
export const setApprove = vi.fn<typeof real.setApprove>()
export const quit = vi.fn<typeof real.quit>()
export const setLanguage = vi.fn<typeof real.setLanguage>()
export const setTheme = vi.fn<typeof real.setTheme>()
export const openLink = vi.fn<typeof real.openLink>()
export const copyText = vi.fn<typeof real.copyText>()
export const onDrop = vi.fn<typeof real.onDrop>()
