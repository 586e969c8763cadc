//go:build desktop || dev

// Package frontend holds the built page of the window.
package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var built embed.FS

// Assets returns the built page.
func Assets() (fs.FS, error) { return fs.Sub(built, "dist") }
