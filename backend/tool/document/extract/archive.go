package extract

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"fairlead/backend/tool/document/exchange"
)

const (
	// maxArchive is the size of the largest archive that is read, in bytes.
	maxArchive = 512 << 20
	// maxEntries is how many files an archive may hold.
	maxEntries = 10_000
	// maxInflated is how many bytes of an archive are taken out together.
	maxInflated = 200 << 20
	// maxRatio is how many bytes one byte of an archive may become, once those are more than
	// freeBytes: office programs come to 50, with a sheet of the same in every row.
	maxRatio  = 250
	freeBytes = 4 << 20
)

// archive is a document that is a ZIP file of parts, with bounds on what comes out of it.
type archive struct {
	files map[string]*zip.File
	// left is how many more bytes may be taken out.
	left int64
}

// openArchive opens a document that is a ZIP file.
func openArchive(source Source) (*archive, error) {
	if source.Size > maxArchive {
		return nil, &exchange.Failure{Reason: exchange.TooLarge, Detail: fmt.Sprintf("%d bytes, at most %d are read", source.Size, maxArchive)}
	}
	// What Office encrypts is the older container, with the document in it (MS-OFFCRYPTO, 2.3).
	if old, err := isOld(source); err != nil || old {
		return nil, errors.Join(err, asOld(source, old))
	}
	opened, err := zip.NewReader(source, source.Size)
	if err != nil {
		return nil, broken("%v", err)
	}
	if len(opened.File) > maxEntries {
		return nil, &exchange.Failure{Reason: exchange.TooLarge, Detail: fmt.Sprintf("%d files in it, at most %d are read", len(opened.File), maxEntries)}
	}
	a := &archive{files: make(map[string]*zip.File, len(opened.File)), left: maxInflated}
	for _, file := range opened.File {
		name := strings.TrimPrefix(path.Clean("/"+file.Name), "/")
		if _, twice := a.files[name]; !twice {
			a.files[name] = file
		}
	}
	return a, nil
}

// oldMagic is what a compound file begins with (MS-CFB, 2.2).
var oldMagic = []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

// isOld reports whether a file is a compound file, that of the formats before the present ones.
func isOld(source Source) (bool, error) {
	head := make([]byte, len(oldMagic))
	if _, err := source.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read the file: %w", err)
	}
	return bytes.Equal(head, oldMagic), nil
}

// asOld says why a compound file is not read. The names in it are in UTF-16.
func asOld(source Source, old bool) error {
	if !old {
		return nil
	}
	const name = "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"
	const looked = 64 << 20
	content, err := io.ReadAll(io.NewSectionReader(source, 0, min(source.Size, looked)))
	if err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	if bytes.Contains(content, []byte(name)) {
		return &exchange.Failure{Reason: exchange.Password}
	}
	return &exchange.Failure{Reason: exchange.OtherFormat, Detail: "a format of the time before 2007"}
}

func (a *archive) has(name string) bool { return a.files[name] != nil }

// open opens a file of the archive; the caller closes it. Where there is none, it fails.
func (a *archive) open(name string) (io.ReadCloser, error) {
	file := a.files[name]
	if file == nil {
		return nil, broken("there is no %s in it", name)
	}
	const encrypted = 1 // general purpose bit 0 (APPNOTE.TXT, 4.4.4)
	if file.Flags&encrypted != 0 {
		return nil, &exchange.Failure{Reason: exchange.Password}
	}
	opened, err := file.Open()
	if err != nil {
		return nil, broken("%s: %v", name, err)
	}
	packed := int64(min(file.CompressedSize64, maxArchive))
	return &inflated{opened, a, packed, 0}, nil
}

// read returns a whole file of the archive, nothing where there is none.
func (a *archive) read(name string) ([]byte, error) {
	if !a.has(name) {
		return nil, nil
	}
	file, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}

// inflated is a file of an archive that is being read.
type inflated struct {
	io.ReadCloser
	archive *archive
	// packed is how long the file is in the archive, and taken what came out of it.
	packed, taken int64
}

// Read implements io.Reader, and fails where too much comes out.
func (f *inflated) Read(buffer []byte) (int, error) {
	n, err := f.ReadCloser.Read(buffer)
	f.taken += int64(n)
	f.archive.left -= int64(n)
	switch {
	case f.archive.left < 0, f.taken > freeBytes && f.taken > maxRatio*f.packed:
		return n, &exchange.Failure{Reason: exchange.TooLarge, Detail: "it unpacks to far more than it holds"}
	case err != nil && !errors.Is(err, io.EOF):
		return n, broken("%v", err)
	}
	return n, err
}
