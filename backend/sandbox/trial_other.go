//go:build !linux

package sandbox

import (
	"context"
	"errors"
)

// MountIn is not asked: there are no overlays here.
func MountIn(string) (string, error) { return "", nil }

// TryOverlay reports that there are no overlays here.
func (s *System) TryOverlay(context.Context, string) error { return errors.ErrUnsupported }
