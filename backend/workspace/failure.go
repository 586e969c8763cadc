package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"unicode/utf8"

	"fairlead/backend/message"
)

// shownPath is how many characters of a path an error repeats. A model can write
// a path of any length, and reading it again costs tokens.
const shownPath = 120

func toolError(code message.ToolCode, format string, arguments ...any) error {
	return &message.ToolError{Code: code, Message: fmt.Sprintf(format, arguments...)}
}

// quotePath returns a path as errors show it: quoted, long ones without their middle.
func quotePath(path string) string {
	if utf8.RuneCountInString(path) > shownPath {
		runes := []rune(path)
		path = string(runes[:shownPath/2]) + "…" + string(runes[len(runes)-shownPath/2:])
	}
	return strconv.Quote(path)
}

// systemReason returns what the system said about a failed file call, without the path
// that it adds: that one shows where the folder lies.
func systemReason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	var linkError *os.LinkError
	if errors.As(err, &linkError) {
		return linkError.Err.Error()
	}
	return err.Error()
}
