//go:build !race

package overlay_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/backend/change"
)

// git runs git in the rig's folder, as the user.
func (r *rig) git(arguments ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", arguments...)
	cmd.Dir = r.folder
	cmd.Env = append(os.Environ(), gitAs("u")...)
	output, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v: %s", arguments, err, output)
	}
	return strings.TrimSpace(string(output))
}

// gitAs are the variables for git as used by somebody.
func gitAs(name string) []string {
	return []string{
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + name + "@localhost",
		"GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + name + "@localhost",
	}
}

// newRepository returns a rig whose folder is a repository with two commits and two branches.
func newRepository(t *testing.T) *rig {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	r := newRig(t)
	for _, line := range []string{
		"init -q -b main", "add -A", "commit -qm first", "checkout -q -b other", "commit -q --allow-empty -m theirs", "checkout -q main",
	} {
		r.git(strings.Fields(line)...)
	}
	write(t, r.folder, "a.txt", "second\n")
	r.git("commit", "-qam", "second")
	return r
}

// inDraft does something in the draft of the rig's repository.
func (r *rig) inDraft(line string) {
	r.t.Helper()
	d := r.enter()
	d.do("set -e; export " + strings.Join(gitAs("d"), " ") + "; " + line)
	must(r.t, d.draft.Note())
	d.leave()
}

// collided lists the paths of a draft that collide.
func collided(p *change.Pending) []string {
	var paths []string
	for i := range p.Collisions {
		paths = append(paths, string(p.Changes[i].Path))
	}
	slices.Sort(paths)
	return paths
}

// onlyRepository reports whether all changes in the repository collide, and no others.
func onlyRepository(p *change.Pending) bool {
	for i := range p.Changes {
		if (p.UnitAt(i) == ".git") != (p.Collisions[i] != "") {
			return false
		}
	}
	return true
}

// gitWorks are what is done in drafts.
var gitWorks = map[string]string{
	"commit":   "echo draft >>a.txt; git add -A; git commit -qm draft",
	"rebase":   "git rebase -q main other",
	"checkout": "git checkout -q other; git checkout -q -b fresh; echo x >x; git add x; git commit -qm x",
	"stash":    "echo draft >>a.txt; git stash -q; echo again >>a.txt; git stash -q; git stash pop -q",
	"worktree": "git worktree add -q tree other; echo in >tree/in; git -C tree add in; git -C tree commit -qm in",
	"pruned":   "git commit -q --amend -m amended; git reflog expire --expire=now --all; git gc -q --prune=now; git pack-refs --all",
}

// TestCHG07_ARepositoryInADraftIsAppliedAsAUnit has git work in a draft while the user looks at
// the repository: that is no collision, and what is applied is a sound repository with what was
// done.
func TestCHG07_ARepositoryInADraftIsAppliedAsAUnit(t *testing.T) {
	for name, line := range gitWorks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t)
			r.inDraft(line)
			r.touchIndex()
			draft, pending := r.readDraft()
			if len(pending.Collisions) > 0 {
				t.Fatalf("collisions: %q", collided(pending))
			}
			_, left, err := r.ApplyDraft(t.Context(), draft, pending, func(int) bool { return true })
			if err != nil || len(left.Changes) > 0 {
				t.Fatalf("applied: %v, %+v", err, left)
			}
			r.git("fsck", "--strict", "--no-dangling")
			if status := r.git("status", "--porcelain", "--untracked-files=no"); (status != "") != (name == "stash") {
				t.Errorf("changed are %q", status)
			}
			if name == "worktree" {
				r.git("-C", "tree", "status")
			}
		})
	}
}

// TestCHG07_TheUsersCommitMakesAConflictAndIsNeverLost has the user commit while git works in a
// draft: the repository collides as a whole. The rest is applied without it, and the repository
// where the user wants that; whatever they choose it is sound, and has their commit.
func TestCHG07_TheUsersCommitMakesAConflictAndIsNeverLost(t *testing.T) {
	users := map[string]func(r *rig){
		"the same branch": func(r *rig) {},
		"a new branch":    func(r *rig) { r.git("checkout", "-q", "-b", "users") },
	}
	for name, line := range gitWorks {
		for way, begin := range users {
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				r := newRepository(t)
				r.inDraft(line + "; echo beside >beside")
				begin(r)
				write(t, r.folder, "users", "users\n")
				r.git("add", "users")
				r.git("commit", "-qm", "users")
				users := r.git("rev-parse", "HEAD")
				draft, pending := r.readDraft()
				if !onlyRepository(pending) {
					t.Fatalf("collisions: %q of %d changes", collided(pending), len(pending.Changes))
				}
				_, left, err := r.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Collisions[i] == "" })
				must(t, err)
				if len(left.Changes) == 0 || !onlyRepository(left) {
					t.Errorf("left are %+v", left.Changes)
				}
				must(t, draft.Close())
				r.git("fsck", "--strict", "--no-dangling")
				if head := r.git("rev-parse", "HEAD"); head != users {
					t.Errorf("HEAD is %s, and was %s", head, users)
				}
				draft, pending = r.readDraft()
				_, left, err = r.ApplyDraft(t.Context(), draft, pending, func(int) bool { return true })
				if err != nil || len(left.Changes) > 0 {
					t.Fatalf("chosen: %v, %+v", err, left)
				}
				r.git("fsck", "--strict", "--no-dangling")
				r.git("cat-file", "-e", users+"^{tree}")
				if way == "a new branch" {
					r.git("log", "users", "--")
				}
			})
		}
	}
}

