// @vitest-environment node
import { expect, test } from 'vitest'

import { splitAddress } from './address'

test.each([
  ['https://example.org/a?b#c', ['https://', 'example.org', '/a?b#c']],
  ['HTTP://例.test:8080', ['HTTP://', '例.test:8080', '']],
  ['https://[::1]:80?x=https://b/', ['https://', '[::1]:80', '?x=https://b/']],
  ['https://a#@b/', ['https://', 'a', '#@b/']],
  ['https://a@b/', ['', 'https://a@b/', '']],
  ['https://a\\b/', ['', 'https://a\\b/', '']],
  ['ftp://a/b', ['', 'ftp://a/b', '']],
  ['', ['', '', '']],
])('%s', (url, want) => {
  const { before, host, after } = splitAddress(url)
  expect([before, host, after]).toEqual(want)
})
