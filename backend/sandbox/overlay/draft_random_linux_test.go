//go:build !race

package overlay_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
)

// tooled is a folder that file tools change.
type tooled struct {
	*change.Recorder
	root *os.Root
	// careful reports whether they look first if something can be moved, and failed counts calls that
	// were tried in vain: a folder can have another time then.
	careful bool
	failed  *int
}

// target is what lies at a path, as a file tool sees it before it changes that, with the folders on the
// way that are there, which the caller closes.
func (f tooled) target(name string) change.Target {
	info, _ := f.root.Lstat(name) // nothing where it cannot be seen
	target := change.Target{Way: []change.Opened{{Root: f.root, Path: "."}}, Path: name, Seen: info}
	parts := strings.Split(path.Dir(name), "/")
	for n := range parts {
		at := path.Join(parts[:n+1]...)
		if info, err := f.root.Lstat(at); at == "." || err != nil || !info.IsDir() {
			break
		}
		opened, err := f.root.OpenRoot(at)
		if err != nil {
			break
		}
		target.Way = append(target.Way, change.Opened{Root: opened, Path: at})
	}
	return target
}

func closeWay(t change.Target) {
	for _, o := range t.Way[1:] {
		_ = o.Root.Close()
	}
}

// drawTool draws a random call of a file tool, and returns what makes it in a folder. It reports
// whether it was made.
func drawTool(ctx context.Context, random *rand.Rand) func(f tooled) bool {
	draw := func() string { return randomNames[random.IntN(len(randomNames))] }
	kind, one, two, text := random.IntN(4), draw(), draw(), fmt.Sprintf("by a tool %d\n", random.IntN(100))
	return func(f tooled) bool {
		at := f.target(one)
		defer closeWay(at)
		var err error
		switch {
		case kind < 2:
			if at.Seen != nil && !at.Seen.Mode().IsRegular() {
				return false // a file tool writes what a link leads to
			}
			_, err = f.Write(ctx, "write", at, []byte(text), change.Lines{})
		case at.Seen == nil:
			return false
		case kind == 2:
			to := f.target(two)
			defer closeWay(to)
			if f.careful && (to.Seen != nil || strings.HasPrefix(two, one+"/")) {
				return false
			}
			_, err = f.Move(ctx, "move", at, to)
		default:
			var listed []change.Entry
			if listed, err = f.List(ctx, at); err == nil {
				_, err = f.Delete(ctx, "delete", at, listed)
			}
		}
		if err != nil && f.failed != nil {
			*f.failed++
		}
		return err == nil
	}
}

// withoutRights leaves out lists of rights that name other users, which a file that a tool writes
// anew in a draft cannot be given.
func withoutRights(all map[string]changetest.Entry) {
	for name, e := range all {
		kept := slices.DeleteFunc(strings.Fields(e.Attributes), func(one string) bool { return strings.HasPrefix(one, "system.posix_acl_access=") })
		e.Attributes = strings.Join(kept, " ")
		all[name] = e
	}
}

// TestPRE06_SoakADraftAppliesWhatWasDoneInIt does random tasks of commands and file tools, each in
// three runs, in a draft and in a folder: nothing is changed before it is applied, and then the folders are
// the same. What is dropped leaves the folder as it was.
func TestPRE06_SoakADraftAppliesWhatWasDoneInIt(t *testing.T) {
	tasks := 8
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		tasks = 60
	}
	seed := uint64(time.Now().UnixNano())
	for n := range tasks {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random, began := rand.New(rand.NewPCG(seed, 0)), time.Now().Add(-time.Second)
			r := newRig(t)
			plain := filepath.Join(t.TempDir(), "work")
			must(t, os.Mkdir(plain, 0o755))
			changetest.Fill(t, plain)
			for _, folder := range []string{r.folder, plain} {
				must(t, os.Remove(filepath.Join(folder, "linked.txt")))
			}
			before := changetest.Snapshot(t, r.folder)
			root, err := os.OpenRoot(plain)
			must(t, err)
			defer root.Close()
			direct := tooled{Recorder: changetest.NewRecorder(t, root, plain), root: root}
			for range 3 {
				d := r.enter()
				inDraft := tooled{Recorder: d.tools, root: d.root}
				for range 2 {
					script := randomScript(drawCalls(random, false))
					if diff := cmp.Diff(r.either(plainlyIn(t, plain, script)), r.either(d.do(script))); diff != "" {
						t.Fatalf("the calls answered otherwise: %s\n%s", diff, script)
					}
					for n := range 8 {
						call := drawTool(t.Context(), random)
						if want, got := call(direct), call(inDraft); want != got {
							t.Fatalf("call %d of a file tool after %s\nwas made in the folder: %v, in the draft: %v", n, script, want, got)
						}
					}
				}
				d.leave()
				r.same(before)
			}
			draft, pending := r.readDraft()
			if n%4 == 0 {
				must(t, r.DropDraft(draft))
				r.same(before)
				return
			}
			for i, collision := range pending.Collisions {
				t.Errorf("%s: %s", pending.Changes[i].Path, collision)
			}
			_, left, err := r.ApplyDraft(t.Context(), draft, pending, func(int) bool { return true })
			if err != nil || len(left.Changes) > 0 {
				t.Fatalf("applied: %v, %+v", err, left)
			}
			asked, got := withoutNew(changetest.Snapshot(t, plain), began), withoutNew(maps.Clone(changetest.Snapshot(t, r.folder)), began)
			if r.liesOn(unix.XFS_SUPER_MAGIC) {
				withoutExchanged(asked, got)
			}
			withoutRights(asked)
			withoutRights(got)
			if diff := cmp.Diff(asked, got); diff != "" {
				t.Fatalf("plainly and applied: %s", diff)
			}
			after := changetest.Snapshot(t, r.folder)
			scope := change.Scope{Runs: []string{""}}
			r.carryOut(scope, false)
			r.same(before)
			r.carryOut(scope, true)
			r.same(after)
		})
		seed++
	}
}
