package autorun

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	// maxDepth is how many levels below the workspace are searched.
	maxDepth = 4
	// maxSearched bounds the search, in entries, and maxEntries what is read of one
	// folder.
	maxSearched = 150_000
	maxEntries  = 20_000
	// atOnce is how many folders are searched between two looks at what was found,
	// searchers how many at the same time, and perSearcher how many make another one
	// worth its start.
	atOnce, searchers, perSearcher = 1024, 4, 64
	// maxActed bounds the files and folders that are compared, and maxActedDepth how
	// deep they may lie in a folder that programs act on.
	maxActed      = 5_000
	maxActedDepth = 6
)

// Look is what programs act on in a workspace at one moment.
type Look struct {
	// stamps say what each file is, by its path.
	stamps map[string]stamp
	// roots are the files and folders that programs act on, with all that is in them.
	roots map[string]Kind
	// pins are what commands must not change.
	pins map[string]pin
	// made are the files that have to exist so that they can be kept from commands.
	made []madeFile
	// hooks are the folders for hooks that have to exist.
	hooks []string
	// gaps say what was not looked at.
	gaps []Notice
}

// looking is a look under way.
type looking struct {
	*Scanner
	ctx  context.Context //nolint:containedctx,nolintlint // it lasts as long as the look
	look *Look
	// seen counts the entries that were searched, acted those that are compared.
	seen, acted int
	// repositories are those that were found, by their folders, in order.
	repositories map[string]*repository
	order        []string
	// done are the trees that were compared.
	done map[string]bool
}

// Look looks at the workspace. When ctx ends, what is left out is a gap.
func (s *Scanner) Look(ctx context.Context) *Look {
	l := &looking{
		Scanner: s, ctx: ctx, look: &Look{stamps: map[string]stamp{}, roots: map[string]Kind{}, pins: map[string]pin{}},
		repositories: map[string]*repository{}, done: map[string]bool{},
	}
	l.walk()
	if r, ok := s.repositoryAround(); ok && !l.topIsKnown() {
		l.add(r)
	}
	if len(l.order) == 0 {
		l.noteNamedPrograms(repository{}) // the user's own settings hold everywhere
	}
	for i := 0; i < len(l.order); i++ { // it grows
		l.examineRepository(l.repositories[l.order[i]])
	}
	if ctx.Err() != nil {
		l.addGap(".", GapTime)
	}
	return l.look
}

// addGap notes what is not looked at.
func (l *looking) addGap(name string, why Gap) {
	n := Notice{Code: CodeIncomplete, Path: name, Gap: why}
	if !slices.Contains(l.look.gaps, n) {
		l.look.gaps = append(l.look.gaps, n)
	}
}

// walk searches the upper levels of the workspace.
func (l *looking) walk() {
	level := []string{"."}
	for depth := 0; depth <= maxDepth && len(level) > 0; depth++ {
		var next []string
		for some := range slices.Chunk(level, atOnce) {
			for i, found := range l.searchAll(some) {
				if l.ctx.Err() != nil {
					return
				}
				if l.seen >= maxSearched {
					l.addGap(".", GapEntries)
					return
				}
				l.seen += found.entries
				l.addListing(some[i], found)
				next = append(next, found.below...)
			}
		}
		level = next
	}
}

// searchAll returns what is in some folders, in their order. Nearly all of the time goes
// into calls to the system, which run side by side.
func (l *looking) searchAll(dirs []string) []listing {
	found := make([]listing, len(dirs))
	var group sync.WaitGroup
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), searchers, (len(dirs)+perSearcher-1)/perSearcher) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(dirs)); i = next.Add(1) - 1 {
				found[i] = l.read(dirs[i], false)
			}
		})
	}
	group.Wait()
	return found
}

