import { expect, it } from 'vitest'

import { namedFile } from './paths'

it.each([
  ['src/date/parser.go', 'src/date/parser.go', 0],
  ['src/date/parser.go:41', 'src/date/parser.go', 41],
  ['backend/x.go:41:7', 'backend/x.go', 41],
  ['backend/x.go:41-45', 'backend/x.go', 41],
  ['README.md#L12', 'README.md', 12],
  ['README.md#L12-L20', 'README.md', 12],
  ['./a.go', './a.go', 0],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx', 0],
  ['cmd/tool', 'cmd/tool', 0],
  ['.github/dependabot', '.github/dependabot', 0],
  ['文档/说明.md:3', '文档/说明.md', 3],
])('DESK-09: %s names a file', (text, name, line) => {
  expect(namedFile(text)).toEqual({ name, line })
})

it.each([
  'go test ./...',
  'https://example.org/a.go',
  'Parse',
  'a.go:x',
  '-o/x.txt',
  'src/',
  '...',
  '',
  'x'.repeat(400) + '.go',
  'a\u0000\nb.go',
])('DESK-09: %j names none', (text) => {
  expect(namedFile(text)).toBeNull()
})
