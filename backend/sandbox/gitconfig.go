package sandbox

import (
	"errors"
	"strings"
)

// gitSetting is one setting of git (git-config(1), "Syntax").
type gitSetting struct {
	// section is in lower case, and named says that there is a subsection, which is taken
	// as it is.
	section, subsection string
	named               bool
	key, value          string
	// bare says that it has no value, which means true.
	bare bool
}

// errGitSyntax is a file that git would refuse.
var errGitSyntax = errors.New("this is no file of git's settings")

// parseGitSettings reads a file of git's settings.
func parseGitSettings(text string) ([]gitSetting, error) {
	p := gitParser{rest: strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")}
	var all []gitSetting
	var now gitSetting
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\n")
		switch {
		case p.rest == "":
			return all, nil
		case p.rest[0] == '#' || p.rest[0] == ';':
			p.skipLine()
		case p.rest[0] == '[':
			if !p.readHeader(&now) {
				return nil, errGitSyntax
			}
		default:
			one := now
			if now.section == "" || !p.readSetting(&one) {
				return nil, errGitSyntax
			}
			all = append(all, one)
		}
	}
}

// gitParser is what is left to read.
type gitParser struct{ rest string }

func (p *gitParser) skipLine() { _, p.rest, _ = strings.Cut(p.rest, "\n") }

// takeWord takes the characters that names are made of, and more.
func (p *gitParser) takeWord(more string) string {
	n := 0
	for n < len(p.rest) && (isGitName(p.rest[n]) || strings.IndexByte(more, p.rest[n]) >= 0) {
		n++
	}
	word := p.rest[:n]
	p.rest = p.rest[n:]
	return strings.ToLower(word)
}

func isGitName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-'
}

// readHeader reads the head of a section.
func (p *gitParser) readHeader(now *gitSetting) bool {
	p.rest = p.rest[1:]
	*now = gitSetting{section: p.takeWord(".")}
	now.section, now.subsection, now.named = strings.Cut(now.section, ".")
	trimmed := strings.TrimLeft(p.rest, " \t")
	if trimmed != p.rest {
		if p.rest = trimmed; now.named || !strings.HasPrefix(p.rest, `"`) {
			return false
		}
		p.rest = p.rest[1:]
		now.named = true
		if !p.readQuoted(&now.subsection) {
			return false
		}
	}
	closed := strings.HasPrefix(p.rest, "]")
	p.rest = strings.TrimPrefix(p.rest, "]")
	return closed && now.section != ""
}

// readQuoted reads a subsection, in which a backslash stands before any character.
func (p *gitParser) readQuoted(to *string) bool {
	var text strings.Builder
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			*to, p.rest = text.String(), p.rest[i+1:]
			return true
		case c == '\n':
			return false
		case c == '\\' && i+1 < len(p.rest) && p.rest[i+1] != '\n':
			i++
			text.WriteByte(p.rest[i])
		default:
			text.WriteByte(c)
		}
	}
	return false
}

// readSetting reads a name and its value.
func (p *gitParser) readSetting(one *gitSetting) bool {
	if one.key = p.takeWord(""); one.key == "" || one.key[0] < 'a' {
		return false
	}
	p.rest = strings.TrimLeft(p.rest, " \t")
	switch {
	case strings.HasPrefix(p.rest, "="):
		p.rest = strings.TrimLeft(p.rest[1:], " \t")
		return p.readValue(&one.value)
	case p.rest == "" || p.rest[0] == '\n':
		one.bare = true
		p.skipLine()
		return true
	}
	return false
}

// gitEscapes are what a backslash makes of a character in a value.
var gitEscapes = map[byte]byte{'n': '\n', 't': '\t', 'b': '\b', '"': '"', '\\': '\\'}

// readValue reads a value to the end of its last line.
func (p *gitParser) readValue(to *string) bool {
	var text strings.Builder
	quoted, end := false, 0 // end is where white space that counts ends
	for i := 0; i < len(p.rest); i++ {
		c := p.rest[i]
		switch {
		case c == '\n' || !quoted && (c == '#' || c == ';'):
			p.rest = p.rest[i:]
			p.skipLine()
			*to = text.String()[:end]
			return !quoted
		case c == '"':
			quoted = !quoted
			end = text.Len()
		case c == '\\':
			if i++; i == len(p.rest) {
				return false
			}
			if p.rest[i] == '\n' {
				continue
			}
			escaped, ok := gitEscapes[p.rest[i]]
			if !ok {
				return false
			}
			text.WriteByte(escaped)
			end = text.Len()
		default:
			text.WriteByte(c)
			if quoted || c != ' ' && c != '\t' {
				end = text.Len()
			}
		}
	}
	p.rest = ""
	*to = text.String()[:end]
	return !quoted
}

var (
	subsectionEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	valueEscapes      = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\b", `\b`)
)

// String writes the setting so that git reads the same.
func (s gitSetting) String() string {
	head := "[" + s.section
	if s.named {
		head += ` "` + subsectionEscapes.Replace(s.subsection) + `"`
	}
	if s.bare {
		return head + "]\n\t" + s.key + "\n"
	}
	return head + "]\n\t" + s.key + ` = "` + valueEscapes.Replace(s.value) + "\"\n"
}
