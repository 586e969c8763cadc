package exchange

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Kind is what a frame holds.
type Kind byte

// The kinds of frames. The program says hello; a request follows, then pieces of the file that it
// wants, each answered by its bytes, and then its answer.
const (
	HelloFrame   Kind = 'h'
	RequestFrame Kind = 'r'
	WantFrame    Kind = 'w'
	BytesFrame   Kind = 'b'
	AnswerFrame  Kind = 'a'
)

const (
	// maxFrame is how many bytes a frame holds at most: a hostile document may rule the program
	// that reads it.
	maxFrame = 32 << 20
	// MaxPiece is how many bytes of a file are asked for at once.
	MaxPiece = 256 << 10
	headSize = 5
	wantSize = 12
)

// Conn is one end of the connection.
type Conn struct {
	r *bufio.Reader
	w io.Writer
}

// NewConn returns an end that reads and writes the streams.
func NewConn(r io.Reader, w io.Writer) *Conn { return &Conn{bufio.NewReader(r), w} }

// write writes a frame at once.
func (c *Conn) write(kind Kind, content []byte) error {
	frame := make([]byte, headSize, headSize+len(content))
	frame[0] = byte(kind)
	binary.BigEndian.PutUint32(frame[1:], uint32(len(content))) //nolint:gosec // it is at most maxFrame
	if len(content) > maxFrame {
		return fmt.Errorf("%w: %d bytes", errFrame, len(content))
	}
	_, err := c.w.Write(append(frame, content...))
	return err
}

// Write writes a frame with a value as JSON.
func (c *Conn) Write(kind Kind, value any) error {
	content, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return c.write(kind, content)
}

// WriteBytes writes a piece of the file.
func (c *Conn) WriteBytes(piece []byte) error { return c.write(BytesFrame, piece) }

// Want asks for a piece of the file.
func (c *Conn) Want(offset int64, size int) error {
	var content [wantSize]byte
	binary.BigEndian.PutUint64(content[:], uint64(offset)) //nolint:gosec // it is not negative
	binary.BigEndian.PutUint32(content[8:], uint32(size))  //nolint:gosec // it is at most MaxPiece
	return c.write(WantFrame, content[:])
}

// errFrame is returned for what is no frame, or not the one that has to follow.
var errFrame = errors.New("the program that reads documents and Fairlead misunderstand each other")

// Read reads the next frame.
func (c *Conn) Read() (Kind, []byte, error) {
	var head [headSize]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if size > maxFrame {
		return 0, nil, fmt.Errorf("%w: %d bytes", errFrame, size)
	}
	content := make([]byte, size)
	if _, err := io.ReadFull(c.r, content); err != nil {
		return 0, nil, err
	}
	return Kind(head[0]), content, nil
}

// ReadBytes reads the piece of the file that was asked for.
func (c *Conn) ReadBytes() ([]byte, error) {
	kind, content, err := c.Read()
	if err == nil && kind != BytesFrame {
		err = fmt.Errorf("%w: %q instead of a piece", errFrame, kind)
	}
	return content, err
}

// ParseWant reads which piece of the file is asked for.
func ParseWant(content []byte) (offset int64, size int, err error) {
	if len(content) != wantSize {
		return 0, 0, fmt.Errorf("%w: %d bytes ask for a piece", errFrame, len(content))
	}
	at, n := binary.BigEndian.Uint64(content), binary.BigEndian.Uint32(content[8:])
	if at > 1<<62 || n > MaxPiece {
		return 0, 0, fmt.Errorf("%w: %d bytes at %d are asked for", errFrame, n, at)
	}
	return int64(at), int(n), nil
}

// Parse reads a value from a frame.
func Parse(content []byte, value any) error {
	if err := json.Unmarshal(content, value); err != nil {
		return fmt.Errorf("%w: %w", errFrame, err)
	}
	return nil
}
