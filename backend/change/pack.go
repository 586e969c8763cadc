package change

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
)

// pack is a file with the contents of many, one after the other. It is not safe for
// concurrent use.
type pack struct {
	file *os.File
	// end is where the next content goes.
	end int64
	// buffer is what contents are copied through.
	buffer []byte
}

// piece is where a content is in a pack. The zero value is none.
type piece struct {
	Offset int64 `json:"o,omitempty"`
	Size   int64 `json:"s,omitempty"`
	// There reports whether there is one, because files can be empty.
	There bool `json:"t,omitempty"`
}

// packName is the file of a pack among the objects.
const packName = "base.pack"

// openPack opens the pack of a folder of objects, at the end of what it holds.
func openPack(o *Objects) (*pack, error) {
	file, err := o.root.OpenFile(packName, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &pack{file: file, end: info.Size(), buffer: make([]byte, 128<<10)}, nil
}

// add adds a content, of at most so many bytes, and returns where it is, and its sum.
func (p *pack) add(from io.Reader, most int64) (piece, string, error) {
	sum := sha256.New()
	to := io.MultiWriter(io.NewOffsetWriter(p.file, p.end), sum)
	n, err := io.CopyBuffer(to, io.LimitReader(from, most+1), p.buffer)
	if err == nil && n > most {
		err = errGrows
	}
	if err != nil {
		return piece{}, "", err
	}
	at := piece{p.end, n, true}
	p.end += n
	return at, hex.EncodeToString(sum.Sum(nil)), nil
}

// errGrows means that a file grew while it was read.
var errGrows = errors.New("it grows while it is read")

// reader reads a content.
func (p *pack) reader(at piece) io.Reader { return io.NewSectionReader(p.file, at.Offset, at.Size) }
