package workspace

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Shorten is what a model is given of the text of a call: all of it, or so many characters of its
// beginning and its end, with a notice between them of how to read the whole, which is kept.
func (o *Outputs) Shorten(callID, text string, headLimit, tailLimit int) (content string, shortened bool) {
	left := utf8.RuneCountInString(text) - headLimit - tailLimit
	if left <= 0 {
		return text, false
	}
	notice := fmt.Sprintf("%d characters left out", left)
	if err := o.keepText(callID, text); err != nil {
		notice += fmt.Sprintf(" and not kept: %v", err)
	} else {
		notice += fmt.Sprintf(": read the whole text with read_file path %q", OutputPrefix+callID)
	}
	head, tail := headAndTail(text, headLimit, tailLimit)
	return head + "\n[… " + notice + " …]\n" + tail, true
}

// keepText writes a text to where read_file finds it.
func (o *Outputs) keepText(callID, text string) error {
	file, err := o.Create(callID)
	if err != nil {
		return err
	}
	_, err = file.Write([]byte(text))
	return errors.Join(err, file.Close())
}

// headAndTail returns the first and the last characters of a text that is longer than both.
func headAndTail(text string, headLimit, tailLimit int) (head, tail string) {
	cut := 0
	for range headLimit {
		_, size := utf8.DecodeRuneInString(text[cut:])
		cut += size
	}
	from := len(text)
	for range tailLimit {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	return text[:cut], text[from:]
}
