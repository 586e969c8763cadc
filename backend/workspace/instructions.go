package workspace

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"
)

// instructionsNames are the files in which projects write what they want models to know. The
// first one is for any model; the others, for those of one provider, count where it is not there.
var instructionsNames = []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md"}

const (
	// MaxInstructions is how much of all the instructions of a folder is given to a model, in
	// bytes of UTF-8: every request carries them.
	MaxInstructions = 32 << 10
	// maxInstructionFiles bounds how many of them FindInstructions returns.
	maxInstructionFiles = 500
)

// IsInstructions reports whether a file with this path has instructions for models, by its name.
func IsInstructions(name string) bool { return slices.Contains(instructionsNames, path.Base(name)) }

// Instructions are what a project tells models that work on the files of a folder, and of those
// below it (SPEC MSG-10, EXT-05). They are text that anybody may have written, so the user reads
// them first. The zero Instructions are none.
type Instructions struct {
	// Path is the file as it was found, which may be a link, relative to the workspace.
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

// Instructions reads those in a folder of the workspace, relative to it with slashes, "." for its
// top: AGENTS.md, or one of the files that count where there is none. Where there is no such file,
// or one with nothing in it, there are no instructions and no error. The other errors are those of
// OpenFile and AsUTF8.
func (f *Folder) Instructions(dir string) (Instructions, error) {
	for _, name := range instructionsNames {
		found, there, err := f.readInstructions(path.Join(dir, name))
		if there || err != nil {
			return found, err
		}
	}
	return Instructions{}, nil
}

// readInstructions reads one file of instructions, and reports whether it is there.
func (f *Folder) readInstructions(name string) (_ Instructions, there bool, err error) {
	// Most folders have none, and an error would compare its name with all others.
	if place, err := f.Locate(name); err == nil && !place.Exists() {
		return Instructions{}, false, nil
	}
	file, err := f.OpenFile(name)
	var failure *message.ToolError
	if errors.As(err, &failure) && failure.Code == message.FileNotFound {
		return Instructions{}, false, nil
	}
	if err != nil {
		return Instructions{}, false, fmt.Errorf("open the project's instructions: %w", err)
	}
	defer func() { _ = file.Close() }()
	reader, _, err := AsUTF8(quotePath(file.Path), file)
	if err != nil {
		return Instructions{}, false, fmt.Errorf("read the project's instructions: %w", err)
	}
	content, err := io.ReadAll(io.LimitReader(reader, MaxInstructions+1))
	if err != nil {
		return Instructions{}, false, fmt.Errorf("read the project's instructions: %s", systemReason(err))
	}
	more := len(content) > MaxInstructions
	shown, _ := HideSecrets(string(content))
	content, cut := CutText([]byte(shown), MaxInstructions)
	if len(bytes.TrimSpace(content)) == 0 {
		return Instructions{}, true, nil
	}
	sum := sha256.Sum256(content)
	return Instructions{
		Path: name, Text: string(content), SHA256: hex.EncodeToString(sum[:]), Bytes: int(file.Size), Cut: cut || more,
	}, true, nil
}

// FindInstructions reads all instructions in the workspace, those at its top first, and leaves out
// what a walk leaves out, and files that cannot be read. more reports whether there are others.
func (f *Folder) FindInstructions(ctx context.Context) (found []Instructions, more bool, err error) {
	folders := map[string]bool{}
	walked, err := f.Walk(ctx, ".", func(e Entry) error {
		if !e.Type.IsDir() && IsInstructions(e.Path) {
			folders[path.Dir(e.Path)] = true
		}
		if len(folders) > maxInstructionFiles {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	for _, dir := range slices.SortedFunc(maps.Keys(folders), func(a, b string) int { return strings.Compare(path.Join("/", a), path.Join("/", b)) }) {
		one, err := f.Instructions(dir)
		if ctx.Err() != nil {
			return nil, false, context.Cause(ctx)
		}
		if err != nil || one.Text == "" {
			continue
		}
		if len(found) == maxInstructionFiles {
			return found, true, nil
		}
		found = append(found, one)
	}
	return found, walked.Capped, nil
}

// CutText returns content as valid UTF-8 of at most limit bytes, cut between two
// characters, and whether it was cut.
func CutText(content []byte, limit int) (text []byte, cut bool) {
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
