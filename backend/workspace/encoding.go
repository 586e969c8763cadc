package workspace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"

	"github.com/gabriel-vasile/mimetype"
	"github.com/wlynxg/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	// sampleSize is how much of a file is looked at to tell its encoding, bytes.
	sampleSize = 64 << 10
	// confident is the detector's confidence from which it is believed; below it
	// guesses at random for short texts.
	confident = 0.7
)

// UTF8BOM begins some UTF-8 files, mostly on Windows.
const UTF8BOM = "\xef\xbb\xbf"

// AsUTF8 returns a reader of the text in r as UTF-8, and the name of its encoding
// if that is not plain UTF-8. It fails with UNSUPPORTED_FILE for what is no text.
func AsUTF8(path string, r io.Reader) (text *bufio.Reader, name string, err error) {
	source := bufio.NewReaderSize(r, sampleSize)
	sample, err := source.Peek(sampleSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, "", fmt.Errorf("read %s: %w", path, err)
	}
	if err := RefuseBinary(path, sample); err != nil {
		return nil, "", err
	}
	if bytes.HasPrefix(sample, []byte(UTF8BOM)) {
		_, err := source.Discard(len(UTF8BOM))
		return source, "UTF-8 with BOM", err
	}
	name, from := detectEncoding(sample)
	if from == nil {
		return source, name, nil
	}
	return bufio.NewReaderSize(transform.NewReader(source, from.NewDecoder()), sampleSize), name, nil
}

// RefuseBinary refuses, with UNSUPPORTED_FILE, what no user would read as text.
func RefuseBinary(path string, sample []byte) error {
	if kind := binaryKind(sample); kind != "" {
		return toolError(message.UnsupportedFile, "%s is a binary file (%s)", path, kind)
	}
	return nil
}

// binaryKind returns the media type of a sample that is no text; empty if it is.
func binaryKind(sample []byte) string {
	if hasUTF16BOM(sample) || bytes.IndexByte(sample, 0) < 0 && validStart(sample) {
		return ""
	}
	kind := mimetype.Detect(sample)
	for parent := kind; parent != nil; parent = parent.Parent() {
		if parent.Is("text/plain") && bytes.IndexByte(sample, 0) < 0 {
			return ""
		}
	}
	return kind.String()
}

// EncodingName returns the name of the encoding that content most likely has;
// empty if it is plain UTF-8 or cannot be told.
func EncodingName(content []byte) string {
	name, _ := detectEncoding(content[:min(len(content), sampleSize)])
	return name
}

// detectEncoding returns the encoding of a sample and its name; a nil encoding leaves the
// text as it is.
func detectEncoding(sample []byte) (string, encoding.Encoding) {
	if hasUTF16BOM(sample) {
		name := "UTF-16LE"
		if sample[0] == 0xfe {
			name = "UTF-16BE"
		}
		return name, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
	}
	if validStart(sample) || mostlyUTF8(sample) {
		return "", nil
	}
	guess := chardet.Detect(sample)
	if strings.HasPrefix(guess.Encoding, "GB") || guess.Confidence < 0.95 && pairsOfHan(sample) {
		// GB18030 contains both older Chinese encodings.
		return "GB18030", simplifiedchinese.GB18030
	}
	found, err := htmlindex.Get(guess.Encoding)
	if err != nil || guess.Confidence < confident {
		return "", nil
	}
	return guess.Encoding, found
}

// FromUTF16 returns content as UTF-8 if it begins with the mark of UTF-16. What is
// malformed becomes U+FFFD.
func FromUTF16(content []byte) (text []byte, ok bool) {
	if !hasUTF16BOM(content) {
		return nil, false
	}
	text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(content)
	return text, err == nil
}

// ReadUTF16 is FromUTF16 for a text that is read in pieces.
func ReadUTF16(source *bufio.Reader) (text io.Reader, ok bool) {
	if mark, _ := source.Peek(2); !hasUTF16BOM(mark) { // a shorter one has none
		return nil, false
	}
	return transform.NewReader(source, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()), true
}

func hasUTF16BOM(sample []byte) bool {
	return bytes.HasPrefix(sample, []byte{0xff, 0xfe}) || bytes.HasPrefix(sample, []byte{0xfe, 0xff})
}

// validStart reports whether sample is UTF-8, perhaps cut inside its last character.
func validStart(sample []byte) bool {
	for cut := range utf8.UTFMax {
		if cut > len(sample) {
			return false
		}
		if utf8.Valid(sample[:len(sample)-cut]) {
			return cut == 0 || !utf8.FullRune(sample[len(sample)-cut:])
		}
	}
	return false
}

// mostlyUTF8 reports whether sample is UTF-8 with a few wrong bytes, which the
// detector takes for anything.
func mostlyUTF8(sample []byte) bool {
	good, bad := 0, 0
	for len(sample) > 0 {
		r, size := utf8.DecodeRune(sample)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		sample = sample[size:]
	}
	return good > 4*bad
}

// pairsOfHan reports whether all bytes beyond ASCII come in pairs that are common
// Chinese characters or punctuation in GB2312. Program text with few Chinese
// words is too little for the detector, and single letters of a Western encoding
// seldom come in such pairs.
func pairsOfHan(sample []byte) bool {
	for i := 0; i < len(sample); i++ {
		lead := sample[i]
		if lead < 0x80 {
			continue
		}
		i++
		if i == len(sample) {
			break
		}
		common := lead >= 0xb0 && lead <= 0xd7 || lead >= 0xa1 && lead <= 0xa3
		if !common || sample[i] < 0xa1 || sample[i] == 0xff {
			return false
		}
	}
	return true
}
