package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"
	"syscall"

	"fairlead/backend/leftover"
)

// maxLooked is how many entries a folder may have whose commands are compared.
const maxLooked = 200_000

// errTooMany means that a folder has more.
var errTooMany = errors.New("the folder has too many entries to be looked at before and after a command")

// seen is what lies in a folder at one moment.
type seen struct {
	// states are by their paths, the folder itself as ".". The sums of contents and the
	// attributes are not looked at.
	states map[leftover.Path]State
	// unread are the folders of which this user may not see what is in them.
	unread map[leftover.Path]bool
}

// lookAll looks at everything in a folder that is held open. What goes away meanwhile is left
// out.
func lookAll(ctx context.Context, root *os.Root) (now seen, err error) {
	handle, err := root.Open(".")
	if err != nil {
		return now, err
	}
	info, err := handle.Stat()
	if err != nil {
		return now, errors.Join(err, handle.Close())
	}
	l := &looking{ctx: ctx, all: seen{map[leftover.Path]State{".": stateOf(info)}, map[leftover.Path]bool{}}, slots: make(chan struct{}, min(runtime.GOMAXPROCS(0), maxLookers)-1)}
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
		l.miss(prefix, err)
		return
	}
	found := make([]Entry, 0, len(names))
	for _, name := range names {
		state, err := stateIn(handle, name)
		if err != nil {
			l.miss(prefix, err)
			continue
		}
		found = append(found, Entry{leftover.Path(prefix + name), state})
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
			l.miss(string(e.Path)+"/", err)
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

// miss notes that something in a folder could not be looked at: this user may not, it went
// away meanwhile, or the look has failed.
func (l *looking) miss(prefix string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
	case errors.Is(err, fs.ErrPermission):
		l.all.unread[leftover.Path(cmp.Or(strings.TrimSuffix(prefix, "/"), "."))] = true
	case l.failed == nil:
		l.failed = fmt.Errorf("look at %s: %w", cmp.Or(prefix, "the folder"), err)
	}
}

// isHidden reports whether a path lies in a folder that could not be read.
func (s seen) isHidden(local leftover.Path) bool {
	for dir := local; len(s.unread) > 0 && dir != "."; {
		dir = leftover.Path(path.Dir(string(dir)))
		if s.unread[dir] {
			return true
		}
	}
	return false
}

// add adds what was found, and reports whether the look goes on.
func (l *looking) add(found []Entry) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed == nil {
		l.failed = l.ctx.Err()
	}
	if l.failed == nil && len(l.all.states)+len(found) > maxLooked {
		l.failed = errTooMany
	}
	if l.failed != nil {
		return false
	}
	for _, e := range found {
		l.all.states[e.Path] = e.State
	}
	return true
}
