package workspace

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A mark stands where a secret value was hidden, and says how long it is.
const (
	markStart = "[secret hidden: "
	markEnd   = " characters]"
)

var markPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(regexp.QuoteMeta(markStart) + `[0-9]+` + regexp.QuoteMeta(markEnd))
})

// Marks counts the marks of hidden values in a text.
func Marks(text string) int {
	if !strings.Contains(text, markStart) {
		return 0
	}
	return len(markPattern().FindAllStringIndex(text, -1))
}

// Hider replaces secret values of known forms in the lines of one text by marks
// (SPEC SEC-10): keys of known providers, tokens and passwords in addresses and
// headers, private keys. It is given every line of the text from the first to the
// last that is shown, in order. The zero Hider is ready for the first line.
type Hider struct {
	// Hidden counts the values that were replaced.
	Hidden int
	// key is where in a private key of several lines the next line is.
	key keyState
}

type keyState int

const (
	outsideKey keyState = iota
	// keyBegun is between the line that begins a key and its first characters.
	keyBegun
	insideKey
)

// Pass takes a line that is not shown.
func (h *Hider) Pass(line []byte) {
	if h.key != outsideKey || bytes.Contains(line, []byte(keyMarker)) {
		h.key = h.key.next(string(line))
	}
}

// Under reports whether a private key of several lines has begun and may go on.
func (h *Hider) Under() bool { return h.key != outsideKey }

// InKey reports whether the next line is one of those that make a private key.
func (h *Hider) InKey(line []byte) bool {
	return h.key != outsideKey && h.key.next(string(line)) == insideKey && keyBody(string(line)) != ""
}

// Line returns a line of up to some thousand bytes as it may be shown. Its time
// grows with the length of the line.
func (h *Hider) Line(line string) string { return h.Part(line, len(line)) }

// Part returns the first so many bytes of a line as they may be shown. A value that
// goes on after them is replaced as well.
func (h *Hider) Part(line string, length int) string {
	before := h.key
	h.key = before.next(line)
	body := ""
	if h.key == insideKey {
		body = keyBody(line)
	}
	if body != "" {
		if before == keyBegun {
			h.Hidden++
		}
		at := strings.Index(line, body)
		return line[:at] + markValue(body) + line[at+len(body):]
	}
	spans := secretSpans(line)
	if len(spans) == 0 {
		return line[:length]
	}
	var shown strings.Builder
	from := 0
	for _, s := range spans {
		if s.start >= length {
			break
		}
		shown.WriteString(line[from:s.start])
		shown.WriteString(markValue(line[s.start:s.end]))
		from = s.end
		h.Hidden++
	}
	if from < length {
		shown.WriteString(line[from:length])
	}
	return shown.String()
}

// HasKeys reports whether a text may have private keys of several lines, for which a
// Hider has to be given each line.
func HasKeys(text []byte) bool { return bytes.Contains(text, []byte(keyMarker)) }

// HideSecrets returns a text as it may be shown, and how many values it replaced.
func HideSecrets(text string) (shown string, hidden int) {
	var h Hider
	var b strings.Builder
	for line := range strings.Lines(text) {
		content := strings.TrimRight(line, "\r\n")
		b.WriteString(h.Line(content))
		b.WriteString(line[len(content):])
	}
	return b.String(), h.Hidden
}

func markValue(value string) string {
	return fmt.Sprint(markStart, utf8.RuneCountInString(value), markEnd)
}

// span is where in a line a value stands.
type span struct{ start, end int }

// secretSpans returns where a line holds secret values, in order, none of them
// touching another.
func secretSpans(line string) []span {
	var found []span
	for _, f := range forms() {
		if f.isPresent(line) {
			found = f.find(line, found)
		}
	}
	if len(found) < 2 {
		return found
	}
	slices.SortFunc(found, func(a, b span) int { return a.start - b.start })
	joined := found[:1]
	for _, s := range found[1:] {
		if last := &joined[len(joined)-1]; s.start <= last.end {
			last.end = max(last.end, s.end)
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}

var (
	// beginsKey is the end of a line after which a private key follows, and keyHeader
	// a line that can stand between the two.
	beginsKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----$`) })
	keyHeader = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z-]+: `) })
)

// keyMarker is what each such line has.
const keyMarker = "-----BEGIN "

// firstKeyLine is how many characters the first line of a key has at least.
const firstKeyLine = 40

// next returns the state after a line.
func (k keyState) next(line string) keyState {
	if k == outsideKey && !strings.Contains(line, keyMarker) {
		return outsideKey
	}
	body := keyBody(line)
	switch {
	case beginsKey().MatchString(body):
		return keyBegun
	case k == outsideKey:
		return outsideKey
	case body == "", k == keyBegun && keyHeader().MatchString(body):
		return k
	case !isBase64(body), k == keyBegun && len(body) < firstKeyLine:
		return outsideKey
	}
	return insideKey
}

// keyBody returns a line of a private key without what stands around it in settings
// and programs: quotes, commas, signs of comments, ends of lines as they are written.
func keyBody(line string) string {
	const around = " \t\r\n\"'`,;#>*|+"
	return strings.Trim(strings.TrimSuffix(strings.Trim(line, around), `\n`), around)
}

func isBase64(text string) bool {
	for i := range len(text) {
		c := text[i]
		if !isAlphanumeric(c) && c != '+' && c != '/' && c != '=' {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
