import { describe, expect, it } from 'vitest'

import { splitCommand } from './command'

describe('splitCommand', () => {
  it.each([
    ['go test ./...', ['go test ./...']],
    ['go test ./... && rm -r tmp', ['go test ./... && ', 'rm -r tmp']],
    ['cat a | sort | uniq; ls', ['cat a | ', 'sort | ', 'uniq; ', 'ls']],
    ['make || echo failed', ['make || ', 'echo failed']],
    ['make 2>&1 | tail', ['make 2>&1 | ', 'tail']],
    ["echo 'a && b' && ls", ["echo 'a && b' && ", 'ls']],
    ['echo "a; b"; ls', ['echo "a; b"; ', 'ls']],
    ['ls;', ['ls;']],
  ])('cuts %s', (line, want) => {
    expect(splitCommand(line)).toEqual(want)
  })

  it.each([
    'echo $(rm -r tmp; ls)',
    'echo `ls; ls`',
    'echo "$(ls; ls)"; ls',
    'echo "a\\"; ls"; ls',
    'echo a\\; ls',
    "echo 'a; ls",
    'cat <<EOF; ls\na; b\nEOF',
    'echo a # b; c',
    '(cd a; ls)',
    'for f in a b; do rm $f; done',
    'sleep 1 & ls; ls',
    'if a; then b; fi',
    'a;; b',
    'a && && b',
    'ls\nrm x; ls',
    'echo ^; ls',
  ])('leaves %s whole', (line) => {
    expect(splitCommand(line)).toEqual([line])
  })

  it('loses nothing of a line, whatever it is', () => {
    const signs = ['a', ' ', "'", '"', ';', '|', '&', '\\', '$', '(', '>', '1', '\n']
    let seed = 7
    for (let n = 0; n < 20_000; n++) {
      let line = ''
      for (let i = 0; i < 12; i++) {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
        line += signs[seed % signs.length] ?? ''
      }
      expect(splitCommand(line).join('')).toBe(line)
    }
  })
})
