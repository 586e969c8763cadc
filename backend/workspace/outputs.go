package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"fairlead/backend/message"
)

// OutputPrefix begins the path by which a model reads the full output of an
// earlier call: output:<callId> (SPEC TOOL-04).
const OutputPrefix = "output:"

// Outputs keeps the full outputs of one session's calls in a folder of their own,
// outside the workspace, where only the user may look. It is safe for concurrent
// use.
type Outputs struct {
	dir  string
	root *os.Root
}

// OpenOutputs opens the folder dir, which it makes if need be.
func OpenOutputs(dir string) (*Outputs, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for outputs: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder for outputs: %w", err)
	}
	return &Outputs{dir: dir, root: root}, nil
}

// Create opens the output of a call for writing. What an earlier call of the same
// id left is overwritten.
func (o *Outputs) Create(callID string) (io.WriteCloser, error) {
	file, err := o.root.OpenFile(outputName(callID), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keep the output of the call: %w", err)
	}
	return file, nil
}

// OpenFile opens the output that a path of the form output:<callId> names. The
// error is a *message.ToolError.
func (o *Outputs) OpenFile(name string) (*File, error) {
	callID := strings.TrimPrefix(name, OutputPrefix)
	file, err := o.root.Open(outputName(callID))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, toolError(message.FileNotFound, "no full output is kept of the call %s: only outputs that were shortened are, in this session", quotePath(callID))
	}
	if err != nil {
		return nil, toolError(message.ExecutionError, "open the output of the call %s: %s", quotePath(callID), systemReason(err))
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return nil, toolError(message.ExecutionError, "open the output of the call %s: %s", quotePath(callID), systemReason(err))
	}
	return &File{File: file, Path: name, Size: info.Size()}, nil
}

// Close closes Outputs and leaves what it keeps; a folder that keeps nothing goes.
// No call may follow.
func (o *Outputs) Close() error {
	if err := o.root.Close(); err != nil {
		return fmt.Errorf("close the folder for outputs: %w", err)
	}
	_ = os.Remove(o.dir) // it is not removed if there is something in it
	return nil
}

// Remove deletes the folder and closes Outputs. No call may follow.
func (o *Outputs) Remove() error {
	if err := errors.Join(o.root.Close(), os.RemoveAll(o.dir)); err != nil {
		return fmt.Errorf("delete the folder for outputs: %w", err)
	}
	return nil
}

// outputName is the file of a call. A call's id is the provider's text, so it is
// never used as a name itself.
func outputName(callID string) string {
	sum := sha256.Sum256([]byte(callID))
	return hex.EncodeToString(sum[:16]) + ".txt"
}
