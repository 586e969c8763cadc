package workspace

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"strings"

	"fairlead/backend/message"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	// blockSize is how much of a file is read at once from its end, in bytes.
	blockSize = 256 << 10
	// keySearched is how much before an ending is looked at for the beginning of a
	// private key that goes on in it, in bytes.
	keySearched = 1 << 20
	// longLine is longer than any line with a private key's name or header, in bytes.
	longLine = 4096
)

// Ending is the end of a text file.
type Ending struct {
	// Text is the text as UTF-8, and Encoding names its encoding if that is not plain
	// UTF-8.
	Text     *bufio.Reader
	Encoding string
	// Lines counts the lines of Text.
	Lines int
	// Whole means that Text is all that the file has.
	Whole bool
	// Secrets hides what is secret in the lines of Text.
	Secrets Hider
}

// Ending returns the last lines of the file, as long as it was when it was opened. It
// reads at most so many bytes to find them, in bounded memory. name is for errors:
// UNSUPPORTED_FILE for what is no text, INVALID_ARGUMENTS for lines that begin further
// before the end.
func (file *File) Ending(ctx context.Context, name string, lines int, most int64) (Ending, error) {
	sample := make([]byte, min(sampleSize, file.Size))
	if err := file.readAt(name, sample, 0); err != nil {
		return Ending{}, err
	}
	if err := RefuseBinary(name, sample); err != nil {
		return Ending{}, err
	}
	e := Ending{}
	newline := []byte("\n")
	var from encoding.Encoding
	switch e.Encoding, from = detectEncoding(sample); {
	case bytes.HasPrefix(sample, []byte(UTF8BOM)):
		e.Encoding, from = "UTF-8 with BOM", nil
	case bytes.HasPrefix(sample, []byte{0xff, 0xfe}):
		newline, from = []byte("\n\x00"), unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case bytes.HasPrefix(sample, []byte{0xfe, 0xff}):
		newline, from = []byte("\x00\n"), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	end := file.Size - file.Size%int64(len(newline))
	at, err := file.lastLines(ctx, name, newline, end, lines, most, &e)
	if err != nil {
		return Ending{}, err
	}
	text := io.NewSectionReader(file, at, end-at)
	if e.Whole = at == 0; e.Whole {
		e.Text, e.Encoding, err = AsUTF8(name, text)
		return e, err
	}
	before := make([]byte, min(at, keySearched/int64(len(newline))*int64(len(newline))))
	if err := file.readAt(name, before, at-int64(len(before))); err != nil {
		return Ending{}, err
	}
	e.Text = bufio.NewReaderSize(text, sampleSize)
	if from != nil {
		e.Text = bufio.NewReaderSize(transform.NewReader(text, from.NewDecoder()), sampleSize)
		if before, err = from.NewDecoder().Bytes(before); err != nil {
			return Ending{}, toolError(message.ExecutionError, "read %s: %s", name, err)
		}
	}
	e.Secrets = hiderAfter(string(before), at <= keySearched)
	return e, nil
}

// lastLines returns where the last lines before an end begin, and counts them.
func (file *File) lastLines(ctx context.Context, name string, newline []byte, end int64, lines int, most int64, e *Ending) (int64, error) {
	width := int64(len(newline))
	block := make([]byte, blockSize)
	for to := end; to > 0; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if end-to >= most {
			return 0, toolError(message.InvalidArguments, "the last %d lines of %s begin more than %d MiB before its end: read fewer", lines, name, most>>20)
		}
		begin := max(0, to-blockSize)
		part := block[:to-begin]
		if err := file.readAt(name, part, begin); err != nil {
			return 0, err
		}
		for at := bytes.LastIndex(part, newline); at >= 0; at = bytes.LastIndex(part, newline) {
			after := begin + int64(at) + width
			// One at the end of the file ends the last line, and one between two
			// characters is none.
			if int64(at)%width == 0 && after < end {
				if e.Lines++; e.Lines == lines {
					return after, nil
				}
			}
			part = part[:at+int(width)-1]
		}
		to = begin
	}
	e.Lines++
	return 0, nil
}

// readAt reads a part of the file that was there when it was opened.
func (file *File) readAt(name string, part []byte, at int64) error {
	if _, err := file.ReadAt(part, at); err == io.EOF {
		return toolError(message.StaleFile, "%s became shorter while it was read: read it again", name)
	} else if err != nil {
		return toolError(message.ExecutionError, "read %s: %s", name, systemReason(err))
	}
	return nil
}

// hiderAfter returns the hider for what follows some text, which is whole or begins
// somewhere in a line of a longer one. Where the text does not tell, what follows may
// belong to a private key.
func hiderAfter(text string, whole bool) Hider {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	h, first := Hider{}, 0
	if !whole {
		h.key = insideKey
		if len(lines[0]) < longLine { // too little to be judged by
			lines = lines[1:]
		}
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if endsKey(lines[i]) {
			h.key, first = outsideKey, i+1
			break
		}
	}
	for _, line := range lines[first:] {
		h.Pass([]byte(line))
	}
	return h
}

// endsKey reports whether no private key goes on after a line, whatever came before it.
func endsKey(line string) bool {
	return outsideKey.next(line) == outsideKey && keyBegun.next(line) == outsideKey && insideKey.next(line) == outsideKey
}
