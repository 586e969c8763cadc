package skill

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// delimiter is the line before and after the front matter.
const delimiter = "---"

// frontMatter is what stands at the top of a SKILL.md, as far as it is understood: keys of the top
// level with texts. It is read as YAML, but for texts with a colon in them, which need no quotes
// here, and for nested values, of which the lines are joined.
type frontMatter struct {
	// values are the texts by key, without space around them.
	values map[string]string
	// repeated are keys that stand there more than once, of which the first counts, and unread
	// counts the lines that say nothing.
	repeated []string
	unread   int
}

// splitText parts a SKILL.md, which is UTF-8, into the lines of its front matter and its body.
// found is false where it begins with none, and closed where no line ends it.
func splitText(text string) (lines []string, body string, found, closed bool) {
	rest := text
	for rest != "" {
		line, below, _ := strings.Cut(rest, "\n")
		rest = below
		line = strings.TrimRight(line, " \t\r")
		switch {
		case !found && line == "":
		case !found && line != delimiter:
			return nil, text, false, false
		case !found:
			found = true
		case line == delimiter || line == "...":
			return lines, rest, true, true
		default:
			lines = append(lines, line)
		}
	}
	return lines, "", found, false
}

// parseFrontMatter reads the lines of a front matter, which have no space at their ends.
func parseFrontMatter(lines []string) frontMatter {
	m := frontMatter{values: map[string]string{}}
	for i := 0; i < len(lines); {
		line := lines[i]
		i++
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, ok := cutKey(line)
		if !ok {
			m.unread++
			continue
		}
		below := i
		for i < len(lines) && belongsAbove(lines[i], value) {
			i++
		}
		text := readValue(value, lines[below:i])
		if _, again := m.values[key]; again {
			m.repeated = append(m.repeated, key)
			continue
		}
		m.values[key] = text
	}
	return m
}

// cutKey parts a line of the top level at the first colon that has space, or nothing, after it.
func cutKey(line string) (key, value string, ok bool) {
	if isSpace(line[0]) {
		return "", "", false
	}
	for at := 0; at < len(line); at++ {
		if line[at] == ':' && (at+1 == len(line) || isSpace(line[at+1])) {
			key = strings.Trim(strings.TrimSpace(line[:at]), `"'`)
			return key, strings.TrimSpace(line[at+1:]), key != ""
		}
	}
	return "", "", false
}

// belongsAbove reports whether a line goes on with the value of the key before it: it is
// indented, or empty, or an element of a list that is the value.
func belongsAbove(line, value string) bool {
	return line == "" || isSpace(line[0]) || value == "" && (line == "-" || strings.HasPrefix(line, "- "))
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' }

// readValue reads a value that begins behind its key and goes on in the lines below.
func readValue(value string, below []string) string {
	if style, ok := blockStyle(value); ok {
		return readBlock(style, below)
	}
	if value != "" && (value[0] == '"' || value[0] == '\'') {
		if text, ok := unquote(joinLines(value, below)); ok {
			return strings.TrimSpace(text)
		}
	}
	if strings.HasPrefix(value, "#") {
		value = ""
	}
	text := joinLines(cutComment(value), below)
	switch {
	case text == "~" || text == "null":
		return ""
	case strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]"):
		return strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// blockStyle reports whether a value is the head of a block, and which: | keeps its lines, > joins
// them. What else stands in a head is about space at the ends, which is not kept.
func blockStyle(value string) (style byte, ok bool) {
	if value == "" || value[0] != '|' && value[0] != '>' {
		return 0, false
	}
	head := strings.TrimLeft(value[1:], "+-123456789")
	return value[0], head == "" || isSpace(head[0]) && strings.HasPrefix(strings.TrimSpace(head), "#")
}

// readBlock reads the lines of a block.
func readBlock(style byte, lines []string) string {
	indent := 0
	for _, line := range lines {
		if line != "" {
			indent = len(line) - len(strings.TrimLeft(line, " \t"))
			break
		}
	}
	var text strings.Builder
	breaks, deeperBefore := 0, false
	for _, line := range lines {
		if line == "" {
			breaks++
			continue
		}
		// A line with less space than the first one has less than it may have, and loses that.
		inner := strings.TrimLeft(line, " \t")
		if len(line)-len(inner) > indent {
			inner = line[indent:]
		}
		deeper := isSpace(inner[0])
		switch {
		case text.Len() == 0:
		case style == '|' || deeper || deeperBefore:
			text.WriteString(strings.Repeat("\n", breaks+1))
		case breaks > 0:
			text.WriteString(strings.Repeat("\n", breaks))
		default:
			text.WriteByte(' ')
		}
		text.WriteString(inner)
		breaks, deeperBefore = 0, deeper
	}
	return strings.TrimSpace(text.String())
}

// joinLines joins a value that goes on in the lines below with them, as YAML does outside of
// blocks: an empty line is a line break, any other end of a line a space. The hyphens of a list
// become commas.
func joinLines(value string, below []string) string {
	var text strings.Builder
	text.WriteString(value)
	breaks, listed := 0, false
	for _, line := range below {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			breaks++
			continue
		}
		item, isItem := strings.CutPrefix(line, "- ")
		switch {
		case text.Len() == 0:
		case value == "" && isItem && listed:
			text.WriteString(", ")
		case breaks > 0:
			text.WriteString(strings.Repeat("\n", breaks))
		default:
			text.WriteByte(' ')
		}
		if value == "" && isItem {
			line, listed = strings.TrimSpace(item), true
		}
		text.WriteString(line)
		breaks = 0
	}
	return strings.TrimSpace(text.String())
}

// cutComment removes a comment from the end of an unquoted value.
func cutComment(value string) string {
	for at := 1; at < len(value); at++ {
		if value[at] == '#' && isSpace(value[at-1]) {
			return strings.TrimSpace(value[:at])
		}
	}
	return value
}

// unquote returns the text of a quoted value. ok is false where the quotation does not end, or
// more than a comment follows: it is no quotation then.
func unquote(value string) (text string, ok bool) {
	quote := value[0]
	var out strings.Builder
	for at := 1; at < len(value); at++ {
		c := value[at]
		switch {
		case c == quote && quote == '\'' && strings.HasPrefix(value[at+1:], "'"):
			out.WriteByte('\'')
			at++
		case c == quote:
			rest := strings.TrimSpace(value[at+1:])
			return out.String(), rest == "" || rest[0] == '#'
		case c == '\\' && quote == '"':
			r, length := unescape(value[at+1:])
			out.WriteString(r)
			at += length
		default:
			out.WriteByte(c)
		}
	}
	return "", false
}

// escapes are those of one character.
var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': `"`, '/': "/", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// unescape returns what an escape stands for, and how many bytes follow its backslash. What is no
// escape stays as it is.
func unescape(rest string) (text string, length int) {
	if rest == "" {
		return `\`, 0
	}
	if text, ok := escapes[rest[0]]; ok {
		return text, 1
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[rest[0]]
	if digits > 0 && len(rest) > digits {
		if n, err := strconv.ParseUint(rest[1:1+digits], 16, 32); err == nil && n <= utf8.MaxRune {
			return string(rune(n)), 1 + digits
		}
	}
	return `\`, 0
}
