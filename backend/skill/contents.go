package skill

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"

	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// The bounds of one skill.
const (
	// maxText is how many bytes its SKILL.md may have, maxBytes all its files.
	maxText  = 1 << 20
	maxBytes = 16 << 20
	maxFiles = 200
	// maxFoldersIn is how many folders it may have, and maxDepthIn how deep they may lie.
	maxFoldersIn = 200
	maxDepthIn   = 16
)

// unfitError is why a skill is left out.
type unfitError struct {
	reason Reason
	limit  int64
	detail string
}

func (e *unfitError) Error() string { return "the skill is left out: " + string(e.reason) }

// asUnfit says why a skill is left out that err kept from being read.
func asUnfit(err error) *unfitError {
	if unfit, ok := errors.AsType[*unfitError](err); ok {
		return unfit
	}
	failure, _ := errors.AsType[*message.ToolError](err)
	switch {
	case errors.Is(err, workspace.ErrLink):
		return &unfitError{reason: ReasonLink}
	case errors.Is(err, fs.ErrNotExist), failure != nil && failure.Code == message.StaleFile:
		return &unfitError{reason: ReasonChanged}
	case failure != nil && failure.Code == message.DeniedFile:
		return &unfitError{reason: ReasonSecret}
	case failure != nil && failure.Code == message.UnsupportedFile:
		return &unfitError{reason: ReasonSpecial}
	case failure != nil:
		return &unfitError{reason: ReasonUnreadable, detail: failure.Message}
	}
	return &unfitError{reason: ReasonUnreadable, detail: err.Error()}
}

// entry is a file of a skill, or a link in it.
type entry struct {
	// path is relative to the skill, as it is on the disk.
	path string
	// target is that of a link; digest is that of a file.
	isLink bool
	target string
	digest workspace.Digest
}

// contents reads all of a skill.
type contents struct {
	ctx context.Context
	// wanted is the path of the file whose content is kept, in the form of workspace.Shown, and
	// limit how many bytes that may have.
	wanted string
	limit  int64

	entries []entry
	folders int
	bytes   int64
	// kept is the content of the wanted file; refused is why it is not kept. Both are nil where
	// there is no such file.
	kept    []byte
	refused error
}

// read reads a folder of the skill, which lies so many folders deep and whose entries' paths begin
// with prefix.
func (c *contents) read(folder *workspace.Subtree, prefix string, depth int) error {
	found, more, err := folder.Entries(c.ctx, maxFiles+maxFoldersIn+1)
	if err != nil {
		return err
	}
	if more {
		return &unfitError{reason: ReasonManyFiles, limit: maxFiles}
	}
	for _, e := range found {
		path := prefix + e.Name()
		if len(path) > workspace.MaxPath {
			return &unfitError{reason: ReasonDeep, limit: maxDepthIn}
		}
		switch e.Type() {
		case fs.ModeDir:
			err = c.readFolder(folder, e.Name(), path, depth)
		case fs.ModeSymlink:
			var target string
			target, err = folder.Target(e.Name())
			c.entries = append(c.entries, entry{path: path, isLink: true, target: target})
		case 0:
			err = c.readFile(folder, e.Name(), path)
		default:
			err = &unfitError{reason: ReasonSpecial}
		}
		if err != nil {
			return err
		}
		if len(c.entries) > maxFiles {
			return &unfitError{reason: ReasonManyFiles, limit: maxFiles}
		}
	}
	return nil
}

func (c *contents) readFolder(in *workspace.Subtree, name, path string, depth int) error {
	if c.folders++; c.folders > maxFoldersIn {
		return &unfitError{reason: ReasonManyFolders, limit: maxFoldersIn}
	}
	if depth == maxDepthIn {
		return &unfitError{reason: ReasonDeep, limit: maxDepthIn}
	}
	below, err := in.Open(name)
	if err != nil {
		return err
	}
	defer below.Close()
	return c.read(below, path+"/", depth+1)
}

func (c *contents) readFile(in *workspace.Subtree, name, path string) error {
	left := maxBytes - c.bytes
	if workspace.Shown(path) == c.wanted {
		left = min(left, c.limit)
	}
	digest, err := c.digest(in, name, path, left)
	if err != nil {
		return err
	}
	switch {
	case digest.Bytes > maxBytes-c.bytes:
		c.bytes = maxBytes // as much was read, or could have been
		return &unfitError{reason: ReasonManyBytes, limit: maxBytes}
	case digest.Bytes > left:
		return &unfitError{reason: ReasonLongText, limit: c.limit}
	}
	c.bytes += digest.Bytes
	c.entries = append(c.entries, entry{path: path, digest: digest})
	return nil
}

// digest returns what identifies a file. The content of the wanted one is kept from the same
// reading, so that it is the one that was identified.
func (c *contents) digest(in *workspace.Subtree, name, path string, limit int64) (workspace.Digest, error) {
	if workspace.Shown(path) != c.wanted {
		return in.Digest(c.ctx, name, limit)
	}
	file, err := in.OpenFile(name)
	if failure, ok := errors.AsType[*message.ToolError](err); ok && failure.Code == message.DeniedFile {
		c.refused = err
		return in.Digest(c.ctx, name, limit)
	}
	if err != nil {
		return workspace.Digest{}, err
	}
	defer func() { _ = file.Close() }()
	if file.Size > limit {
		return workspace.Digest{Bytes: file.Size}, nil
	}
	if c.kept, err = file.ReadAll(c.ctx, limit); err != nil {
		return workspace.Digest{}, err
	}
	return file.DigestOf(c.kept), nil
}

// fingerprint identifies the skill by all that was read of it. Each entry has the same form: its
// kind, its path, and its target or the hash of its content, each with its length before it.
func (c *contents) fingerprint() string {
	slices.SortFunc(c.entries, func(a, b entry) int { return cmp.Compare(a.path, b.path) })
	sum := sha256.New()
	write := func(text []byte) {
		sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		sum.Write(text)
	}
	for _, e := range c.entries {
		kind, content := "file", e.digest.SHA256[:]
		switch {
		case e.isLink:
			kind, content = "link", []byte(e.target)
		case e.digest.Executable:
			kind = "program"
		}
		write([]byte(kind))
		write([]byte(e.path))
		write(content)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// files lists what was read, in the order of fingerprint.
func (c *contents) files(at place) []File {
	files := make([]File, 0, len(c.entries))
	for _, e := range c.entries {
		files = append(files, File{
			Path: workspace.Shown(e.path), Bytes: e.digest.Bytes, Executable: e.digest.Executable,
			Link: workspace.Shown(e.target), Secret: workspace.IsSecret(at.join(e.path)),
		})
	}
	return files
}
