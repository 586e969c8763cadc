package workspace

import (
	"bytes"
	"context"
	"io"
	"unicode/utf8"

	"fairlead/backend/message"
)

// maxPreview is how much of a file is shown to the user, in bytes of UTF-8.
const maxPreview = 256 << 10

// FilePreview is the beginning of a file, for the user to look at.
type FilePreview struct {
	// Path is the file's place in the workspace, its links followed, as Shown has it.
	Path string `json:"path"`
	// Text is the first 256 KiB at most, as valid UTF-8, with the file's own line
	// endings; empty for a binary file.
	Text string `json:"text"`
	// Encoding names the file's encoding if it is not plain UTF-8.
	Encoding string `json:"encoding"`
	// Truncated says that the file has more text than Text.
	Truncated bool `json:"truncated"`
	// Binary says that the file is no text.
	Binary bool `json:"binary"`
	// Size is the file's length in bytes.
	Size int64 `json:"size"`
}

// Preview returns the beginning of the file that a path leads to. The error is
// one of OpenFile's, among them DENIED_FILE for files that hold secrets, or that
// of ctx.
func (f *Folder) Preview(ctx context.Context, name string) (FilePreview, error) {
	if err := ctx.Err(); err != nil {
		return FilePreview{}, err
	}
	file, err := f.OpenFile(name)
	if err != nil {
		return FilePreview{}, err
	}
	defer func() { _ = file.Close() }()
	preview := FilePreview{Path: Shown(file.Path), Size: file.Size}
	sample := make([]byte, sampleSize)
	read, err := io.ReadFull(file, sample)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return FilePreview{}, toolError(message.ExecutionError, "read %s: %s", quotePath(file.Path), systemReason(err))
	}
	sample = sample[:read]
	if binaryKind(sample) != "" {
		preview.Binary = true
		return preview, nil
	}
	text, encoding, err := AsUTF8(quotePath(file.Path), io.MultiReader(bytes.NewReader(sample), file))
	if err != nil {
		return FilePreview{}, err
	}
	content, err := io.ReadAll(io.LimitReader(text, maxPreview+1))
	if err != nil {
		return FilePreview{}, toolError(message.ExecutionError, "read %s: %s", quotePath(file.Path), systemReason(err))
	}
	preview.Encoding = encoding
	if len(content) > maxPreview {
		preview.Truncated = true
		content = wholeCharacters(content[:maxPreview])
	}
	preview.Text = string(bytes.ToValidUTF8(content, []byte(string(utf8.RuneError))))
	return preview, ctx.Err()
}

// wholeCharacters returns content without the part of a character that a cut has
// left at its end.
func wholeCharacters(content []byte) []byte {
	for cut := 1; cut < utf8.UTFMax && cut <= len(content); cut++ {
		rest := content[len(content)-cut:]
		if utf8.RuneStart(rest[0]) {
			if !utf8.FullRune(rest) {
				return content[:len(content)-cut]
			}
			break
		}
	}
	return content
}
