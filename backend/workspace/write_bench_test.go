package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/change/changetest"
)

// BenchmarkWrite writes a file anew and again.
func BenchmarkWrite(b *testing.B) {
	dir := b.TempDir()
	f, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	changetest.Use(b, f)
	content := []byte(strings.Repeat("line\n", 800))
	for name, before := range map[string]func(){
		"new": func() { _ = os.Remove(filepath.Join(dir, "file")) }, "again": func() {},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				before()
				if err := f.Write("file", content); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
