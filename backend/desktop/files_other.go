//go:build !linux

package desktop

import (
	"context"
	"errors"
)

// showItem leaves it to the system's own program to show a file in its folder.
func showItem(context.Context, string) error { return errors.ErrUnsupported }
