package file

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// absent begins the fingerprint of a file that does not exist; its path follows, so
// that an approval to create one file is none to create another.
const absent = "absent:"

// fingerprintOf names a file with exactly this content.
func fingerprintOf(path string, content []byte) string {
	sum := sha256.New()
	sum.Write([]byte(path))
	sum.Write([]byte{0})
	sum.Write(content)
	return hex.EncodeToString(sum.Sum(nil))
}

// body is a text as a model sees it, and what makes a file of it again.
type body struct {
	// text has LF line endings if all of the file's are CRLF, else is as in the
	// file.
	text string
	// bom and crlf say what the file has around that.
	bom, crlf bool
}

// parse takes a file's content apart. It refuses what is not UTF-8, because
// writing it back would change what nobody asked to change.
func parse(path string, content []byte) (body, error) {
	if err := workspace.RefuseBinary(path, content); err != nil {
		return body{}, err
	}
	if !utf8.Valid(content) {
		name := workspace.EncodingName(content)
		if name == "" {
			name = "invalid UTF-8"
		}
		return body{}, &message.ToolError{
			Code:    message.UnsupportedFile,
			Message: path + " is text in " + name + ": only UTF-8 files can be written; ask the user to convert it",
		}
	}
	rest, bom := bytes.CutPrefix(content, []byte(workspace.UTF8BOM))
	b := body{text: string(rest), bom: bom}
	pairs := strings.Count(b.text, "\r\n")
	if pairs > 0 && pairs == strings.Count(b.text, "\n") {
		b.text, b.crlf = strings.ReplaceAll(b.text, "\r\n", "\n"), true
	}
	return b, nil
}

// withText returns the file's content with another text.
func (b body) withText(text string) []byte {
	if b.crlf {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	}
	if b.bom && !strings.HasPrefix(text, workspace.UTF8BOM) {
		text = workspace.UTF8BOM + text
	}
	return []byte(text)
}