// TestCHG07_APartOfARepositoryIsNotApplied chooses some of what a draft changed in a repository.
func TestCHG07_APartOfARepositoryIsNotApplied(t *testing.T) {
	r := newRepository(t)
	r.inDraft(gitWorks["commit"])
	draft, pending := r.readDraft()
	defer func() { must(t, draft.Close()) }()
	head := r.git("rev-parse", "HEAD")
	_, left, err := r.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Changes[i].Path != ".git/index" })
	must(t, err)
	for i, c := range left.Changes {
		if left.UnitAt(i) == "" {
			t.Errorf("%s is left", c.Path)
		}
	}
	if len(left.Changes) == 0 || r.git("rev-parse", "HEAD") != head {
		t.Error("a part of the repository was applied")
	}
	// The user commits after it was read.
	pending, err = r.ReadDraft(t.Context(), draft)
	must(t, err)
	write(t, r.folder, "users", "users\n")
	r.git("add", "users")
	r.git("commit", "-qm", "users")
	users := r.git("rev-parse", "HEAD")
	set, left, err := r.ApplyDraft(t.Context(), draft, pending, func(int) bool { return true })
	must(t, err)
	if set != nil || len(left.Changes) == 0 || !onlyRepository(left) || r.git("rev-parse", "HEAD") != users {
		t.Errorf("applied %+v, left %+v", set, left)
	}
}

// TestCHG07_ALookOfTheUserLeavesWhatWasShown has the user look at a repository, and then stage
// something, while what a draft changed in it is shown.
func TestCHG07_ALookOfTheUserLeavesWhatWasShown(t *testing.T) {
	r := newRepository(t)
	r.inDraft(gitWorks["commit"])
	draft, shown := r.readDraft()
	defer func() { must(t, draft.Close()) }()
	again := func() string {
		pending, err := r.ReadDraft(t.Context(), draft)
		must(t, err)
		return pending.Fingerprint()
	}
	r.touchIndex()
	if again() != shown.Fingerprint() {
		t.Error("after a look it is not what was shown")
	}
	write(t, r.folder, "users", "users\n")
	r.git("add", "users")
	if again() == shown.Fingerprint() {
		t.Error("what the user staged changes nothing")
	}
}

// TestCHG07_ADatabaseInADraftCollidesAsAWhole has a draft change a database, of which the user then
// changes one of its other files.
func TestCHG07_ADatabaseInADraftCollidesAsAWhole(t *testing.T) {
	for name, want := range map[string]bool{"x.db-wal": true, "x.db-journal": true, "x.db-shm": false, "y.db": false} {
		r := newRig(t)
		for _, file := range []string{"x.db", "x.db-wal", "x.db-shm", "x.db-journal", "y.db"} {
			write(t, r.folder, file, "begin")
		}
		r.inDraft("echo draft >>x.db")
		write(t, r.folder, name, "theirs")
		draft, pending := r.readDraft()
		if _, held := pending.Collisions[0]; held != want || len(pending.Changes) != 1 || pending.UnitAt(0) != "x.db" {
			t.Errorf("%s: collisions at %q, want %v", name, collided(pending), want)
		}
		must(t, draft.Close())
	}
}

// touchIndex has git note in its index that a file has another time.
func (r *rig) touchIndex() {
	r.t.Helper()
	before, err := os.Stat(filepath.Join(r.folder, ".git/index"))
	must(r.t, err)
	now := time.Now().Add(-time.Hour)
	must(r.t, os.Chtimes(filepath.Join(r.folder, "run.sh"), now, now))
	r.git("status")
	after, err := os.Stat(filepath.Join(r.folder, ".git/index"))
	must(r.t, err)
	if os.SameFile(before, after) {
		r.t.Fatal("git has noted nothing")
	}
}

// TestCHG07_DraftsOfOneRepositoryConflictAsAUnit applies two drafts that both commit.
func TestCHG07_DraftsOfOneRepositoryConflictAsAUnit(t *testing.T) {
	r := newRepository(t)
	other := r.another("other")
	r.inDraft("echo one >one; git add one; git commit -qm one; echo beside >beside1")
	other.inDraft("git tag second; echo beside >beside2")
	draft, pending := r.readDraft()
	if _, left, err := r.ApplyDraft(t.Context(), draft, pending, func(int) bool { return true }); err != nil || len(left.Changes) > 0 {
		t.Fatalf("the first: %v, %+v", err, left)
	}
	draft, pending = other.readDraft()
	defer func() { must(t, draft.Close()) }()
	if !onlyRepository(pending) || len(pending.Collisions) == 0 {
		t.Errorf("the second collides at %q", slices.Sorted(maps.Values(pending.Collisions)))
	}
}
