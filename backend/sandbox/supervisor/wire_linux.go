package supervisor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"
)

// Message is what Fairlead and a guard tell each other: a *Place, a *Spec or a *Report. It is
// written as its length in four bytes and then its fields, one after the other, in an
// order that both know because they are of one build (Protocol). A guard reads one in its
// life, and a package that finds out by itself how to write any structure takes longer for
// that than all else before the command is confined.
type Message interface {
	fields(w *wire)
}

// mostBytes bounds a message: a command line has 128 KiB at most, and its environment 2 MiB.
const mostBytes = 16 << 20

var errBroken = errors.New("what came is no message of this version")

// Write writes a message.
func Write(to io.Writer, m Message) error {
	w := wire{body: make([]byte, 4)}
	m.fields(&w)
	if len(w.body) > mostBytes {
		return fmt.Errorf("what is to be sent has %d bytes, and %d are the most", len(w.body), mostBytes)
	}
	binary.LittleEndian.PutUint32(w.body, uint32(len(w.body)-4)) //nolint:gosec // bounded above
	_, err := to.Write(w.body)
	return err
}

// Read reads a message, and nothing of what follows it.
func Read(from io.Reader, m Message) error {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return err
	}
	size := binary.LittleEndian.Uint32(length[:])
	if size > mostBytes {
		return errBroken
	}
	w := wire{body: make([]byte, size), reads: true}
	if _, err := io.ReadFull(from, w.body); err != nil {
		return err
	}
	m.fields(&w)
	if w.broken || len(w.body) > 0 {
		return errBroken
	}
	return nil
}

// Connection is a descriptor to write messages to, which waits until they are taken.
type Connection int

// Write implements io.Writer.
func (c Connection) Write(text []byte) (written int, err error) {
	for written < len(text) {
		n, err := unix.Write(int(c), text[written:])
		if err != nil && !errors.Is(err, unix.EINTR) {
			return written, err
		}
		written += max(n, 0)
	}
	return written, nil
}

// wire is a message that is written or read, field by field.
type wire struct {
	// body is what was written so far, or what is left to be read.
	body  []byte
	reads bool
	// broken says that there was less than the fields need; they are zero from there on.
	broken bool
}

func (w *wire) number(n *uint64) {
	if !w.reads {
		w.body = binary.AppendUvarint(w.body, *n)
		return
	}
	read, size := binary.Uvarint(w.body)
	if size <= 0 {
		w.body, w.broken = nil, true
		return
	}
	*n, w.body = read, w.body[size:]
}

// count is the number of what follows, each of which takes a byte at least.
func (w *wire) count(n int) int {
	count := uint64(n) //nolint:gosec // a length
	w.number(&count)
	if w.reads && count > uint64(len(w.body)) {
		w.body, w.broken = nil, true
		return 0
	}
	return int(count) //nolint:gosec // no more than the body has bytes
}

func (w *wire) text(s *string) {
	size := w.count(len(*s))
	if !w.reads {
		w.body = append(w.body, *s...)
		return
	}
	*s, w.body = string(w.body[:size]), w.body[size:]
}

func (w *wire) texts(list *[]string) {
	size := w.count(len(*list))
	if w.reads && size > 0 {
		*list = make([]string, size)
	}
	for i := range *list {
		w.text(&(*list)[i])
	}
}

func (w *wire) integer(n *int) {
	// The sign is the last bit.
	bits := uint64(*n<<1) ^ uint64(*n>>63) //nolint:gosec // the same bits
	w.number(&bits)
	*n = int(bits>>1) ^ -int(bits&1)
}

func (w *wire) flag(b *bool) {
	var n uint64
	if *b {
		n = 1
	}
	w.number(&n)
	*b = n == 1
}

// tried is the outcome of a probe.
func (w *wire) tried(all *map[string]bool) {
	if !w.reads {
		w.count(len(*all))
		for name, worked := range *all {
			w.text(&name)
			w.flag(&worked)
		}
		return
	}
	for range w.count(0) {
		if *all == nil {
			*all = map[string]bool{}
		}
		var name string
		var worked bool
		w.text(&name)
		w.flag(&worked)
		(*all)[name] = worked
	}
}

// optional reports whether a part is there, which is made if it is read.
func optional[T any](w *wire, part **T) bool {
	there := *part != nil
	w.flag(&there)
	if there && w.reads {
		*part = new(T)
	}
	return there
}

func (p *Place) fields(w *wire) {
	for _, text := range []*string{&p.Workspace, &p.Temporary, &p.OwnHome, &p.Cache, &p.Home, &p.GitSettings} {
		w.text(text)
	}
	w.texts(&p.Read)
	w.texts(&p.Hide)
	w.flag(&p.Network)
	w.number(&p.Memory)
	w.flag(&p.Locks.Namespaces)
	w.integer(&p.Locks.Landlock)
	w.flag(&p.Locks.Seccomp)
}

func (s *Spec) fields(w *wire) {
	w.text(&s.Line)
	w.text(&s.Dir)
	w.texts(&s.Env)
	w.texts(&s.Repositories)
	if optional(w, &s.Probe) {
		p := s.Probe
		for _, text := range []*string{&p.Outside, &p.Secret, &p.Socket, &p.Datagram, &p.Abstract} {
			w.text(text)
		}
		w.integer(&p.Process)
		w.integer(&p.Listener)
	}
}

func (r *Report) fields(w *wire) {
	w.text(&r.Failed)
	w.integer(&r.Errno)
	w.flag(&r.Begun)
	w.flag(&r.Ended)
	w.integer(&r.Code)
	w.integer(&r.Signal)
	if optional(w, &r.Exceeded) {
		e := r.Exceeded
		for _, number := range []*uint64{&e.Memory, &e.MostMemory, &e.Processes, &e.MostProcesses} {
			w.number(number)
		}
	}
	w.tried(&r.Tried)
}
