//go:build !linux

package sandbox

import (
	"errors"
	"os"
)

// ErrDraftInUse says that another process has mounted the draft, which is not so here.
var ErrDraftInUse = errors.New("another process works on this draft")

// Runs reports false: nobody asks where there are no drafts.
func (s *Space) Runs() bool { return false }

// OpenDraft fails: only Linux has drafts.
func (s *Space) OpenDraft() (*os.File, error) { return nil, errors.ErrUnsupported }
