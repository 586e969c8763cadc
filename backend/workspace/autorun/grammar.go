package autorun

import (
	"strings"
)

// setting is one of git's settings.
type setting struct {
	// key is section.name or section.subsection.name, the section and the name in
	// lower case.
	key, value string
	// origin is the file that it stands in, an absolute path.
	origin string
}

// variableName is the last part of the key.
func (s setting) variableName() string { return s.key[strings.LastIndexByte(s.key, '.')+1:] }

// sectionName is the first part of the key.
func (s setting) sectionName() string {
	section, _, _ := strings.Cut(s.key, ".")
	return section
}

// parse reads a settings file as git does (git-config(1), "Syntax"): quoted values,
// comments after them, values that go on in the next line, and settings on the line
// of their section. What follows an error is left out: git refuses such a file.
func parse(text, origin string) []setting {
	p := &parser{text: strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")}
	var all []setting
	section := ""
	for {
		p.skipBlank()
		switch p.peek() {
		case 0:
			return all
		case '#', ';':
			p.skipLine()
		case '[':
			name, ok := p.readSection()
			if !ok {
				return all
			}
			section = name
		default:
			name, value, ok := p.readSetting()
			if !ok || section == "" {
				return all
			}
			all = append(all, setting{key: section + "." + name, value: value, origin: origin})
		}
	}
}

// parser is at some byte of a text.
type parser struct {
	text string
	at   int
}

// peek returns the byte that is next, 0 at the end.
func (p *parser) peek() byte {
	if p.at >= len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// next returns it and goes on.
func (p *parser) next() byte {
	c := p.peek()
	p.at++
	return c
}

func (p *parser) skipBlank() {
	for strings.IndexByte(" \t\n\r\v\f", p.peek()) >= 0 && p.peek() != 0 {
		p.at++
	}
}

func (p *parser) skipLine() {
	for c := p.peek(); c != 0 && c != '\n'; c = p.peek() {
		p.at++
	}
}

// readSection reads [name], [name.sub] or [name "sub"].
func (p *parser) readSection() (name string, ok bool) {
	p.at++
	start := p.at
	for isKeyByte(p.peek()) || p.peek() == '.' {
		p.at++
	}
	name = strings.ToLower(p.text[start:min(p.at, len(p.text))])
	switch c := p.next(); {
	case c == ']':
		return name, name != ""
	case c != ' ' && c != '\t':
		return "", false
	}
	for p.peek() == ' ' || p.peek() == '\t' {
		p.at++
	}
	if p.next() != '"' {
		return "", false
	}
	var sub strings.Builder
	for {
		switch c := p.next(); c {
		case 0, '\n':
			return "", false
		case '"':
			return name + "." + sub.String(), p.next() == ']'
		case '\\':
			if c = p.next(); c == 0 || c == '\n' {
				return "", false
			}
			sub.WriteByte(c)
		default:
			sub.WriteByte(c)
		}
	}
}

func isKeyByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-'
}

// readSetting reads name = value, or a name alone, which is true.
func (p *parser) readSetting() (name, value string, ok bool) {
	start := p.at
	for isKeyByte(p.peek()) {
		p.at++
	}
	if name = strings.ToLower(p.text[start:p.at]); name == "" {
		return "", "", false
	}
	for p.peek() == ' ' || p.peek() == '\t' {
		p.at++
	}
	switch p.peek() {
	case '=':
		p.at++
		value, ok = p.readValue()
		return name, value, ok
	case 0, '\n', '#', ';':
		p.skipLine()
		return name, "true", true
	}
	return "", "", false
}

// readValue reads to the end of the line, or of the last line that it goes on in.
func (p *parser) readValue() (string, bool) {
	var value strings.Builder
	quoted, blanks := false, 0
	for {
		c := p.next()
		switch {
		case c == 0 || c == '\n':
			return value.String(), !quoted
		case (c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r') && !quoted:
			if value.Len() > 0 {
				blanks++ // written when something follows
			}
			continue
		case (c == '#' || c == ';') && !quoted:
			p.skipLine()
			continue
		case c == '"':
			value.WriteString(strings.Repeat(" ", blanks))
			blanks, quoted = 0, !quoted
			continue
		case c == '\\':
			escaped, ok := unescapeByte(p.next())
			if !ok {
				return "", false
			}
			if escaped == "" {
				continue // the value goes on in the next line
			}
			value.WriteString(strings.Repeat(" ", blanks) + escaped)
		default:
			value.WriteString(strings.Repeat(" ", blanks))
			value.WriteByte(c)
		}
		blanks = 0
	}
}

// unescapeByte returns what a byte after a backslash stands for.
func unescapeByte(c byte) (string, bool) {
	switch c {
	case '\n':
		return "", true
	case 't':
		return "\t", true
	case 'b':
		return "\b", true
	case 'n':
		return "\n", true
	case '\\', '"':
		return string(c), true
	}
	return "", false
}
