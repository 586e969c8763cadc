package supervisor

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"
)

// Message is what Fairlead and a guard tell each other: a *Place, a *Draft, a *Spec, a *Protection or a *Report. It is
// written as its length in four bytes and then its fields, one after the other, in an
// order that both know because they are of one build (Protocol). A guard reads one in its
// life, and a package that finds out by itself how to write any structure takes longer for
// that than all else before the command is confined.
type Message interface {
	codeFields(w *wire)
}

// mostBytes bounds a message: a command line has 128 KiB at most, and its environment 2 MiB.
const mostBytes = 16 << 20

var errBroken = errors.New("what came is no message of this version")

// Write writes a message.
func Write(to io.Writer, m Message) error {
	w := wire{body: make([]byte, 4)}
	m.codeFields(&w)
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
	m.codeFields(&w)
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

func (w *wire) codeNumber(n *uint64) {
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

// codeCount is the number of what follows, each of which takes a byte at least.
func (w *wire) codeCount(n int) int {
	count := uint64(n) //nolint:gosec // a length
	w.codeNumber(&count)
	if w.reads && count > uint64(len(w.body)) {
		w.body, w.broken = nil, true
		return 0
	}
	return int(count) //nolint:gosec // no more than the body has bytes
}

func (w *wire) codeText(s *string) {
	size := w.codeCount(len(*s))
	if !w.reads {
		w.body = append(w.body, *s...)
		return
	}
	*s, w.body = string(w.body[:size]), w.body[size:]
}

func (w *wire) codeTexts(list *[]string) {
	size := w.codeCount(len(*list))
	if w.reads && size > 0 {
		*list = make([]string, size)
	}
	for i := range *list {
		w.codeText(&(*list)[i])
	}
}

func (w *wire) codeInteger(n *int) {
	// The sign is the last bit.
	bits := uint64(*n<<1) ^ uint64(*n>>63) //nolint:gosec // the same bits
	w.codeNumber(&bits)
	*n = int(bits>>1) ^ -int(bits&1)
}

func (w *wire) codeFlag(b *bool) {
	var n uint64
	if *b {
		n = 1
	}
	w.codeNumber(&n)
	*b = n == 1
}

// codeAttempts is the outcome of a probe.
func (w *wire) codeAttempts(all *map[string]bool) {
	if !w.reads {
		w.codeCount(len(*all))
		for name, worked := range *all {
			w.codeText(&name)
			w.codeFlag(&worked)
		}
		return
	}
	for range w.codeCount(0) {
		if *all == nil {
			*all = map[string]bool{}
		}
		var name string
		var worked bool
		w.codeText(&name)
		w.codeFlag(&worked)
		(*all)[name] = worked
	}
}

// codeOptional reports whether a part is there, which is made if it is read.
func codeOptional[T any](w *wire, part **T) bool {
	there := *part != nil
	w.codeFlag(&there)
	if there && w.reads {
		*part = new(T)
	}
	return there
}

func (p *Place) codeFields(w *wire) {
	for _, text := range []*string{&p.Workspace, &p.Temporary, &p.OwnHome, &p.Cache, &p.Home, &p.GitSettings, &p.Overlay} {
		w.codeText(text)
	}
	w.codeTexts(&p.Read)
	w.codeTexts(&p.Hide)
	w.codeTexts(&p.Install)
	w.codeFlag(&p.ReadOnly)
	w.codeFlag(&p.Draft)
	w.codeFlag(&p.Network)
	size := w.codeCount(len(p.Hosts))
	if w.reads && size > 0 {
		p.Hosts = make([]Host, size)
	}
	for i := range p.Hosts {
		host := &p.Hosts[i]
		w.codeText(&host.Name)
		w.codeInteger(&host.Number)
		w.codeInteger(&host.Port)
	}
	w.codeNumber(&p.Memory)
	w.codeFlag(&p.Locks.Namespaces)
	w.codeInteger(&p.Locks.Landlock)
	w.codeFlag(&p.Locks.Seccomp)
}

func (d *Draft) codeFields(w *wire) {
	w.codeText(&d.Workspace)
	w.codeText(&d.Overlay)
}

func (s *Spec) codeFields(w *wire) {
	w.codeText(&s.Line)
	w.codeTexts(&s.Arguments)
	w.codeText(&s.Dir)
	w.codeTexts(&s.Env)
	w.codeTexts(&s.Repositories)
	w.codeFlag(&s.Copied)
	w.codeTexts(&s.Cover)
	w.codeFlag(&s.Renewed)
	w.codeNumber(&s.MostProcessor)
	if codeOptional(w, &s.Probe) {
		p := s.Probe
		for _, text := range []*string{&p.Outside, &p.Secret, &p.Socket, &p.Datagram, &p.Abstract} {
			w.codeText(text)
		}
		w.codeInteger(&p.Process)
		w.codeInteger(&p.Listener)
	}
}

func (p *Protection) codeFields(w *wire) {
	w.codeTexts(&p.Repositories)
	w.codeTexts(&p.Cover)
}

func (r *Report) codeFields(w *wire) {
	w.codeText(&r.Failed)
	w.codeInteger(&r.Errno)
	w.codeFlag(&r.Begun)
	w.codeFlag(&r.Protected)
	w.codeFlag(&r.Ended)
	w.codeInteger(&r.Code)
	w.codeInteger(&r.Signal)
	w.codeNumber(&r.Processor)
	w.codeTexts(&r.Opened)
	if codeOptional(w, &r.Exceeded) {
		e := r.Exceeded
		for _, number := range []*uint64{&e.Memory, &e.MostMemory, &e.Processes, &e.MostProcesses, &e.Processor, &e.MostProcessor} {
			w.codeNumber(number)
		}
	}
	w.codeAttempts(&r.Tried)
}
