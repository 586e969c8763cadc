package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/wlynxg/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	textunicode "golang.org/x/text/encoding/unicode"
)

const (
	// prescan is how far into a page it may name its own encoding, bytes. Browsers
	// look at 1,024 first and start again where they find it later.
	prescan = 4 << 10
	// sampleSize is how much of a page its encoding is guessed from, bytes.
	sampleSize = 64 << 10
	// confident is the detector's confidence from which it is believed.
	confident = 0.7
)

// declaration is how HTML and XML name their own encoding.
var declaration = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)<(?:meta\s[^>]*?charset|\?xml\s[^>]*?encoding)\s*=\s*["']?\s*([\w.:-]+)`)
})

// marks are the byte order marks that name an encoding.
var marks = []struct {
	mark string
	from encoding.Encoding
}{
	{"\xef\xbb\xbf", textunicode.UTF8},
	{"\xff\xfe", textunicode.UTF16(textunicode.LittleEndian, textunicode.IgnoreBOM)},
	{"\xfe\xff", textunicode.UTF16(textunicode.BigEndian, textunicode.IgnoreBOM)},
}

// Decode returns a text as valid UTF-8 without a byte order mark. declared is what its encoding is
// called where it comes from; empty for nothing.
func Decode(body []byte, declared string) string {
	var from encoding.Encoding
	for _, m := range marks {
		if rest, found := bytes.CutPrefix(body, []byte(m.mark)); found {
			body, from = rest, m.from
			break
		}
	}
	if from == nil {
		from = findEncoding(body, declared)
	}
	// A decoder of these encodings writes U+FFFD for what it cannot read, and has
	// no errors.
	text, _ := from.NewDecoder().Bytes(body)
	return string(text)
}

// findEncoding finds the encoding of a text without a byte order mark: what is declared, else
// what the text says, else UTF-8 if it is that, else the best guess.
func findEncoding(body []byte, declared string) encoding.Encoding {
	if from, _ := charset.Lookup(declared); from != nil {
		return from
	}
	if found := declaration().FindSubmatch(body[:min(len(body), prescan)]); found != nil {
		from, name := charset.Lookup(string(found[1]))
		switch {
		case strings.HasPrefix(name, "utf-16"):
			// A page whose declaration can be read as ASCII is not that.
			return textunicode.UTF8
		case from != nil:
			return from
		}
	}
	if utf8.Valid(withoutCutEnd(body)) {
		return textunicode.UTF8
	}
	return guessEncoding(body[:min(len(body), sampleSize)])
}

// withoutCutEnd is body without a character that is cut at its end.
func withoutCutEnd(body []byte) []byte {
	for back := 1; back < utf8.UTFMax && back <= len(body); back++ {
		if last := body[len(body)-back:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return body[:len(body)-back]
			}
			break
		}
	}
	return body
}

// guessEncoding returns the encoding that a sample most likely has.
func guessEncoding(sample []byte) encoding.Encoding {
	found := chardet.Detect(sample)
	if strings.HasPrefix(found.Encoding, "GB") && found.Confidence >= confident {
		// GB18030 contains both older Chinese encodings.
		return simplifiedchinese.GB18030
	}
	if from, _ := charset.Lookup(found.Encoding); from != nil && found.Confidence >= confident {
		return from
	}
	return charmap.Windows1252
}

// Clean leaves out the control characters of a text but line ends and tabs, and
// writes every line end as \n.
func Clean(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}
