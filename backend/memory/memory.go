// Package memory keeps what was noted about a workspace in earlier conversations: one
// Markdown file a workspace, in the data folder, for this user only. A tool adds dated
// entries, the user edits the text, and a part of it goes into the prompt. Processes that
// change it at the same time lose nothing, and no key gets into it.
package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/settings"
	"fairlead/backend/workspace"
)

const (
	// Name is what the file is called where it is shown, and folderName is the folder of
	// all memories in the data folder.
	Name       = "memory.md"
	folderName = "memory"
	// maxFile bounds the file, in bytes.
	maxFile = 256 << 10
)

// Memory is that of one workspace. It is safe for concurrent use, also by several processes.
type Memory struct {
	path   string
	redact func(string) string
}

// Open returns the memory of a workspace, by the path that conversations know it by, in a
// data folder. A workspace that was moved is another one. Nothing is read or made yet.
// redact returns a text without the keys in use.
func Open(dataFolder, workspacePath string, redact func(string) string) *Memory {
	sum := sha256.Sum256([]byte(workspacePath))
	return &Memory{path: filepath.Join(dataFolder, folderName, hex.EncodeToString(sum[:16])+".md"), redact: redact}
}

// Path is the file, which need not exist.
func (m *Memory) Path() string { return m.path }

// Read returns what is noted. Where there is no file there are no notes and no error. A
// file that is not UTF-8 text, or too large, is an error, and stays as it is.
func (m *Memory) Read() (Notes, error) {
	info, err := os.Stat(m.path)
	if errors.Is(err, fs.ErrNotExist) {
		return Notes{}, nil
	}
	if err != nil {
		return Notes{}, fmt.Errorf("read the memory of the folder: %w", err)
	}
	if !info.Mode().IsRegular() { // opening a pipe could wait for ever
		return Notes{}, m.damaged("it is no file; move it away")
	}
	file, err := os.Open(m.path)
	if err != nil {
		return Notes{}, fmt.Errorf("read the memory of the folder: %w", err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	switch {
	case err != nil:
		return Notes{}, fmt.Errorf("read the memory of the folder: %w", err)
	case len(content) > maxFile:
		return Notes{}, m.damaged(fmt.Sprintf("it has more than %d bytes; shorten it with an editor, or move it away", maxFile))
	case !utf8.Valid(content):
		return Notes{}, m.damaged("it is not UTF-8 text; mend it with an editor, or move it away")
	}
	return newNotes(string(content)), nil
}

func (m *Memory) damaged(why string) error {
	return fmt.Errorf("read the memory of the folder, %s: %s", m.path, why)
}

// Add adds an entry, as NewEntry returns it, to whatever is noted by then, and reports
// whether it was not there yet.
func (m *Memory) Add(ctx context.Context, entry string) (added bool, err error) {
	_, err = m.change(ctx, func(now Notes) (string, error) {
		text, err := now.With(entry)
		added = err == nil && text != now.Text
		return text, err
	})
	return added && err == nil, err
}

// Replace replaces the whole text, which the user has edited, and returns what is noted
// then; an empty text removes the file. Control characters and those that change the
// direction of text become readable. Where version is not that of what is noted, the text
// was changed meanwhile: that gives a *message.Refusal with INVALID_STATE. A text that is
// too long, or has keys in known forms, gives one with INVALID_PARAMS.
func (m *Memory) Replace(ctx context.Context, text, version string) (Notes, error) {
	text = message.Harmless(strings.ReplaceAll(text, "\r\n", "\n"))
	if err := m.checkKeys(text); err != nil {
		return Notes{}, err
	}
	if len(text) > maxFile {
		return Notes{}, &message.Refusal{
			Code: message.InvalidParams, Message: fmt.Sprintf("the memory of a folder has at most %d bytes, this text has %d: shorten it", maxFile, len(text)),
		}
	}
	return m.change(ctx, func(now Notes) (string, error) {
		if now.Version != version {
			return "", &message.Refusal{
				Code: message.InvalidState, Message: "the memory of the folder was changed meanwhile: read it again, and change that",
			}
		}
		return text, nil
	})
}

// Clear removes the file, also one that cannot be read.
func (m *Memory) Clear(ctx context.Context) error {
	unlock, err := m.lock(ctx)
	if err != nil {
		return err
	}
	return errors.Join(m.remove(), unlock())
}

func (m *Memory) remove() error {
	if info, err := os.Stat(m.path); err == nil && !info.Mode().IsRegular() {
		return m.damaged("it is no file; move it away")
	}
	if err := os.Remove(m.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the memory of the folder: %w", err)
	}
	return nil
}

// change writes what edit makes of the notes, and returns that.
func (m *Memory) change(ctx context.Context, edit func(now Notes) (string, error)) (notes Notes, err error) {
	unlock, err := m.lock(ctx)
	if err != nil {
		return Notes{}, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	now, err := m.Read()
	if err != nil {
		return Notes{}, err
	}
	text, err := edit(now)
	if err != nil || text == now.Text {
		return now, err
	}
	if strings.TrimSpace(text) == "" {
		return Notes{}, m.remove()
	}
	if err := settings.ReplaceFile(m.path, []byte(text), 0o600); err != nil {
		return Notes{}, fmt.Errorf("write the memory of the folder: %w", err)
	}
	return newNotes(text), nil
}

// lock keeps others, in this process too, from changing the file.
func (m *Memory) lock(ctx context.Context) (unlock func() error, err error) {
	if err := settings.MakeFolder(filepath.Dir(m.path)); err != nil {
		return nil, err
	}
	unlock, err = settings.LockFile(ctx, strings.TrimSuffix(m.path, ".md")+".lock")
	if err != nil {
		return nil, fmt.Errorf("change the memory of the folder: %w", err)
	}
	return unlock, nil
}

// checkKeys refuses a text with keys that are in use, or in known forms.
func (m *Memory) checkKeys(text string) error {
	if _, hidden := workspace.HideSecrets(text); hidden == 0 && m.redact(text) == text {
		return nil
	}
	return &message.Refusal{
		Code: message.InvalidParams, Message: "the text holds a key or a password, which is never kept in the memory: say where it is found instead",
	}
}
