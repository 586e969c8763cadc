package skill

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// Library is where skills are looked for. It is safe for concurrent use.
type Library struct {
	folder *workspace.Folder
	own    string
}

// NewLibrary returns the library of a workspace, or of a draft of one, and of the user's own skills, which
// lie in the folder own. That need not exist; where it is empty, there are none. folder can be nil.
func NewLibrary(folder *workspace.Folder, own string) *Library {
	return &Library{folder: folder, own: own}
}

// IsFolder reports whether there is a folder at a path.
func IsFolder(path string) bool {
	folder, err := workspace.OpenSubtree(path)
	if err != nil {
		return false
	}
	folder.Close()
	return true
}

// place is where a skill lies: a path with slashes as it is on the disk, relative to the workspace
// or to the folder of the user's own skills.
type place struct {
	source Source
	path   string
}

// join returns the path of what lies at a path below the place.
func (p place) join(below string) string {
	if p.path == "" {
		return below
	}
	return p.path + "/" + below
}

// shown returns the path of a place in the form of Skill.Folder.
func (l *Library) shown(at place) string {
	if at.source == SourceWorkspace {
		return workspace.Shown(at.path)
	}
	return filepath.Join(l.own, filepath.FromSlash(workspace.Shown(at.path)))
}

// open opens the folder of a place. Its errors are those of workspace.Folder.Subtree.
func (l *Library) open(at place) (*workspace.Subtree, error) {
	if at.source == SourceWorkspace {
		return l.folder.Subtree(at.path)
	}
	folder, err := workspace.OpenSubtree(l.own)
	if err != nil || at.path == "" {
		return folder, err
	}
	for name := range strings.SplitSeq(at.path, "/") {
		below, err := folder.Open(name)
		folder.Close()
		if err != nil {
			return nil, err
		}
		folder = below
	}
	return folder, nil
}

// Text returns the whole of a text file of a skill as it was found, by its File.Path, in valid
// UTF-8: for the user, who decides about it, so that hidden characters and secret values are still
// in it. The error is a *message.ToolError: STALE_FILE where the skill is not the same any more,
// FILE_NOT_FOUND, UNSUPPORTED_FILE for a link and for what is no text, DENIED_FILE for files that
// hold secrets, EXECUTION_ERROR for what the system does not let be read; or that of ctx.
func (l *Library) Text(ctx context.Context, s Skill, path string) (string, error) {
	content, err := l.readFile(ctx, s, path)
	if err != nil {
		return "", err
	}
	text, _, err := decode(path, content)
	return text, err
}

// readFile returns the content of a file of a skill, if the skill is still the same. Its errors
// are those of Text.
func (l *Library) readFile(ctx context.Context, s Skill, path string) ([]byte, error) {
	if err := s.checkFile(path); err != nil {
		return nil, err
	}
	c := &contents{ctx: ctx, wanted: path, limit: maxBytes}
	folder, err := l.open(s.at)
	if err == nil {
		defer folder.Close()
		err = c.read(folder, "", 1)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		if unfit := asUnfit(err); unfit.reason == ReasonUnreadable {
			return nil, toolError(message.ExecutionError, "the skill %s cannot be read: %s; go on without it", s.Name, unfit.detail)
		}
	}
	if err != nil || c.fingerprint() != s.SHA256 {
		return nil, toolError(message.StaleFile,
			"the skill %s has changed since the user agreed to it: it is left out until they agree to it again; go on without it", s.Name)
	}
	return c.kept, c.refused
}

func toolError(code message.ToolCode, format string, arguments ...any) error {
	return &message.ToolError{Code: code, Message: fmt.Sprintf(format, arguments...)}
}

// decode returns a text as valid UTF-8, and the name of its encoding where that is not plain
// UTF-8. It fails with UNSUPPORTED_FILE for what is no text.
func decode(path string, content []byte) (text, encoding string, err error) {
	reader, encoding, err := workspace.AsUTF8(path, bytes.NewReader(content))
	if err != nil {
		return "", "", err
	}
	decoded, err := io.ReadAll(reader)
	if err != nil {
		return "", "", fmt.Errorf("read %s: %w", path, err)
	}
	return strings.ToValidUTF8(string(decoded), "\uFFFD"), encoding, nil
}
