package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"fairlead/backend/message"
)

const (
	// instructionsName is the file in which projects write what they want models to
	// know, whichever model is used.
	instructionsName = "AGENTS.md"
	// maxInstructions is how much of it is taken, in bytes of UTF-8: every request
	// carries it.
	maxInstructions = 32 << 10
)

// Instructions are what a project tells models that work on it (SPEC MSG-10). They
// are text that anybody may have written, so the user reads them first. The zero
// Instructions are none.
type Instructions struct {
	// Path is the file's place in the folder, its links followed.
	Path string
	// Text is the first 32 KiB at most, as valid UTF-8, with marks for secret values;
	// control characters and the like are still in it.
	Text string
	// SHA256 is that of Text, in hexadecimal: by it the user's decision is known to
	// be about this text.
	SHA256 string
	// Bytes is the file's length.
	Bytes int
	// Cut says that the file has more text than Text.
	Cut bool
}

// Instructions reads AGENTS.md at the top of the folder. Where there is none, or one
// with nothing in it, there are no instructions and no error. The other errors are
// those of OpenFile and AsUTF8.
func (f *Folder) Instructions() (Instructions, error) {
	// Most folders have none, and an error would compare its name with all others.
	if place, err := f.Locate(instructionsName); err == nil && !place.Exists() {
		return Instructions{}, nil
	}
	file, err := f.OpenFile(instructionsName)
	var failure *message.ToolError
	if errors.As(err, &failure) && failure.Code == message.FileNotFound {
		return Instructions{}, nil
	}
	if err != nil {
		return Instructions{}, fmt.Errorf("open the project's instructions: %w", err)
	}
	defer func() { _ = file.Close() }()
	reader, _, err := AsUTF8(quotePath(file.Path), file)
	if err != nil {
		return Instructions{}, fmt.Errorf("read the project's instructions: %w", err)
	}
	content, err := io.ReadAll(io.LimitReader(reader, maxInstructions+1))
	if err != nil {
		return Instructions{}, fmt.Errorf("read the project's instructions: %s", systemReason(err))
	}
	more := len(content) > maxInstructions
	shown, _ := HideSecrets(string(content))
	content, cut := cutText([]byte(shown), maxInstructions)
	if len(bytes.TrimSpace(content)) == 0 {
		return Instructions{}, nil
	}
	sum := sha256.Sum256(content)
	return Instructions{
		Path: file.Path, Text: string(content), SHA256: hex.EncodeToString(sum[:]), Bytes: int(file.Size), Cut: cut || more,
	}, nil
}

// cutText returns content as valid UTF-8 of at most limit bytes, cut between two
// characters, and whether it was cut.
func cutText(content []byte, limit int) (text []byte, cut bool) {
	if len(content) > limit {
		content, cut = wholeCharacters(content[:limit]), true
	}
	// What stands for a wrong byte is longer than the byte.
	content = bytes.ToValidUTF8(content, []byte(string(utf8.RuneError)))
	if len(content) > limit {
		content, cut = wholeCharacters(content[:limit]), true
	}
	return content, cut
}
