//go:build !desktop && !dev

// Package frontend holds the built page of the window.
package frontend

import (
	"embed"
	"io/fs"
)

// Assets returns an empty file system: this build has no window to show a page.
func Assets() (fs.FS, error) { return embed.FS{}, nil }
