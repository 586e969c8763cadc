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
	"sync/atomic"
	"syscall"

	"fairlead/backend/leftover"
)

// maxLooked is how many entries a folder may have whose commands are compared.
const maxLooked = 200_000

// errTooMany means that a folder has more.
var errTooMany = errors.New("the folder has too many entries to be looked at before and after a command")

// lookThrough looks at everything in a folder that is held open, and gives take what it finds:
// entries by their names, and how their paths begin. The sums of contents and the attributes
// are not looked at, and what goes away meanwhile is left out. take is called by several
// goroutines, and keeps no slice. unread are the folders of which this user may not see what
// is in them.
func lookThrough(ctx context.Context, root *os.Root, take func(prefix string, found []Entry)) (unread map[leftover.Path]bool, err error) {
	handle, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	state, err := stateOfOpened(handle)
	if err != nil {
		return nil, errors.Join(err, handle.Close())
	}
	take("", []Entry{{".", state}})
	l := &looking{ctx: ctx, take: take, next: make(chan folderToLookIn, maxWaiting), unread: map[leftover.Path]bool{}}
	l.waiting.Add(1)
	l.next <- newFolderToLookIn(handle, "")
	var lookers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxLookers) {
		lookers.Go(func() {
			var buffer []Entry
			for f := range l.next {
				buffer = l.lookIn(f, buffer)
				l.waiting.Done()
			}
		})
	}
	l.waiting.Wait()
	close(l.next)
	lookers.Wait()
	return l.unread, l.failed
}

const (
	// maxLookers is how many folders are looked at side by side: nearly all of the time goes
	// into calls to the system.
	maxLookers = 4
	// maxWaiting is how many folders wait for that, opened: more are looked at by the one that
	// finds them.
	maxWaiting = 64
	// namesAtOnce is how many entries of one folder are looked at by one.
	namesAtOnce = 256
)

// folderToLookIn is a folder, opened, with the beginning of the paths of what is in it.
type folderToLookIn struct {
	handle *os.File
	prefix string
	// names are those that are looked at; nil for all, which are not known yet.
	names []string
	// users counts those who look in it: the last one closes it.
	users *atomic.Int32
}

func newFolderToLookIn(handle *os.File, prefix string) folderToLookIn {
	f := folderToLookIn{handle: handle, prefix: prefix, users: new(atomic.Int32)}
	f.users.Store(1)
	return f
}

// share is a part of the folder, for somebody else to look at.
func (f folderToLookIn) share(names []string) folderToLookIn {
	f.users.Add(1)
	f.names = names
	return f
}

func (f folderToLookIn) close() {
	if f.users.Add(-1) == 0 {
		_ = f.handle.Close()
	}
}

// looking is a look at a folder under way.
type looking struct {
	ctx  context.Context //nolint:containedctx // it lasts as long as the look
	take func(prefix string, found []Entry)
	// next are folders that wait for somebody to look in, and waiting counts these and those
	// in which somebody looks.
	next    chan folderToLookIn
	waiting sync.WaitGroup

	mu     sync.Mutex
	count  int
	unread map[leftover.Path]bool
	failed error
}

// lookIn looks at what is in a folder, which it closes. The buffer is used for that, and
// returned.
func (l *looking) lookIn(f folderToLookIn, buffer []Entry) []Entry {
	defer f.close()
	if f.names == nil {
		names, err := f.handle.Readdirnames(-1)
		if err != nil {
			l.miss(f.prefix, err)
			return buffer
		}
		for len(names) > namesAtOnce {
			buffer = l.giveAway(f.share(names[:namesAtOnce]), buffer)
			names = names[namesAtOnce:]
		}
		f.names = names
	}
	found := buffer[:0]
	var folders []string
	for _, name := range f.names {
		state, err := stateIn(f.handle, name)
		if err != nil {
			l.miss(f.prefix, err)
			continue
		}
		found = append(found, Entry{leftover.Path(name), state})
		if state.Kind == Folder {
			folders = append(folders, name)
		}
	}
	if !l.add(len(found)) {
		return found
	}
	l.take(f.prefix, found)
	for _, name := range folders {
		prefix := f.prefix + name + "/"
		handle, err := openFolderIn(f.handle, name)
		if err != nil {
			l.miss(prefix, err)
			continue
		}
		found = l.giveAway(newFolderToLookIn(handle, prefix), found)
	}
	return found
}

// giveAway has somebody look in a folder: where all are busy, and enough wait, the caller.
func (l *looking) giveAway(f folderToLookIn, buffer []Entry) []Entry {
	l.waiting.Add(1)
	select {
	case l.next <- f:
	default:
		buffer = l.lookIn(f, buffer)
		l.waiting.Done()
	}
	return buffer
}

// miss notes that something in a folder could not be looked at: this user may not, it went
// away meanwhile, or the look has failed.
func (l *looking) miss(prefix string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
	case errors.Is(err, fs.ErrPermission):
		l.unread[leftover.Path(cmp.Or(strings.TrimSuffix(prefix, "/"), "."))] = true
	case l.failed == nil:
		l.failed = fmt.Errorf("look at %s: %w", cmp.Or(prefix, "the folder"), err)
	}
}

// add counts what was found, and reports whether the look goes on.
func (l *looking) add(count int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count += count
	if l.failed == nil {
		l.failed = l.ctx.Err()
	}
	if l.failed == nil && l.count > maxLooked {
		l.failed = errTooMany
	}
	return l.failed == nil
}

// isHidden reports whether a path lies in one of the folders that could not be read.
func isHidden(local leftover.Path, unread map[leftover.Path]bool) bool {
	for dir := local; len(unread) > 0 && dir != "."; {
		dir = leftover.Path(path.Dir(string(dir)))
		if unread[dir] {
			return true
		}
	}
	return false
}
