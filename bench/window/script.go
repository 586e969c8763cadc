package window

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// scriptSize is the size in bytes of all scripts of a built page, each compressed.
func scriptSize(dist string) (int64, error) {
	var size int64
	err := filepath.WalkDir(dist, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".js" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		compressed, err := compressedSize(text)
		size += compressed
		return err
	})
	if err == nil && size == 0 {
		err = errors.New("there are none")
	}
	if err != nil {
		return 0, fmt.Errorf("measure the scripts in %s: %w", dist, err)
	}
	return size, nil
}

// compressedSize is what gzip makes of a text, in bytes.
func compressedSize(text []byte) (int64, error) {
	var size counter
	writer, err := gzip.NewWriterLevel(&size, gzip.BestCompression)
	if err == nil {
		_, err = writer.Write(text)
	}
	if err == nil {
		err = writer.Close()
	}
	return int64(size), err
}

// counter counts what is written.
type counter int64

var _ io.Writer = new(counter)

func (c *counter) Write(text []byte) (int, error) {
	*c += counter(len(text))
	return len(text), nil
}
