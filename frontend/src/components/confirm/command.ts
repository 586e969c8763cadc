/** Words that a shell reads as part of what they begin, so a cut there would mislead. */
const keywords = /^(?:if|then|elif|else|fi|for|while|until|do|done|case|esac|select|function|time|\[\[)\b/

/**
 * The commands of a command line, each with the sign that follows it: put
 * together they are the line. Only a line that is plain to read is cut, with
 * nothing in it that could make a cut mislead; any other one comes back whole.
 */
export function splitCommand(line: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let i = 0; i < line.length;) {
    const character = line.charAt(i)
    if (character === "'" || character === '"') {
      const end = line.indexOf(character, i + 1)
      if (end < 0 || (character === '"' && /[\\`$!]/.test(line.slice(i, end)))) return [line]
      i = end + 1
      continue
    }
    const sign = /^(?:&&|\|\||\||;)\s*/.exec(line.slice(i, i + 1000))?.[0]
    if (sign !== undefined) {
      i += sign.length
      parts.push(line.slice(from, i))
      from = i
      continue
    }
    if (/[\n\r\\`(){}#^!&<]/.test(character) && !isDuplicated(line, i)) return [line]
    i++
  }
  if (from < line.length) parts.push(line.slice(from))
  return parts.every((part) => /[^\s|&;]/.test(part) && !keywords.test(part)) ? parts : [line]
}

/** An & that names where output goes, as in 2>&1. */
const isDuplicated = (line: string, at: number) => /^>&[0-9]$/.test(line.slice(at - 1, at + 2))