// addListing notes what was found in a folder.
func (l *looking) addListing(dir string, found listing) {
	l.noteIncomplete(dir, found)
	for _, name := range found.acted {
		if folded := Fold(path.Base(name)); folded == ".git" || folded == "git~1" {
			l.gitEntry(name)
			continue
		}
		r, _ := findRule(name)
		l.followLinks(name, r.kind, r.pinned)
	}
	if found.repository {
		l.addAt(l.absolutePath(dir), "")
	}
}

// followLinks notes what is at a path, through links, with all that lies in it, and pins it
// if asked to.
func (l *looking) followLinks(name string, kind Kind, pinned bool) {
	t := l.resolve(l.absolutePath(name))
	l.addPassedLinks(t, kind, pinned)
	real, inside := l.relativePath(t.path)
	if !inside {
		return
	}
	if t.info == nil {
		l.addRoot(real, kind) // where somebody may put something
		return
	}
	if real == "." {
		l.addWorkspace(name, kind, pinned)
		return
	}
	if l.addTree(real, kind, pinned, 0); pinned {
		l.addPin(real, kind)
	}
	l.addRoot(real, kind)
}

// addRoot notes that programs act on a path and all that is in it.
func (l *looking) addRoot(name string, kind Kind) {
	if _, ok := l.look.roots[name]; !ok {
		l.look.roots[name] = kind
	}
}

// addPassedLinks notes the links on the way to a target.
func (l *looking) addPassedLinks(t target, kind Kind, pinned bool) {
	for _, link := range t.links {
		l.addRoot(link, kind)
		if l.noteAt(link, kind); pinned {
			l.addPin(link, kind)
		}
	}
	if t.cut {
		l.addGap(t.path, GapUnreadable)
	}
}

// addWorkspace notes that a path leads to the workspace itself, which cannot be kept from
// commands. Of hooks those are compared that git knows.
func (l *looking) addWorkspace(name string, kind Kind, pinned bool) {
	if pinned {
		l.look.gaps = append(l.look.gaps, Notice{Code: CodeNotPinned, Kind: kind, Path: name})
	}
	if kind == Git {
		for _, hook := range hookNames {
			l.followLinks(hook, Git, pinned)
		}
	}
}

// hookNames are the hooks that git runs (githooks(5)).
var hookNames = strings.Fields(`applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg
	commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive
	post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman
	p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change`)

// addTree notes a file, or a folder with all that is in it, where links in it lead as well.
func (l *looking) addTree(name string, kind Kind, pinned bool, depth int) {
	if l.done[name] || l.ctx.Err() != nil {
		return
	}
	l.done[name] = true
	if l.acted++; l.acted > maxActed || depth > maxActedDepth {
		l.addGap(name, GapEntries)
		return
	}
	info, err := l.root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return
	}
	if !info.IsDir() || kind != Git { // an empty folder for hooks changes nothing
		l.addStamp(name, kind, info)
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		l.followLinks(name, kind, pinned)
	case info.IsDir():
		for _, e := range l.list(name).all {
			if e.name != "node_modules" && (kind != Git || !strings.HasSuffix(e.name, ".sample")) {
				l.addTree(path.Join(name, e.name), kind, pinned, depth+1)
			}
		}
	}
}

// actingPrograms returns which programs act on a path, relative to the workspace and without
// links.
func (k *Look) actingPrograms(name string) (Kind, bool) {
	for at := path.Clean(name); at != "."; at = path.Dir(at) {
		if kind, ok := k.roots[at]; ok {
			return kind, true
		}
	}
	return "", false
}

// RunsBy returns which programs act by themselves on the file at a path, relative to
// the workspace: as Reason says, or because git's settings name it, or because a link
// that programs follow leads to it.
func (s *Scanner) RunsBy(ctx context.Context, name string) (Kind, bool) {
	if kind, ok := Reason(name); ok {
		return kind, true
	}
	real, inside := s.relativePath(s.resolve(s.absolutePath(name)).path)
	if !inside {
		return "", false
	}
	if kind, ok := Reason(real); ok {
		return kind, true
	}
	return s.Look(ctx).actingPrograms(real)
}
