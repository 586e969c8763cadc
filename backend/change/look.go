package change

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync"

	"fairlead/backend/leftover"
)

// maxLooked is how many entries a folder may have whose commands are compared.
const maxLooked = 200_000

// errTooMany means that a folder has more.
var errTooMany = errors.New("the folder has too many entries to be looked at before and after a command")

// seen are what lies in a folder at one moment, by their paths, the folder itself as ".". The
// sums of contents and the attributes are not looked at.
type seen map[leftover.Path]State

// lookAll looks at everything in a folder that is held open. What cannot be read, because
// this user may not or because it goes away meanwhile, is left out.
func lookAll(ctx context.Context, root *os.Root) (seen, error) {
	handle, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	info, err := handle.Stat()
	if err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	l := &looking{ctx: ctx, all: seen{".": stateOf(info)}, slots: make(chan struct{}, min(runtime.GOMAXPROCS(0), maxLookers)-1)}
	l.lookIn(handle, "")
	l.others.Wait()
	return l.all, l.failed
}

// maxLookers is how many folders are looked at side by side: nearly all of the time goes into
// calls to the system.
const maxLookers = 4

// looking is a look at a folder under way.
type looking struct {
	ctx context.Context //nolint:containedctx // it lasts as long as the look
	// slots are for those that look beside the first, and others waits for them.
	slots  chan struct{}
	others sync.WaitGroup

	mu     sync.Mutex
	all    seen
	failed error
}

// lookIn looks at what is in a folder, which it closes.
func (l *looking) lookIn(handle *os.File, prefix string) {
	defer func() { _ = handle.Close() }()
	names, err := handle.Readdirnames(-1)
	if err != nil {
		return // what cannot be read is left out
	}
	found := make([]Entry, 0, len(names))
	for _, name := range names {
		if state, err := stateIn(handle, name); err == nil {
			found = append(found, Entry{leftover.Path(prefix + name), state})
		}
	}
	if !l.add(found) {
		return
	}
	for _, e := range found {
		if e.State.Kind != Folder {
			continue
		}
		below, err := openFolderIn(handle, string(e.Path)[len(prefix):])
		if err != nil {
			continue
		}
		select {
		case l.slots <- struct{}{}:
			l.others.Go(func() {
				l.lookIn(below, string(e.Path)+"/")
				<-l.slots
			})
		default:
			l.lookIn(below, string(e.Path)+"/")
		}
	}
}

// add adds what was found, and reports whether the look goes on.
func (l *looking) add(found []Entry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		l.failed = l.ctx.Err()
	}
	if l.failed == nil && len(l.all)+len(found) > maxLooked {
		l.failed = errTooMany
	}
	if l.failed != nil {
		return false
	}
	for _, e := range found {
		l.all[e.Path] = e.State
	}
	return true
}
