//go:build !linux

package overlay

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

func changedAt(info fs.FileInfo) int64 { return info.ModTime().UnixNano() }

var started = time.Now()

func ticked() time.Duration { return time.Since(started) }

func copyTop(*os.Root, *os.Root) error { return errors.ErrUnsupported }

// IsOwn reports false: there are no overlays here.
func IsOwn(string) bool { return false }

// IsWhiteout reports false.
func IsWhiteout(fs.FileInfo) bool { return false }

// IsOpaque reports false.
func IsOpaque(map[string][]byte) bool { return false }

// WithOpaque changes nothing.
func WithOpaque(attributes map[string][]byte) map[string][]byte { return attributes }

// IsCopied reports false.
func IsCopied(map[string][]byte) bool { return false }

// MarkCopied is not done.
func MarkCopied(*os.File, string) error { return errors.ErrUnsupported }

// Whiteout is not done.
func Whiteout(*os.File, string) error { return errors.ErrUnsupported }

// ClearOpaque has nothing to do.
func ClearOpaque(*os.File, string) error { return nil }
