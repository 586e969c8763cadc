//go:build !windows

package desktop

import (
	"cmp"
	"os"
)

// systemLanguage is that of messages (locale(7)), as in en_US.UTF-8, or empty.
func systemLanguage() string {
	return cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_MESSAGES"), os.Getenv("LANG"))
}
