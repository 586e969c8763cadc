package search

import (
	"bytes"

	"fairlead/backend/workspace"
)

// secretBytes is how much of a line is looked at after what is shown of it, for the
// rest of a secret value, in bytes.
const secretBytes = 4 << 10

// text is the content of a file, or a part of it, with LF line endings.
type text struct {
	content []byte
	// before is the hider in the state before content, which may be a part of the file.
	before workspace.Hider
	// keys are the lines of private keys as they are shown, by where they begin. It
	// is nil until a line is shown.
	keys map[int]string
}

// contextLine returns a line that is only context as it is shown: with marks for secret
// values (SPEC SEC-10), and without most of what comes after so many bytes.
func (t *text) contextLine(start, stop, shown int) line {
	if t.keys == nil {
		t.findKeys()
	}
	if key, ok := t.keys[start]; ok {
		return line{[]byte(key), -1, 1}
	}
	var secrets workspace.Hider
	content := string(t.content[start:min(stop, start+shown+secretBytes)])
	return line{[]byte(secrets.Line(content)), -1, secrets.Hidden}
}

// findKeys finds the lines of private keys that have several. Few files have any, and
// the others are not gone through.
func (t *text) findKeys() {
	t.keys = map[int]string{}
	secrets := t.before
	if !secrets.Under() && !workspace.HasKeys(t.content) {
		return
	}
	for start := 0; start < len(t.content); {
		stop := lineEnd(t.content, start)
		if content := t.content[start:stop]; secrets.InKey(content) {
			t.keys[start] = secrets.Line(string(content))
		} else {
			secrets.Pass(content)
		}
		start = stop + 1
	}
}

// lineEnd returns where the line that begins at start ends, without its newline.
func lineEnd(content []byte, start int) int {
	if i := bytes.IndexByte(content[start:], '\n'); i >= 0 {
		return start + i
	}
	return len(content)
}
