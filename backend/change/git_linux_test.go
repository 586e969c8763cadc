//go:build linux && !race

// Hundreds of git processes are what is tested here, and not this one.

package change_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/backend/change"
)

// git runs git in the folder, as the user.
func (r *rig) git(arguments ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=u", "-c", "user.email=u@localhost"}, arguments...)...)
	cmd.Dir = r.folder
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	output, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v: %s", arguments, err, output)
	}
	return strings.TrimSpace(string(output))
}

func TestCHG07_FileToolsLeaveARepositoryAlone(t *testing.T) {
	needsGit(t)
	r := newRig(t)
	r.fill()
	r.git("init", "-q", "-b", "main")
	r.git("add", "-A")
	r.git("commit", "-qm", "first")
	r.put("a.txt", "stashed\n")
	r.git("stash", "-q")
	before := snapshot(t, filepath.Join(r.folder, ".git"))
	for i := range 10 {
		r.write("a.txt", fmt.Sprintf("%d\n", i))
		r.write(fmt.Sprintf("new/%d", i), "new\n")
		r.write("sub/b.txt", fmt.Sprintf("%d\n", i))
		r.move(fmt.Sprintf("new/%d", i), fmt.Sprintf("moved/%d", i))
		r.delete(fmt.Sprintf("moved/%d", i))
	}
	r.undo(change.Scope{})
	r.redo(change.Scope{})
	r.undo(change.Scope{})
	after := snapshot(t, filepath.Join(r.folder, ".git"))
	for name, e := range before {
		if after[name] != e {
			t.Errorf("%s is %+v, and was %+v", name, after[name], e)
		}
	}
	if len(after) != len(before) {
		t.Errorf("there are %d entries, and were %d", len(after), len(before))
	}
	if status := r.git("status", "--porcelain"); status != "" {
		t.Errorf("changed are %s", status)
	}
}

func needsGit(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
}

// TestCHG07_SoakNoCommitOfTheUserIsLost mixes commits of commands and of the user with undo and
// redo: the repository is always sound, and everything that the user committed is reached.
func TestCHG07_SoakNoCommitOfTheUserIsLost(t *testing.T) {
	needsGit(t)
	mixes := 12
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		mixes = 100
	}
	undone, held := 0, 0
	for seed := range mixes {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		r := newRig(t)
		r.put("a.txt", "one\n")
		r.git("init", "-q", "-b", "main")
		r.git("add", "-A")
		r.git("commit", "-qm", "first")
		users := []string{r.git("rev-parse", "HEAD")}
		for step := range 10 {
			switch random.IntN(7) {
			case 0, 1:
				r.run(fmt.Sprintf("echo %d >>a.txt && git add -A && git commit -qm agent", step))
			case 2:
				r.run(fmt.Sprintf("git checkout -q -b branch%d && echo x >b%d && git add -A && git commit -qm branch", step, step))
			case 3:
				r.put(fmt.Sprintf("user%d", step), "mine\n")
				r.git("add", "-A")
				r.git("commit", "-qm", "user")
				users = append(users, r.git("rev-parse", "HEAD"))
			case 4:
				r.git("status", "-s")
			case 5:
				done := r.undo(change.Scope{})
				undone, held = undone+len(done.Sets), held+len(done.Kept)
			case 6:
				r.redo(change.Scope{})
			}
			if problems := r.git("fsck", "--strict", "--no-dangling"); problems != "" {
				t.Fatalf("mix %d, step %d: %s", seed, step, problems)
			}
			reached := strings.Fields(r.git("rev-list", "--all", "HEAD"))
			for _, id := range users {
				if !slices.Contains(reached, id) {
					t.Fatalf("mix %d, step %d: the user's commit %s is not reached any more", seed, step, id)
				}
			}
			r.agrees()
		}
	}
	if undone == 0 || held == 0 {
		t.Errorf("%d sets taken back, %d steps held: nothing was shown", undone, held)
	}
}

