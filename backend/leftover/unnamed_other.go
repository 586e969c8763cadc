//go:build !linux

package leftover

import (
	"errors"
	"os"
)

// Unnamed fails: no file is without a name here.
func Unnamed(*os.Root, os.FileMode) (*os.File, error) { return nil, errors.ErrUnsupported }

// Name fails as well.
func Name(*os.File, *os.Root, string) error { return errors.ErrUnsupported }
