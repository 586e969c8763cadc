package skill

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

const (
	// maxCharacters bounds what one call gives to the model (SPEC §13).
	maxCharacters = 32_000
	// lineCharacters is how much of one line is shown.
	lineCharacters = 8000
	// secretBytes is how much of a line is looked at after what is shown of it, for the rest of
	// a secret value.
	secretBytes = 4 << 10
)

// page is a part of a text.
type page struct {
	// space is how many characters it may have.
	space int

	text strings.Builder
	// line is the number of lines gone past, taken of those in text.
	line, taken int
	// more, cut and crlf report that the text goes on after the page, and that lines were
	// shortened, or ended in CRLF.
	more, cut, crlf bool
	secrets         workspace.Hider
}

// fill takes lines of a text, which is valid UTF-8, from the first one on. The error is that of ctx.
func (p *page) fill(ctx context.Context, text string, first int) error {
	for line := range strings.Lines(text) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.line+1 < first {
			p.secrets.Pass([]byte(line))
			p.line++
			continue
		}
		if p.more = !p.add(line); p.more {
			return nil
		}
	}
	return nil
}

// add takes the next line, or returns false when the page is full.
func (p *page) add(line string) bool {
	bare := strings.TrimSuffix(line, "\n")
	text := strings.TrimSuffix(bare, "\r")
	crlf := text != bare
	shown := firstCharacters(text, lineCharacters)
	cut := shown != text
	secrets := p.secrets // as they are if the line is taken
	text = secrets.Part(text[:min(len(text), len(shown)+secretBytes)], len(shown))
	if cut {
		text += "…"
	}
	length := utf8.RuneCountInString(text) + 1
	if length > p.space {
		return false
	}
	p.space -= length
	p.secrets = secrets
	p.line++
	p.taken++
	p.cut, p.crlf = p.cut || cut, p.crlf || crlf
	p.text.WriteString(text + "\n")
	return true
}

// notices says what a reader of the page has to know.
func (p *page) notices() (notices []string) {
	if p.more {
		notices = append(notices, fmt.Sprintf("lines %d to %d; more follow: go on with offset %d", p.line-p.taken+1, p.line, p.line+1))
	}
	if p.cut {
		notices = append(notices, fmt.Sprintf("lines over %d characters are cut", lineCharacters))
	}
	if p.secrets.Hidden > 0 {
		notices = append(notices, tool.HiddenSecrets(p.secrets.Hidden))
	}
	if p.crlf {
		notices = append(notices, "lines end in CRLF")
	}
	if p.taken == 0 {
		notices = append(notices, "there is no text")
	}
	return notices
}