// TestCHG07_ALookOfGitIsNoConflict has git note anew what lies on the disk, as every look of it
// can, between a commit of a command and its undo.
func TestCHG07_ALookOfGitIsNoConflict(t *testing.T) {
	needsGit(t)
	for _, version := range []string{"2", "3", "4"} {
		r := newRig(t)
		r.fill()
		r.git("init", "-q", "-b", "main")
		r.git("config", "index.version", version)
		r.git("add", "-A")
		r.git("commit", "-qm", "first")
		if version == "3" {
			r.put("later", "x\n")
			r.git("add", "-N", "later")
		}
		head := r.git("rev-parse", "HEAD")
		call := r.run("echo more >>a.txt && git commit -qam agent")
		index, err := os.ReadFile(filepath.Join(r.folder, ".git/index"))
		must(t, err)
		must(t, os.Chtimes(filepath.Join(r.folder, "run.sh"), time.Now().Add(time.Hour), time.Now().Add(time.Hour)))
		r.git("status", "-s")
		if now, err := os.ReadFile(filepath.Join(r.folder, ".git/index")); err != nil || string(now) == string(index) {
			t.Errorf("version %s: git noted nothing anew: %v", version, err)
		}
		if done := r.undo(change.Scope{Calls: []string{call}}); len(done.Kept) > 0 {
			t.Errorf("version %s: kept %+v", version, done.Kept)
		}
		if now := r.git("rev-parse", "HEAD"); now != head {
			t.Errorf("version %s: the head is %s, and was %s", version, now, head)
		}
	}
}

func TestCHG07_CommitsAreTakenBackOneAfterTheOtherBesideLooksOfGit(t *testing.T) {
	needsGit(t)
	r := newRig(t)
	r.fill()
	r.git("init", "-q", "-b", "main")
	r.git("add", "-A")
	r.git("commit", "-qm", "first")
	head := r.git("rev-parse", "HEAD")
	for i := range 4 {
		r.run(fmt.Sprintf("echo %d >>a.txt && git commit -qam agent", i))
		must(t, os.Chtimes(filepath.Join(r.folder, "run.sh"), time.Now().Add(time.Duration(i)*time.Hour), time.Now().Add(time.Duration(i)*time.Hour)))
		r.git("status", "-s")
	}
	plan, err := r.PlanUndo(t.Context(), change.Scope{})
	must(t, err)
	conflicts := plan.Count(change.Conflict)
	done, err := r.CarryOut(t.Context(), plan)
	must(t, err)
	if conflicts > 0 || len(done.Kept) > 0 || r.git("rev-parse", "HEAD") != head || r.git("status", "--porcelain") != "" {
		t.Errorf("%d conflicts, %d steps stayed, the head is %s", conflicts, len(done.Kept), r.git("log", "--oneline"))
	}
	r.agrees()
}

// TestCHG07_ADatabaseIsTakenBackAsAWholeOrNotAtAll changes one file of a database after a
// command did.
func TestCHG07_ADatabaseIsTakenBackAsAWholeOrNotAtAll(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"db", "db-wal", "db-shm", "other"} {
		r.put(name, name+" 0\n")
	}
	call := r.run("for f in db db-wal db-shm other; do echo 1 >>$f; done")
	r.put("db-wal", "somebody else's\n")
	done := r.undo(change.Scope{Calls: []string{call}})
	if r.get("db") != "db 0\n1\n" || r.get("other") != "other 0\n" || len(done.Kept) == 0 {
		t.Errorf("db holds %q, other %q; %+v", r.get("db"), r.get("other"), done.Kept)
	}
	r.put("db-wal", "db-wal 0\n1\n")
	r.put("db-shm", "a reader's\n")
	if done := r.undo(change.Scope{Calls: []string{call}}); r.get("db") != "db 0\n" || r.get("db-wal") != "db-wal 0\n" || len(done.Kept) > 0 {
		t.Errorf("db holds %q, db-wal %q; %+v", r.get("db"), r.get("db-wal"), done.Kept)
	}
	r.agrees()
}
