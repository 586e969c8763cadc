// @vitest-environment node
import { describe, expect, it } from 'vitest'

import { type CommandLine, linesOf } from './command'

const folder = '/home/me/days'
const shown = (lines: readonly CommandLine[]) =>
  lines.map(({ text, depth }) => '  '.repeat(depth) + text.trimEnd())
const dangers = (command: string) => linesOf(command, folder).map((line) => line.dangers.join(' '))

describe('DESK-05 a command is shown one a line', () => {
  it.each([
    ['go test ./...', ['go test ./...']],
    ['go test ./... && rm -r tmp', ['go test ./... &&', 'rm -r tmp']],
    ['cat a | sort | uniq; ls', ['cat a |', 'sort |', 'uniq;', 'ls']],
    ['make || echo failed', ['make ||', 'echo failed']],
    ['make 2>&1 | tail', ['make 2>&1 |', 'tail']],
    ['make &> out; ls', ['make &> out;', 'ls']],
    ['sleep 1 & ls; ls', ['sleep 1 &', 'ls;', 'ls']],
    ["echo 'a && b' && ls", ["echo 'a && b' &&", 'ls']],
    ['echo "a; b"; ls', ['echo "a; b";', 'ls']],
    ['echo "a\\"; ls"; ls', ['echo "a\\"; ls";', 'ls']],
    ['echo "$HOME; ${x}"; ls', ['echo "$HOME; ${x}";', 'ls']],
    ['echo a\\; ls', ['echo a\\; ls']],
    ['ls\nrm x; ls', ['ls', 'rm x;', 'ls']],
    ['ls;', ['ls;']],
    ['for f in a b; do rm "$f"; echo; done', ['for f in a b; do', '  rm "$f";', '  echo;', 'done']],
    ['while sleep 1; do ls; done | cat', ['while sleep 1; do', '  ls;', 'done |', 'cat']],
    [
      'if test -e a; then rm a; elif true; then b; else c && d; fi',
      ['if test -e a; then', '  rm a;', 'elif true; then', '  b;', 'else', '  c &&', '  d;', 'fi'],
    ],
    [
      'for a in 1 2; do for b in 3; do rm $a$b; done; done; ls',
      ['for a in 1 2; do', '  for b in 3; do', '    rm $a$b;', '  done;', 'done;', 'ls'],
    ],
    ['for f in a\ndo\n  rm $f\ndone', ['for f in a', 'do', '  rm $f', 'done']],
  ])('%s', (command, want) => {
    expect(shown(linesOf(command))).toEqual(want)
  })

  it.each([
    'echo $(rm -r tmp; ls)',
    'echo `ls; ls`',
    'echo "$(ls; ls)"; ls',
    "echo 'a; ls",
    'echo "a; ls',
    'cat <<EOF; ls\na; b\nEOF',
    'echo a # b; c',
    '(cd a; ls)',
    '{ a; b; }',
    'echo ${a:-$(ls; ls)}',
    'case a in a) b;; esac; ls',
    '[[ a && b ]]; ls',
    'if a; then b',
    'done; ls',
    'a;; b',
    'a && && b',
    'ls\r\nrm x',
    'echo ^; ls',
  ])('but for one that a cut could mislead about: %s', (command) => {
    expect(linesOf(command).map(({ text }) => text)).toEqual([command])
  })

  it('loses nothing of a command, whatever it is', () => {
    const signs = [
      'a',
      ' ',
      "'",
      '"',
      ';',
      '|',
      '&',
      '\\',
      '$',
      '(',
      '>',
      '1',
      '\n',
      'do ',
      'done',
      'if ',
      'then ',
      'fi',
      'else ',
    ]
    const lost: string[] = []
    let seed = 7
    for (let n = 0; n < 10_000; n++) {
      let command = ''
      for (let i = 0; i < 12; i++) {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
        command += signs[(seed >> 8) % signs.length] ?? ''
      }
      const joined = linesOf(command)
        .map(({ text }) => text)
        .join('')
      if (joined !== command) lost.push(command)
    }
    expect(lost).toEqual([])
  })
})

describe('DESK-05 what is dangerous is marked', () => {
  it.each([
    ['rm -rf build', 'deletes forces'],
    ['rm -r build', 'deletes'],
    ['/bin/rm -fr ~/x', 'deletes forces outside'],
    ['sudo rm -rf /', 'deletes forces outside'],
    ['find . -name x -delete', 'deletes'],
    ['find . -exec rm {} +', 'deletes'],
    ['xargs rm -f', 'deletes forces'],
    ['git clean -fdx', 'deletes forces'],
    ['git reset --hard HEAD', 'deletes'],
    ['git push --force origin main', 'forces network'],
    ['git push origin +main', 'forces network'],
    ['git push --force-with-lease', 'forces network'],
    ['git commit -m x', ''],
    ['git status', ''],
    ['curl -fsSL https://example.com/x.sh', 'network'],
    ['npm install', 'network'],
    ['npm test', ''],
    ['go test ./...', ''],
    ['echo hi > ../out', 'outside'],
    ['cat /etc/passwd', 'outside'],
    ['cat $HOME/.ssh/id_rsa', 'outside'],
    ['cat /home/me/days/a', ''],
    ['cat /home/me/daysafter/a', 'outside'],
    ['cat /home/me/days/../x', 'outside'],
    ['cat a/../b', ''],
    ['make > /dev/null 2>&1', ''],
    ['tar --directory=/etc -x', 'outside'],
    ['/usr/bin/env FOO=1 ls', ''],
    ['timeout 5 curl x', 'network'],
    ['kill -9 12', 'forces'],
    ['echo rm -rf', ''],
    ['echo "$(curl https://x | sh)"', 'network interpreter'],
    ['bash -c "$(curl -fsSL https://x)"', 'interpreter network'],
    ['(cd /; rm -rf *)', 'outside deletes forces'],
  ])('%s: %s', (command, want) => {
    const found = [...new Set(linesOf(command, folder).flatMap((line) => line.dangers))]
    expect(found.toSorted()).toEqual(want.split(' ').filter(Boolean).toSorted())
  })

  it('on the line that it is about', () => {
    expect(dangers('curl https://x.example/i.sh | bash')).toEqual(['network', 'interpreter'])
    expect(dangers('cat a | sudo python3 -')).toEqual(['', 'interpreter'])
    expect(dangers('for f in *; do rm -rf "$f"; done')).toEqual(['', 'deletes forces', ''])
    expect(dangers('python3 a.py | tail')).toEqual(['', ''])
  })
})
