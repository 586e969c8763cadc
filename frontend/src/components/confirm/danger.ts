/** What is dangerous about a command, as far as its words show. It is a help for the eye:
    what keeps a command in bounds is the confinement, not this. */

/** A kind of danger; the interface has a word for each. */
export type Danger = 'deletes' | 'forces' | 'network' | 'outside' | 'interpreter'

/** Commands that run the command behind them. */
const wrappers =
  /^(?:sudo|doas|env|nice|nohup|time|exec|command|builtin|xargs|timeout|stdbuf|setsid|ionice|busybox)$/
const interpreters =
  /^(?:(?:ba|z|da|k|c|tc|fi)?sh|python[\d.]*|perl|ruby|node|deno|bun|php|lua|pwsh|powershell|osascript|tclsh|awk)$/
const removers =
  /^(?:rm|rmdir|unlink|shred|truncate|srm|trash|wipefs|mkfs(?:\..+)?|dd|del|erase|rd|Remove-Item)$/
const callers =
  /^(?:curl|wget|ssh|scp|sftp|rsync|nc|ncat|netcat|socat|telnet|ftp|aria2c|gh|glab|aws|gcloud|az|kubectl|npx|bunx|uvx|http|https|dig|nslookup|ping|apt|apt-get|dnf|yum|brew|apk|pacman)$/

/** Programs of which some commands reach for the network, and which those are. */
const reaching: Readonly<Record<string, RegExp>> = {
  git: /^(?:push|pull|fetch|clone|ls-remote|submodule|remote)$/,
  npm: /^(?:i|install|ci|add|update|publish|exec|audit)$/,
  pnpm: /^(?:i|install|add|update|publish|dlx)$/,
  yarn: /^(?:install|add|upgrade|publish|dlx)$/,
  bun: /^(?:install|add|update|publish|x)$/,
  pip: /^(?:install|download)$/,
  pip3: /^(?:install|download)$/,
  uv: /^(?:add|sync|pip|tool)$/,
  cargo: /^(?:install|publish|fetch|update|add)$/,
  go: /^(?:get|install|mod)$/,
  gem: /^(?:install|update|push)$/,
  composer: /^(?:install|update|require)$/,
  docker: /^(?:pull|push|run|build|login)$/,
}

/** The same for commands that throw something away. */
const dropping: Readonly<Record<string, RegExp>> = {
  git: /^(?:clean|rm|reset .*--hard|checkout (?:.* )?--(?: .*)?|restore|branch .*(?:-[dD]|--delete)|stash (?:drop|clear)|push .*(?:--delete|-d)|worktree remove|filter-branch)(?: |$)/,
  docker: /^(?:rm|rmi|(?:\w+ )?prune|(?:\w+ )?rm)(?: |$)/,
  kubectl: /^delete(?: |$)/,
  npm: /^(?:unpublish|uninstall)(?: |$)/,
}

/** The dangers of one command; piped where it reads what another one writes. */
export function dangersOf(command: string, piped: boolean, folder: string): Danger[] {
  const words = wordsOf(command)
  const [name = '', ...args] = withoutWrappers(words)
  const rest = args.join(' ')
  const short = args.filter((word) => /^-[A-Za-z]/.test(word)).join('')
  const found: Danger[] = []
  const removes = removers.test(name) || (dropping[name]?.test(rest) ?? false)
  if (removes || (name === 'find' && /(?:^| )-(?:delete|exec(?:dir)? (?:\S*\/)?rm)(?: |$)/.test(rest)))
    found.push('deletes')
  if (isForced(name, args, short)) found.push('forces')
  if (
    callers.test(name) ||
    reaching[name]?.test(args.find((word) => !word.startsWith('-')) ?? '') ||
    isAddress(rest)
  )
    found.push('network')
  if (args.some((word) => isOutside(word, folder))) found.push('outside')
  if ((piped || words.includes('xargs')) && interpreters.test(name)) found.push('interpreter')
  if (/^(?:eval|source|\.)$/.test(name) && piped) found.push('interpreter')
  return found
}

/** The dangers anywhere in a text that cannot be cut into commands. */
export function dangersWithin(text: string, folder: string): Danger[] {
  const found = new Set<Danger>()
  let piped = false
  for (const part of text.split(/(\|\||&&|[;|&\n(){}`])/)) {
    if (/^(?:\|\||&&|[;|&\n(){}`])$/.test(part)) {
      piped = part === '|'
      continue
    }
    const command = part.trim().replace(/^["'$]+|^(?:do|then|else|if|while|until|!)\s+/, '')
    for (const one of dangersOf(command, piped, folder)) found.add(one)
  }
  // A shell that is given what a download says.
  if (/\b(?:ba|z|da)?sh\s+-\w*c\s+["']?(?:\$\(|`)|\beval\s+["']?(?:\$\(|`)/.test(text))
    found.add('interpreter')
  return [...found]
}

function isForced(name: string, args: readonly string[], short: string): boolean {
  if (args.some((word) => /^--force(?:$|[-=])/.test(word) || word === '--no-preserve-root')) return true
  if (/^(?:rm|cp|mv|ln|git|docker|kill|pkill|killall)$/.test(name) && /f/.test(short)) return true
  if (/^p?kill(?:all)?$/.test(name) && /9|KILL/.test(short + args.join(' '))) return true
  return name === 'git' && args[0] === 'push' && args.slice(1).some((word) => word.startsWith('+'))
}

const isAddress = (text: string) => /\b(?:https?|ftp|ssh|git|s3):\/\/|\/dev\/(?:tcp|udp)\//.test(text)

/** The words of a command, without their quotes; signs that lead output stand alone. */
function wordsOf(command: string): string[] {
  const words = command.match(/(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'<>]|["'])+|[<>]+&?/g) ?? []
  return words.map((word) => word.replaceAll(/\\(.)|["']/g, '$1'))
}

/** A command without assignments and programs that only run it, its name without folders. */
function withoutWrappers(words: readonly string[]): string[] {
  let at = 0
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    const wrapped = at > 0 && /^(?:-|\d+[smh]?$)/.test(word)
    if (!/^\w+=/.test(word) && !wrappers.test(nameOf(word)) && !wrapped && !/^[;&|]+$/.test(word)) break
  }
  const [name = '', ...args] = words.slice(at)
  return [nameOf(name), ...args]
}

const nameOf = (word: string) =>
  word
    .replace(/^.*\//, '')
    .replace(/[;&|]+$/, '')
    .replace(/\.exe$/i, '')

/** Reports whether a word names something that does not lie in the folder. */
function isOutside(argument: string, folder: string): boolean {
  const word = argument.replace(/^-{1,2}[\w-]+=|^\w+=/, '').replace(/[;&|]+$/, '')
  if (/^(?:~|\$HOME|\$\{HOME\})(?:\/|$)/.test(word) || /^[A-Za-z]:[\\/]/.test(word)) return true
  if (word.startsWith('/')) {
    if (/^\/dev\/(?:null|stdin|stdout|stderr|fd|tcp|udp|zero|u?random)/.test(word)) return false
    return (
      folder === '' ||
      (word !== folder && !word.startsWith(`${folder}/`)) ||
      climbs(word.slice(folder.length))
    )
  }
  return climbs(word)
}

/** Reports whether a path leads above where it begins. */
function climbs(path: string): boolean {
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return true
  }
  return false
}
