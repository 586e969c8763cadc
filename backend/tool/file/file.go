// Package file has the tools that read, list, write and edit files of the
// workspace. What they show is always valid UTF-8 and of bounded size, and says
// what was left out; what they write keeps a file's mode and line endings.
package file

import (
	"context"
	_ "embed" // the descriptions
	"fmt"
	"strings"
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/document"
	"fairlead/backend/workspace"
)

const (
	group = "file"
	// maxCharacters bounds what one call gives to the model (SPEC §13).
	maxCharacters = 32_000
	// maxText is the largest file that is edited or replaced, in bytes. Larger
	// ones are read in parts only.
	maxText = 8 << 20
)

// New returns the file tools of one session: read_file, list_files, write_file,
// edit_file, delete_file and move_file. They share what the model knows of the files, which edits need.
// Documents are read by documents; nil reads none. sees reports whether the model sees pictures.
func New(
	folder *workspace.Folder, outputs *workspace.Outputs, documents *document.Reader, sees func(context.Context) (bool, error),
) []tool.Tool {
	s := &session{folder: folder, outputs: outputs, documents: documents, sees: sees}
	return []tool.Tool{&readFile{s}, &listFiles{s}, &writeFile{s}, &editFile{s}, &deleteFile{s}, &moveFile{s}}
}

// session is what the file tools of one session share.
type session struct {
	folder    *workspace.Folder
	outputs   *workspace.Outputs
	documents *document.Reader
	sees      func(context.Context) (bool, error)
	// changing is held from the last look at a file to its replacement.
	changing sync.Mutex
	// own is what the model knows, where the host lends no Known.
	own Known
}

func invalidArguments(text string) error {
	return &message.ToolError{Code: message.InvalidArguments, Message: text}
}

// tooLong refuses a text that no later call could read whole, edit or show, by its
// length in bytes.
func tooLong(length int) error {
	if length <= maxText {
		return nil
	}
	return invalidArguments(fmt.Sprintf("the file would have %d bytes, at most %d are written: nothing was changed", length, maxText))
}

//go:embed delete_file.md
var deleteText string

//go:embed move_file.md
var moveText string

//go:embed read_file.md
var readText string

//go:embed list_files.md
var listText string

//go:embed write_file.md
var writeText string

//go:embed edit_file.md
var editText string

// newDefinition describes one of the tools; what changes files asks first.
func newDefinition[T any](name, description string, effect message.Effect, display message.Display) tool.Definition {
	return tool.Definition{
		Name: name, Description: strings.TrimSpace(description), Parameters: tool.Schema[T](),
		Confirm: effect != message.EffectNone, Effect: effect, Group: group, Essential: true, Display: display,
	}
}

// aboutPath is the subject of a call about one file.
var aboutPath = message.Subject{Arguments: []string{"path"}, Kind: message.SubjectPath}
