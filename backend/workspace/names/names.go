// Package names finds files and folders of a workspace by what is typed of their paths.
package names

import (
	"cmp"
	"context"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/junegunn/fzf/src/algo"
	"github.com/junegunn/fzf/src/util"

	"fairlead/backend/workspace"
)

const (
	// patience is how long an answer waits for the first list of a workspace.
	patience = 40 * time.Millisecond
	// leastAge is how old a list is at least before another one is made.
	leastAge = 2 * time.Second
	// The space that matching needs, in numbers: as much as fzf gives it.
	slab16, slab32 = 100 << 10, 2 << 10
)

// Name is a file or a folder.
type Name struct {
	// Path is relative to the workspace, with slashes.
	Path   string `json:"path"`
	Folder bool   `json:"folder,omitempty"`
}

// Names knows what there is in a workspace, but for what a walk leaves out. It looks when it is first
// asked, and again after changes. It is safe for concurrent use.
type Names struct {
	folder *workspace.Folder
	ctx    context.Context //nolint:containedctx // it lasts as long as the workspace is open, and ends what looks through it
	end    context.CancelFunc
	looks  sync.WaitGroup

	mu   sync.Mutex
	list []listed
	// ready is closed once there is a list; nil before anybody asked.
	ready chan struct{}
	// stale is set once something has changed since the last look, which began at since; looking is set
	// during one.
	stale, looking bool
	since          time.Time
}

// listed is a name as it is matched.
type listed struct {
	chars  util.Chars
	folder bool
	depth  int
}

// New returns the names of a workspace. Nothing is looked at yet; Close ends what is.
func New(folder *workspace.Folder) *Names {
	n := &Names{folder: folder}
	n.ctx, n.end = context.WithCancel(context.Background())
	return n
}

// Close waits for the end of what looks through the workspace, which can be closed then.
func (n *Names) Close() {
	n.mu.Lock()
	n.end() // nothing begins any more
	n.mu.Unlock()
	n.looks.Wait()
}

// Changed takes note that something came or went.
func (n *Names) Changed() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stale = true
}

// Find returns the names that fit best what was typed, at most so many. Letters of it may be left out;
// words must all fit, and capitals count where there are any. Nothing typed fits what is
// nearest to the top. whole is false where the workspace is still looked through for the first time, and
// nothing is known yet.
func (n *Names) Find(ctx context.Context, typed string, most int) (found []Name, whole bool) {
	ready := n.look()
	select {
	case <-ready:
	case <-ctx.Done():
		return []Name{}, false
	case <-time.After(patience):
		return []Name{}, false
	}
	n.mu.Lock()
	list := n.list
	n.mu.Unlock()
	found = []Name{}
	for _, at := range best(list, typed, most) {
		found = append(found, Name{list[at].chars.ToString(), list[at].folder})
	}
	return found, true
}

// look begins to look through the workspace where that is needed, and returns what is closed once there is a
// list.
func (n *Names) look() (ready chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	first := n.ready == nil
	if first {
		n.ready = make(chan struct{})
	}
	if n.ctx.Err() == nil && !n.looking && (first || n.stale && time.Since(n.since) >= leastAge) {
		n.looking, n.stale, n.since = true, false, time.Now()
		n.looks.Go(n.makeList)
	}
	return n.ready
}

// makeList lists what there is.
func (n *Names) makeList() {
	var list []listed
	_, err := n.folder.Walk(n.ctx, ".", func(e workspace.Entry) error {
		list = append(list, listed{util.ToChars([]byte(e.Path)), e.Type&fs.ModeDir != 0, e.Depth})
		return nil
	})
	n.mu.Lock()
	defer n.mu.Unlock()
	n.looking = false
	if err != nil && n.list != nil {
		return // the one before is better than half of one
	}
	n.list = list
	select {
	case <-n.ready:
	default:
		close(n.ready)
	}
}

// hit is a name that fits: how well, and where it is in the list.
type hit struct{ score, at int }

// best returns the places in a list of what fits best.
func best(list []listed, typed string, most int) []int {
	words := patterns(typed)
	const parts = 2 // at once; more would take the processor from the page
	hits := make([][]hit, parts)
	var matching sync.WaitGroup
	for part := range parts {
		matching.Go(func() {
			from, to := len(list)*part/parts, len(list)*(part+1)/parts
			hits[part] = match(list, from, to, words, most)
		})
	}
	matching.Wait()
	all := slices.Concat(hits...)
	slices.SortFunc(all, func(a, b hit) int { return compare(list, a, b) })
	places := make([]int, min(most, len(all)))
	for i := range places {
		places[i] = all[i].at
	}
	return places
}

// pattern is a word that was typed.
type pattern struct {
	runes     []rune
	sensitive bool
}

func patterns(typed string) []pattern {
	var words []pattern
	for _, word := range strings.Fields(typed) {
		p := pattern{sensitive: strings.ContainsFunc(word, unicode.IsUpper)}
		if !p.sensitive {
			word = strings.ToLower(word)
		}
		p.runes = algo.NormalizeRunes([]rune(word))
		words = append(words, p)
	}
	return words
}

// match returns the hits of a part of a list, at most so many.
func match(list []listed, from, to int, words []pattern, most int) []hit {
	slab := util.MakeSlab(slab16, slab32)
	var hits []hit
	for at := from; at < to; at++ {
		score, fits := 0, true
		for _, word := range words {
			result, _ := algo.FuzzyMatchV2(word.sensitive, true, true, &list[at].chars, word.runes, false, slab)
			if fits = result.Start >= 0; !fits {
				break
			}
			score += result.Score
		}
		if !fits {
			continue
		}
		h := hit{score, at}
		if len(hits) == most && compare(list, hits[most-1], h) <= 0 {
			continue
		}
		place, _ := slices.BinarySearchFunc(hits, h, func(a, b hit) int { return compare(list, a, b) })
		hits = slices.Insert(hits, place, h)
		hits = hits[:min(len(hits), most)]
	}
	return hits
}

// compare puts the better hit first: of the same score the one that is nearer to the top, then the shorter
// one, then the first in the order of names.
func compare(list []listed, a, b hit) int {
	return cmp.Or(
		cmp.Compare(b.score, a.score),
		cmp.Compare(list[a.at].depth, list[b.at].depth),
		cmp.Compare(list[a.at].chars.Length(), list[b.at].chars.Length()),
		cmp.Compare(a.at, b.at),
	)
}

func init() { algo.Init("path") } // a slash begins a word
