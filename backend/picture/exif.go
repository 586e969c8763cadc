package picture

import (
	"bytes"
	"encoding/binary"
	"io"
	"time"
)

// maxExif is how many bytes of Exif are read: as many as a segment of a JPEG file holds.
const maxExif = 64 << 10

// The tags that are read (Exif 2.32, chapter 4.6).
const (
	orientationTag = 0x0112
	exifTag        = 0x8769
	takenTag       = 0x9003
)

// readExif reads a segment of a JPEG file that has Exif, and leaves any other one.
func (f *File) readExif(source io.ReaderAt, at int64, length int) {
	const name = "Exif\x00\x00"
	head := make([]byte, len(name))
	if n, _ := source.ReadAt(head, at); n == len(name) && string(head) == name {
		f.readTIFF(source, at+int64(len(name)), length-len(name))
	}
}

// readTIFF reads Exif, which has the form of a TIFF file. What is broken in it is left out: the
// picture is shown all the same.
func (f *File) readTIFF(source io.ReaderAt, at int64, length int) {
	if length < 8 {
		return
	}
	content := make([]byte, min(length, maxExif))
	n, _ := source.ReadAt(content, at)
	t := tiff{content: content[:n]}
	switch {
	case bytes.HasPrefix(t.content, []byte("II*\x00")):
		t.order = binary.LittleEndian
	case bytes.HasPrefix(t.content, []byte("MM\x00*")):
		t.order = binary.BigEndian
	default:
		return
	}
	main := t.directory(t.long(4))
	if entry, ok := main[orientationTag]; ok {
		f.orientation = int(t.short(entry + 8))
	}
	entry, ok := main[exifTag]
	if !ok {
		return
	}
	if entry, ok = t.directory(t.long(entry + 8))[takenTag]; ok {
		// 19 characters and a zero, which do not fit the entry and stand where it says.
		if taken, err := time.Parse("2006:01:02 15:04:05", t.text(t.long(entry+8), 19)); err == nil {
			f.Taken = taken.Format(time.DateTime)
		}
	}
}

// tiff is the content of a TIFF file. What lies outside of it reads as zero.
type tiff struct {
	content []byte
	order   binary.ByteOrder
}

func (t tiff) slice(at uint32, length int) []byte {
	if int64(at)+int64(length) > int64(len(t.content)) {
		return make([]byte, length)
	}
	return t.content[at:][:length]
}

func (t tiff) short(at uint32) uint16 { return t.order.Uint16(t.slice(at, 2)) }

func (t tiff) long(at uint32) uint32 { return t.order.Uint32(t.slice(at, 4)) }

func (t tiff) text(at uint32, length int) string { return string(t.slice(at, length)) }

// directory returns where the entries of a directory are, by their tags.
func (t tiff) directory(at uint32) map[uint16]uint32 {
	const entrySize, maxEntries = 12, 1000
	entries := map[uint16]uint32{}
	for i := range uint32(min(t.short(at), maxEntries)) {
		entry := at + 2 + i*entrySize
		entries[t.short(entry)] = entry
	}
	return entries
}
