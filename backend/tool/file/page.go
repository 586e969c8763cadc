package file

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

const (
	// pageLines is how many lines a read returns when none are asked for.
	pageLines = 2000
	// lineCharacters is how much of one line is shown.
	lineCharacters = 2000
	// secretBytes is how much of a line is looked at after what is shown of it, for
	// the rest of a secret value.
	secretBytes = 4 << 10
	// maxScanned bounds how far one call goes into a file, in bytes.
	maxScanned = 512 << 20
)

// page is a part of a text, taken line by line without holding the rest.
type page struct {
	// first is the number of the line to begin with, from 1; limit is how many
	// lines to take.
	first, limit int
	// numbers puts its number before each line.
	numbers bool

	text       strings.Builder
	characters int
	// line is the number of lines gone past, taken of those in text.
	line, taken int
	// shift is what is added to the number of a line where lines are counted from the
	// end; 0 where they are not.
	shift int
	// crlf, cut and invalid say that lines ended in CRLF, were shortened, or had
	// bytes that are no UTF-8.
	crlf, cut, invalid bool
	// secrets hides the secret values in what is shown.
	secrets workspace.Hider
	// more and tired say that the text goes on after the page, or was too long to
	// get to it.
	more, tired bool
}

// read fills the page from r.
func (p *page) read(ctx context.Context, r *bufio.Reader) error {
	var line []byte
	scanned, dropped := 0, false
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.taken == p.limit {
			_, err := r.Peek(1)
			p.more = err == nil
			return nil
		}
		if scanned > maxScanned {
			p.tired = true
			return nil
		}
		chunk, err := r.ReadSlice('\n')
		scanned += len(chunk)
		space := lineCharacters*utf8.UTFMax + secretBytes + 2 - len(line)
		dropped = dropped || len(chunk) > space
		line = append(line, chunk[:min(len(chunk), space)]...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the text: %w", err)
		}
		if len(line) > 0 && !p.add(line, dropped) {
			p.more = true
			return nil
		}
		if err != nil {
			return nil
		}
		line, dropped = line[:0], false
	}
}

// add takes the next line, or returns false when the page is full.
func (p *page) add(raw []byte, dropped bool) bool {
	if p.line+1 < p.first {
		p.secrets.Pass(raw)
		p.line++
		return true
	}
	line := strings.TrimSuffix(string(raw), "\n")
	crlf := strings.HasSuffix(line, "\r")
	line = strings.TrimSuffix(line, "\r")
	if dropped {
		// A character may have been split.
		for range utf8.UTFMax - 1 {
			if r, size := utf8.DecodeLastRuneInString(line); r == utf8.RuneError && size == 1 {
				line = line[:len(line)-1]
			}
		}
	}
	invalid := !utf8.ValidString(line)
	line = strings.ToValidUTF8(line, "\uFFFD")
	count := utf8.RuneCountInString(line)
	cut := dropped || count > lineCharacters
	secrets := p.secrets // as they are if the line is taken
	if cut {
		line = secrets.Part(line, charactersIn(line, lineCharacters)) + "…"
	} else {
		line = secrets.Line(line)
	}
	if p.numbers {
		line = fmt.Sprintf("%d\t%s", p.line+1+p.shift, line)
	}
	count = utf8.RuneCountInString(line) + 1
	if p.characters+count > maxCharacters {
		return false
	}
	p.characters += count
	p.secrets = secrets
	p.line++
	p.taken++
	p.crlf, p.cut, p.invalid = p.crlf || crlf, p.cut || cut, p.invalid || invalid
	p.text.WriteString(line + "\n")
	return true
}

// charactersIn returns how many bytes the first so many characters of a text have.
func charactersIn(text string, characters int) int {
	for at := range text {
		if characters--; characters < 0 {
			return at
		}
	}
	return len(text)
}

// collectNotices says what a reader of the page has to know.
func (p *page) collectNotices(encoding string) []string {
	var notices []string
	if p.shift != 0 {
		notices = append(notices, "lines are counted from the end")
	}
	if p.more {
		notices = append(notices, fmt.Sprintf("lines %d to %d; more follow: go on with offset %d", p.first+p.shift, p.line+p.shift, p.line+1+p.shift))
	}
	if p.tired {
		notices = append(notices, fmt.Sprintf("stopped after %d MiB, at line %d", maxScanned>>20, p.line))
	}
	if p.cut {
		notices = append(notices, fmt.Sprintf("lines over %d characters are cut", lineCharacters))
	}
	if encoding != "" {
		notices = append(notices, "encoding "+encoding+", shown as UTF-8")
	}
	if p.invalid {
		notices = append(notices, "bytes that are no UTF-8 are shown as \uFFFD")
	}
	if n := p.secrets.Hidden; n > 0 {
		notices = append(notices, tool.HiddenSecrets(n))
	}
	if p.crlf {
		notices = append(notices, "lines end in CRLF")
	}
	return notices
}
