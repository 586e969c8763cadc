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
  it('is there where it has space', () => {
    const shell = useShell()
    expect(shell.desk).toBe(true)
    resize(1099)
    expect(shell.desk).toBe(false)
    resize(1100)
    expect(shell.desk).toBe(true)
  })

  it('stays as it was put, as long as its space is the same', () => {
    const shell = useShell()
    shell.desk = false
    resize(1400)
    expect(shell.desk).toBe(false)
    resize(900)
    shell.show('preview')
    resize(950)
    expect([shell.desk, shell.tab]).toEqual([true, 'preview'])
  })
})

describe('UI-05 the list of conversations', () => {
  it('is there where it has space', () => {
    const shell = useShell()
    expect(shell.sidebar).toBe(true)
    resize(899)
    expect([shell.sidebar, shell.listFits]).toEqual([false, false])
    resize(900)
    expect([shell.sidebar, shell.listFits]).toEqual([true, true])
    shell.sidebar = false
    resize(1400)
    expect(shell.sidebar).toBe(false)
  })

  it('makes space for what was chosen only where it lies over it', () => {
    const shell = useShell()
    expect([shell.uncover(), shell.sidebar]).toEqual([false, true])
    resize(899)
    expect(shell.uncover()).toBe(false)
    shell.sidebar = true
    expect([shell.uncover(), shell.sidebar]).toEqual([true, false])
  })
})

describe('the size of everything', () => {
  it('goes in steps from 80 to 200 %, and back', () => {
    const shell = useShell()
    const larger = Array.from({ length: 7 }, () => (shell.scale(1), shell.zoom))
    expect(larger).toEqual([1.1, 1.25, 1.4, 1.6, 1.8, 2, 2])
    expect(document.documentElement.style.getPropertyValue('--zoom')).toBe('2')
    shell.scale(0)
    const smaller = Array.from({ length: 3 }, () => (shell.scale(-1), shell.zoom))
    expect(smaller).toEqual([0.9, 0.8, 0.8])
    shell.scale(0)
  })

  it('can take the space from the side', () => {
    const shell = useShell()
    shell.scale(1)
    shell.scale(1)
    expect([shell.wide, shell.desk]).toEqual([false, false])
    shell.scale(0)
    expect(shell.desk).toBe(true)
  })

  it('leaves the side to somebody who works in it', () => {
    const shell = useShell()
    const desk = document.createElement('aside')
    desk.dataset.desk = ''
    desk.innerHTML = '<button></button>'
    document.body.append(desk)
    desk.querySelector('button')?.focus()
    shell.scale(1)
    shell.scale(1)
    expect([shell.wide, shell.inPlace]).toEqual([false, 'desk'])
    // Its place changes, and the focus is not back yet when the next key is pressed.
    shell.scale(0)
    desk.querySelector('button')?.remove()
    expect(document.activeElement).toBe(document.body)
    shell.scale(1)
    shell.scale(1)
    expect(shell.inPlace).toBe('desk')
    shell.scale(0)
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    shell.scale(1)
    shell.scale(1)
    expect(shell.inPlace).toBeNull()
    shell.scale(0)
    desk.remove()
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
