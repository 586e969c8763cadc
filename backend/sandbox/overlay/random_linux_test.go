//go:build !race

// Programs are started again and again: the race detector sees nothing of them.

package overlay_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
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

// randomTasks does random tasks, each in a folder of its own in which no file has two names. The seed of one
// is its name.
func randomTasks(t *testing.T, do func(t *testing.T, r *rig, random *rand.Rand)) {
	t.Helper()
	tasks := 6
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		tasks = 60
	}
	seed := uint64(time.Now().UnixNano())
	for range tasks {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := newRig(t)
			must(t, os.Remove(filepath.Join(r.folder, "linked.txt")))
			do(t, r, rand.New(rand.NewPCG(seed, 0)))
		})
		seed++
	}
}

// randomNames are what random calls are made on.
var randomNames = []string{"a.txt", "run.sh", "link", "sub", "sub/b.txt", "sub/deep", "sub/deep/c.txt", "sub/new", "new", "new/a", "new/deep", "other", "other/b"}

// randomCalls are what changes a folder, as Perl writes it: ONE and TWO are names, and N is the number
// of the call.
var randomCalls = []string{
	`put('>', ONE, "call N\n")`, `put('>>', ONE, "call N\n")`, `put('+<', ONE, "N")`, `truncate(ONE, 1)`, `unlink(ONE)`,
	`mkdir(ONE)`, `rmdir(ONE)`, `gone(ONE)`, `move(ONE, TWO)`, `move(ONE, TWO)`, `symlink('a.txt', TWO)`,
	`chmod(0700, ONE)`, `chmod(0755, ONE)`, `utime(1000000, 1000000 + N, ONE)`, `exchange(ONE, TWO)`,
}

// randomScript makes calls in Perl and prints what each of them answers. To rename a file to
// another name of itself does nothing, but an overlay answers ESTALE: that is not tried.
func randomScript(calls []string) string {
	return `perl - <<'END'
$| = 1;
sub put { my ($how, $name, $text) = @_; my $file; open($file, $how, $name) && print($file $text) && close($file) }
sub gone { my ($name) = @_; if (-d $name && !-l $name) { gone($_) for glob("$name/*"); return rmdir($name) } unlink($name) }
sub linked { my ($name) = @_; (-l $name || !-d $name) && (lstat($name))[3] > 1 }
sub same { my ($one, $two) = @_; linked($one) && linked($two) }
sub move { my ($one, $two) = @_; same($one, $two) || rename($one, $two) }
sub exchange { my ($one, $two) = @_; same($one, $two) || syscall(` + fmt.Sprint(unix.SYS_RENAMEAT2) + `, -100, $one, -100, $two, 2) == 0 }
` + strings.Join(calls, "\n") + "\nEND"
}

// drawCalls draws random calls.
func drawCalls(random *rand.Rand, links bool) []string {
	kinds := randomCalls
	if links {
		kinds = append(slices.Clone(kinds), `link(ONE, TWO)`, `link(ONE, TWO)`)
	}
	draw := func(all []string) string { return all[random.IntN(len(all))] }
	var calls []string
	for n := range 20 + random.IntN(60) {
		call := strings.NewReplacer("ONE", "'"+draw(randomNames)+"'", "TWO", "'"+draw(randomNames)+"'", "N", fmt.Sprint(n)).Replace(draw(kinds))
		calls = append(calls, fmt.Sprintf(`$! = 0; print %s ? "%d ok\n" : "%d $!\n";`, call, n, n))
	}
	return calls
}

// withoutNew leaves out times that are new, of which it counts that they are, and how many
// names files have, of which what is kept can be one more.
func withoutNew(all map[string]changetest.Entry, began time.Time) map[string]changetest.Entry {
	for name, e := range all {
		if e.Modified.After(began) {
			e.Modified = time.Time{}
		}
		e.Links = 0
		all[name] = e
	}
	return all
}

// withoutExchanged leaves out times of folders that are new in one of two: xfs gives such a time
// to one that is exchanged with an entry of another folder, other file systems do not. Overlayfs
// exchanges a folder that is renamed to where something was with what stands for nothing there.
func withoutExchanged(plain, applied map[string]changetest.Entry) {
	for name, e := range plain {
		other, ok := applied[name]
		if ok && e.Mode.IsDir() && e.Modified.IsZero() != other.Modified.IsZero() {
			e.Modified, other.Modified = time.Time{}, time.Time{}
			plain[name], applied[name] = e, other
		}
	}
}

// TestPRE05_SoakRandomCallsDoTheSameInACopy makes random calls in a copy and in a folder: they
// answer the same, and when they were applied the folders are the same; then they are taken back
// and made again. A second command goes on with what the first has left, and makes links, which
// a third would not write through in the same way.
func TestPRE05_SoakRandomCallsDoTheSameInACopy(t *testing.T) {
	least := 1_500
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		least = 10_000
	}
	seed := uint64(time.Now().UnixNano())
	for made := 0; made < least && !t.Failed(); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random, began := rand.New(rand.NewPCG(seed, 0)), time.Now().Add(-time.Second)
			r := newRig(t)
			plain := filepath.Join(t.TempDir(), "work")
			must(t, os.Mkdir(plain, 0o755))
			changetest.Fill(t, plain)
			for _, folder := range []string{r.folder, plain} {
				must(t, os.Remove(filepath.Join(folder, "linked.txt"))) // the other name of a file
			}
			for step := range 2 {
				calls := drawCalls(random, step == 1)
				made += len(calls)
				r.compareCalls(plain, randomScript(calls), began)
			}
		})
	}
}

// compareCalls makes calls in a copy, which it applies, and in another folder.
func (r *rig) compareCalls(plain, script string, began time.Time) {
	r.t.Helper()
	before := changetest.Snapshot(r.t, r.folder)
	want := plainlyIn(r.t, plain, script)
	layer, printed := r.try(script)
	r.same(before)
	must(r.t, layer.Remove())
	if diff := cmp.Diff(r.either(want), r.either(printed)); diff != "" {
		r.t.Fatalf("the calls answered otherwise: %s\n%s", diff, script)
	}
	call := r.run(script)
	after := changetest.Snapshot(r.t, r.folder)
	asked, got := withoutNew(changetest.Snapshot(r.t, plain), began), withoutNew(maps.Clone(after), began)
	if r.liesOn(unix.XFS_SUPER_MAGIC) {
		withoutExchanged(asked, got)
	}
	if diff := cmp.Diff(asked, got); diff != "" {
		r.t.Fatalf("plainly and applied: %s\n%s", diff, script)
	}
	if diff := cmp.Diff(linksIn(r.t, plain), linksIn(r.t, r.folder)); diff != "" {
		r.t.Fatalf("names of one file: %s\n%s", diff, script)
	}
	scope := change.Scope{Calls: []string{call}}
	r.carryOut(scope, false)
	r.same(before)
	r.carryOut(scope, true)
	r.same(after)
}
