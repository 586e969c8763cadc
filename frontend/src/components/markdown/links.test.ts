// @vitest-environment node
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'

import { Fault } from '../../api/fault'
import { openLink } from '../../testing/bridge'
import { useLinks } from './links'

vi.mock('../../api/bridge', () => import('../../testing/bridge'))

let links: ReturnType<typeof useLinks>

beforeEach(() => {
  setActivePinia(createPinia())
  openLink.mockReset().mockResolvedValue(null)
  links = useLinks()
})

test('SEC-04: nothing opens before the user agreed', async () => {
  await links.follow('https://go.dev/doc')
  expect(openLink).not.toHaveBeenCalled()
  expect(links.asked?.href).toBe('https://go.dev/doc')
  await links.agree()
  expect(openLink.mock.calls).toEqual([['https://go.dev/doc']])
  expect(links.asked).toBeNull()
})

test('a name before the host, which could pass for one, is left out', async () => {
  await links.follow('https://bank.example:pass@away.example/path')
  expect(links.asked?.href).toBe('https://away.example/path')
  await links.agree()
  expect(openLink.mock.calls).toEqual([['https://away.example/path']])
})

test('each host is asked about once', async () => {
  await links.follow('https://go.dev/doc')
  await links.agree()
  await links.follow('https://go.dev/blog')
  expect(openLink).toHaveBeenLastCalledWith('https://go.dev/blog')
  await links.follow('https://go.dev:8443/')
  expect(openLink).toHaveBeenCalledTimes(2)
  expect(links.asked?.host).toBe('go.dev:8443')
})

test('a refusal is not remembered as an agreement', async () => {
  await links.follow('https://go.dev/doc')
  links.dismiss()
  await links.follow('https://go.dev/doc')
  expect(links.asked).not.toBeNull()
  expect(openLink).not.toHaveBeenCalled()
})

test('an address with look-alike letters is shown as it is', async () => {
  await links.follow('https://аpple.com/')
  expect(links.asked?.href).toBe('https://xn--pple-43d.com/')
})

test('mail is asked about each time', async () => {
  await links.follow('mailto:ada@example.com')
  await links.agree()
  await links.follow('mailto:ada@example.com')
  expect(openLink).toHaveBeenCalledTimes(1)
  expect(links.asked?.protocol).toBe('mailto:')
})

test('a link that did not open is asked about again, with the fault', async () => {
  openLink.mockRejectedValue(new Fault('INTERNAL', 'no browser'))
  await links.follow('https://go.dev/doc')
  await links.agree()
  expect(links.fault?.message).toBe('no browser')
  links.dismiss()
  await links.follow('https://go.dev/blog')
  expect(links.asked?.href).toBe('https://go.dev/blog')
  expect(links.fault?.message).toBe('no browser')
})

test('what is no address is nothing', async () => {
  await links.follow('docs/a.md')
  expect(links.asked).toBeNull()
})
