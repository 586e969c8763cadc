import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { useShell } from './shell'

function resize(width: number): void {
  vi.stubGlobal('innerWidth', width)
  window.dispatchEvent(new Event('resize'))
}

beforeEach(() => {
  setActivePinia(createPinia())
  vi.stubGlobal('innerWidth', 1280)
})

describe('the side', () => {
  it('is there where it has room', () => {
    const shell = useShell()
    expect(shell.inspector).toBe(true)
    resize(1099)
    expect(shell.inspector).toBe(false)
    resize(1100)
    expect(shell.inspector).toBe(true)
  })

  it('stays as it was put, as long as its room is the same', () => {
    const shell = useShell()
    shell.inspector = false
    resize(1400)
    expect(shell.inspector).toBe(false)
    resize(900)
    shell.show('preview')
    resize(950)
    expect([shell.inspector, shell.tab]).toEqual([true, 'preview'])
  })
})

it('one panel is open at a time', () => {
  const shell = useShell()
  shell.open('model')
  shell.toggle('folder')
  expect(shell.panel).toBe('folder')
  shell.toggle('folder')
  expect(shell.panel).toBeNull()
})
