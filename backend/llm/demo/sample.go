package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
)

//go:embed sample
var sample embed.FS

// WriteSample hands every file of the sample folder to write, by its name.
func WriteSample(write func(name string, content []byte) error) error {
	entries, err := fs.ReadDir(sample, "sample")
	if err != nil {
		return fmt.Errorf("read sample: %w", err)
	}
	for _, entry := range entries {
		content, err := fs.ReadFile(sample, path.Join("sample", entry.Name()))
		if err != nil {
			return fmt.Errorf("read sample: %w", err)
		}
		if err := write(entry.Name(), content); err != nil {
			return fmt.Errorf("write sample file %s: %w", entry.Name(), err)
		}
	}
	return nil
}
