package extract

import (
	"strconv"
	"strings"
)

// parseFormat reads a format.
func parseFormat(code string) numberFormat {
	if code == "" || strings.EqualFold(code, "General") || code == "@" {
		return numberFormat{}
	}
	const longest = 255 // characters, as in Excel
	if len(code) > 4*longest {
		return numberFormat{}
	}
	var f numberFormat
	for _, section := range splitSections(code) {
		f.sections = append(f.sections, parseSection(section))
	}
	return f
}

// splitSections parts a format at its semicolons.
func splitSections(code string) (sections []string) {
	start, quoted := 0, false
	for i := 0; i < len(code); i++ {
		switch code[i] {
		case '\\':
			i++
		case '"':
			quoted = !quoted
		case ';':
			if !quoted {
				sections = append(sections, code[start:i])
				start = i + 1
			}
		}
	}
	return append(sections, code[start:])
}

// formatParser goes through a section from left to right.
type formatParser struct {
	formatSection
	// point says that what comes are decimals, and began that digits came.
	point, began bool
}

func parseSection(code string) formatSection {
	p := &formatParser{}
	for code != "" {
		code = code[p.next(code):]
	}
	if p.isDate {
		p.markMinutes()
	}
	return p.formatSection
}

// next takes the first piece of a code, and returns its length.
func (p *formatParser) next(code string) int {
	switch c := code[0]; {
	case c == '"':
		end := strings.IndexByte(code[1:], '"')
		if end < 0 {
			end = len(code) - 1
		}
		p.literal(code[1 : 1+end])
		return min(end+2, len(code))
	case c == '\\' && len(code) > 1:
		n := runeLength(code[1:])
		p.literal(code[1 : 1+n])
		return 1 + n
	case (c == '_' || c == '*') && len(code) > 1:
		return 1 + runeLength(code[1:])
	case c == '[':
		return p.bracket(code)
	case strings.HasPrefix(strings.ToUpper(code), "AM/PM"):
		p.date("AM/PM")
		return len("AM/PM")
	case strings.HasPrefix(strings.ToUpper(code), "GENERAL"):
		p.digit()
		p.decimals = shownDigits
		return len("GENERAL")
	case strings.IndexByte("yYmMdDhHsS", c) >= 0:
		n := 1
		for n < len(code) && code[n]|0x20 == c|0x20 {
			n++
		}
		p.date(strings.ToLower(code[:n]))
		return n
	case c == '@':
		return 1
	}
	if n := p.number(code); n > 0 {
		return n
	}
	n := runeLength(code)
	p.literal(code[:n])
	return n
}

// number takes the first piece of a code, if it says how the digits are shown, and returns its length.
func (p *formatParser) number(code string) int {
	switch c := code[0]; {
	case c == '0' || c == '#' || c == '?':
		p.placeholder(c)
		return 1
	case c == '.' && p.isDate:
		n := 1 + countDigits(code[1:], "0")
		p.pieces = append(p.pieces, formatPiece{code[:n], n > 1})
		return n
	case c == '.':
		p.digit()
		p.point = true
		return 1
	case c == ',':
		p.comma(code[1:])
		return 1
	case c == '%':
		p.percents++
		p.literal("%")
		return 1
	case (c == 'E' || c == 'e') && len(code) > 1 && (code[1] == '+' || code[1] == '-'):
		p.exponent = countDigits(code[2:], "0#")
		return 2 + p.exponent
	case c == '/' && p.began && !p.isDate:
		p.fraction = true
		return 1
	case p.fraction && c >= '1' && c <= '9':
		const longest = 4
		n := min(longest, countDigits(code, "0123456789"))
		p.lower, _ = strconv.Atoi(code[:n])
		return n
	case c == ' ' && p.began && !p.isDate && strings.Contains(code, "/"):
		return 1 // it parts the whole from the fraction
	}
	return 0
}

// countDigits is how many characters at the beginning of a code are among some.
func countDigits(code, among string) int {
	return len(code) - len(strings.TrimLeft(code, among))
}

func runeLength(text string) int {
	for i := range text {
		if i > 0 {
			return i
		}
	}
	return len(text)
}

// bracket takes what stands in brackets: a sign of a currency, a time that goes beyond a day, or a
// colour or a condition, which show nothing.
func (p *formatParser) bracket(code string) int {
	end := strings.IndexByte(code, ']')
	if end < 0 {
		return len(code)
	}
	inner := code[1:end]
	if sign, ok := strings.CutPrefix(inner, "$"); ok {
		sign, _, _ = strings.Cut(sign, "-")
		p.literal(sign)
	} else if field := strings.ToLower(inner); field != "" && strings.Trim(field, string(field[0])) == "" && strings.ContainsAny(field, "hms") {
		p.date("[" + field)
	}
	return end + 1
}

func (p *formatParser) literal(text string) {
	if text != "" {
		p.pieces = append(p.pieces, formatPiece{text, false})
	}
}

func (p *formatParser) date(field string) {
	p.isDate = true
	p.pieces = append(p.pieces, formatPiece{field, true})
}

// digit marks where the number is shown.
func (p *formatParser) digit() {
	if !p.began {
		p.began = true
		p.pieces = append(p.pieces, formatPiece{numberField, true})
	}
}

func (p *formatParser) placeholder(c byte) {
	p.digit()
	switch {
	case p.fraction:
		p.lowerDigits++
	case p.point:
		p.decimals++
		if c != '#' {
			p.least = p.decimals
		}
	case c == '0':
		p.whole++
	}
}

// comma takes a comma: between digits it groups them, after them it divides by a thousand.
func (p *formatParser) comma(rest string) {
	switch {
	case !p.began:
		p.literal(",")
	case rest != "" && strings.IndexByte("0#?", rest[0]) >= 0 && !p.point:
		p.grouped = true
	default:
		p.thousands++
	}
}

// markMinutes makes minutes of months that stand beside hours or seconds.
func (p *formatParser) markMinutes() {
	last := -1
	for i, piece := range p.pieces {
		if !piece.field {
			continue
		}
		isMonth := piece.text == "m" || piece.text == "mm"
		switch {
		case isMonth && last >= 0 && strings.Contains(p.pieces[last].text, "h"):
			p.pieces[i].text = strings.ReplaceAll(piece.text, "m", "n")
		case strings.Contains(piece.text, "s") && last >= 0 && strings.Trim(p.pieces[last].text, "m") == "":
			p.pieces[last].text = strings.ReplaceAll(p.pieces[last].text, "m", "n")
		}
		last = i
	}
}
