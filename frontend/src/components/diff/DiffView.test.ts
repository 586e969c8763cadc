import { mount, type VueWrapper } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'

import DiffView from './DiffView.vue'

const show = (diff: string) => mount(DiffView, { props: { diff } })

const rows = (diff: VueWrapper) => diff.element.querySelectorAll('.row').length

const newFile = (lines: string[]) =>
  `--- /dev/null\n+++ b/a\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`

describe('DiffView', () => {
  it('is a labelled region that the keyboard scrolls', () => {
    const diff = show('@@ -1 +1 @@\n-return 28\n+return 29\n')
    const region = diff.get('[role=region]')
    expect(region.attributes('tabindex')).toBe('0')
    expect(region.attributes('aria-label')).toBe('Changes: lines added 1, removed 1')
  })

  it('marks lines with signs and words with underline and line-through', () => {
    const diff = show('@@ -1,2 +1,2 @@\n a\n-return 28\n+return 29\n')
    expect(diff.findAll('.row').map((row) => row.text())).toEqual(['1a', '2−return 28', '2+return 29'])
    expect(diff.get('ins').text()).toBe('29')
    expect(diff.get('del').text()).toBe('28')
  })

  it('HITL-10 makes hidden characters visible, inside changed words too', () => {
    const diff = show('@@ -1 +1 @@\n-a = 1\n+a = \u202E1\n')
    expect(diff.get('.added').text()).toContain('‹U+202E›1')
    expect(diff.html()).not.toContain('\u202E')
  })

  it('shows text as text', () => {
    const diff = show(newFile(['<img src=x onerror=alert(1)>']))
    expect(diff.find('img').exists()).toBe(false)
    expect(diff.text()).toContain('<img src=x onerror=alert(1)>')
  })

  // So many rows take their time on a busy computer.
  it('shows 2,000 rows until all are asked for', { timeout: 30_000 }, async () => {
    const diff = show(newFile(Array.from({ length: 2500 }, (_, i) => `line ${i}`)))
    expect(rows(diff)).toBe(2000)
    await diff.get('button').trigger('click')
    expect(rows(diff)).toBe(2500)
    expect(diff.find('button').exists()).toBe(false)
  })

  it('cuts a very long line until all is asked for', async () => {
    const diff = show(newFile(['x'.repeat(300_000)]))
    expect(diff.get('.text').text()).toHaveLength(200_000)
    await diff.get('button').trigger('click')
    expect(diff.get('.text').text()).toHaveLength(300_000)
    await diff.setProps({ diff: newFile(['y'.repeat(300_000)]) })
    expect(diff.get('.text').text()).toHaveLength(200_000)
  })

  it('says so when no line changes', () => {
    expect(show('--- a/a\n+++ b/a\n').text()).toBe('No line changes.')
  })
})
