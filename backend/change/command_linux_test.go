package change_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead/backend/change"
)

// run runs a command in the folder, as a call.
func (r *rig) run(line string) string {
	r.t.Helper()
	call := r.call()
	command, err := r.BeginCommand(r.t.Context(), call)
	must(r.t, err)
	cmd := exec.Command("sh", "-ec", line)
	cmd.Dir = r.folder
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@localhost", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@localhost",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if output, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("%s: %v\n%s", line, err, output)
	}
	_, err = command.End(r.t.Context())
	must(r.t, err)
	return call
}

// kinds are the kinds of work that commands do. Those that need a program that is not there
// are left out.
var kinds = []struct {
	name, needs, prepare, line string
	// lost is what is not as it was after undo or redo, and why.
	lost string
}{
	{name: "nothing", line: "true"},
	{name: "new file", line: "echo new >new.txt"},
	{name: "new folders", line: "mkdir -p new/deep && echo new >new/deep/x"},
	{name: "append", line: "echo more >>a.txt"},
	{name: "truncate", line: ": >a.txt"},
	{name: "remove", line: "rm a.txt link"},
	{name: "remove a tree", line: "rm -rf sub"},
	{name: "move a file", line: "mv a.txt moved.txt"},
	{name: "move a tree", line: "mv sub moved"},
	{name: "move a tree and change in it", line: "mv sub moved && echo more >>moved/b.txt"},
	{name: "exchange names", line: "mv a.txt t && mv run.sh a.txt && mv t run.sh"},
	{name: "sed -i", line: "sed -i s/o/0/ a.txt sub/b.txt sub/deep/c.txt"},
	{name: "perl -i", needs: "perl", line: "perl -pi -e s/o/0/ a.txt sub/b.txt"},
	{name: "chmod", line: "chmod 600 a.txt && chmod 700 sub && chmod -x run.sh"},
	{name: "touch", line: "touch -d 2001-02-03 a.txt && touch sub/b.txt"},
	{name: "file to folder", line: "rm a.txt && mkdir a.txt && echo in >a.txt/in"},
	{name: "folder to file", line: "rm -r sub && echo file >sub"},
	{name: "link to file", line: "rm link && echo file >link"},
	{name: "file to link", line: "ln -sf run.sh a.txt"},
	{name: "link elsewhere", line: "ln -sfn sub link"},
	{name: "break a hard link", line: "sed -i s/l/L/ linked.txt"},
	{name: "write through a hard link", line: "echo more >>linked.txt"},
	{name: "remove one name", line: "rm linked.txt"},
	{name: "remove both names", line: "rm linked.txt sub/other.txt"},
	{name: "new hard link", line: "ln a.txt hard.txt"},
	{name: "move a hard link", line: "mv linked.txt elsewhere.txt"},
	{name: "empty folders", line: "mkdir -p e1/e2 && rmdir sub/deep 2>/dev/null || rm -r sub/deep"},
	{name: "odd names", line: `printf 1 >"$(printf 'a\nb')" && printf 2 >./-rf && printf 3 >'a:b,c' && printf 4 >漢字 && printf 5 >"$(printf '\377')"`},
	{name: "remove odd names", prepare: `printf 1 >"$(printf 'a\nb')" && printf 5 >"$(printf '\377')"`, line: `rm -- "$(printf 'a\nb')" "$(printf '\377')"`},
	{name: "sparse", line: "truncate -s 50M sparse && truncate -s 1 a.txt"},
	{name: "binary", line: "head -c 100000 /dev/urandom >blob && head -c 10 /dev/urandom >run.sh"},
	{name: "temporary", line: "t=$(mktemp ./t.XXXXXX) && echo x >$t && mv $t a.txt"},
	{name: "tar over existing", needs: "tar", line: "tar cf ../t.tar . && echo other >a.txt && rm sub/b.txt && tar xf ../t.tar && rm ../t.tar"},
	{
		name: "mmap", needs: "python3",
		line: `python3 -c "import mmap; f=open('sub/b.txt','r+b'); m=mmap.mmap(f.fileno(),0); m[0:1]=b'T'; m.flush()"`,
	},
	{name: "flock", needs: "flock", line: "flock a.txt sh -c 'echo more >>a.txt'"},
	{
		name: "npm", needs: "npm", prepare: `mkdir pkg && echo '{"name":"pkg","version":"1.0.0"}' >pkg/package.json && echo 'module.exports=1' >pkg/index.js`,
		line: "HOME=$PWD/../home npm install --offline --no-audit --no-fund --no-update-notifier ./pkg >/dev/null && rm -r pkg",
	},
	{name: "cp -a", line: "cp -a sub copy"},
	{name: "rsync", needs: "rsync", line: "rsync -a --delete sub/ copy/ && rm sub/b.txt && rsync -a --delete sub/ copy/"},
	{name: "make", needs: "make", line: "printf 'out: a.txt\\n\\tcp a.txt out\\n' >Makefile && make && make && touch a.txt && make"},
	{name: "sqlite", needs: "sqlite3", line: "sqlite3 db 'create table t(a); insert into t values (1)' && sqlite3 db 'pragma journal_mode=wal; insert into t values (2)'"},
	{name: "git init and commit", needs: "git", line: "git init -q && git add -A && git commit -qm first"},
	{
		name: "git checkout there and back", needs: "git", prepare: "git init -q -b main && git add -A && git commit -qm first && git branch other",
		line: "git checkout -q other && echo x >a.txt && git commit -qam other && git checkout -q main && git checkout -q other",
	},
	{
		name: "git rebase", needs: "git", prepare: "git init -q -b main && git add -A && git commit -qm first && git checkout -qb other && echo o >o && git add o && git commit -qm o && git checkout -q main && echo m >m && git add m && git commit -qm m",
		line: "git checkout -q other && git rebase -q main",
	},
	{name: "git gc", needs: "git", prepare: "git init -q -b main && git add -A && git commit -qm first && echo b >a.txt && git commit -qam second", line: "git gc -q --prune=now && git repack -adq"},
	{name: "git stash, clean, reset", needs: "git", prepare: "git init -q -b main && git add -A && git commit -qm first && echo b >a.txt && echo n >n", line: "git stash -q && git clean -qfd && git reset -q --hard"},
	{name: "git mv", needs: "git", prepare: "git init -q -b main && git add -A && git commit -qm first", line: "git mv sub moved"},
	{name: "python venv", needs: "python3", line: "python3 -m venv --without-pip env"},
	{name: "go build", needs: "go", line: "printf 'module m\\n' >go.mod && printf 'package main\\nfunc main() {}\\n' >m.go && GOFLAGS= GOCACHE=$PWD/../cache GOTOOLCHAIN=local go build -o m ."},
	{name: "pipe", line: "mkfifo pipe", lost: "a pipe that is gone does not come back"},
}

func TestCHG03_WhatCommandsDidIsTakenBackAndMadeAgain(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			if kind.needs != "" {
				if _, err := exec.LookPath(kind.needs); err != nil {
					t.Skipf("there is no %s", kind.needs)
				}
			}
			r := newRig(t)
			r.fill()
			if kind.prepare != "" {
				r.run(kind.prepare)
				// It is what somebody else did.
				r.open()
			}
			before := snapshot(t, r.folder)
			call := r.run(kind.line)
			after := snapshot(t, r.folder)
			r.agrees()
			for range 2 {
				scope := change.Scope{Calls: []string{call}}
				if done := r.undo(scope); len(done.Kept) > 0 {
					t.Fatalf("kept %+v", done.Kept)
				}
				r.same(before)
				r.agrees()
				if kind.lost != "" {
					return
				}
				if done := r.redo(scope); len(done.Kept) > 0 {
					t.Fatalf("kept %+v", done.Kept)
				}
				r.same(after)
				r.agrees()
			}
		})
	}
}

func TestCHG03_LargeFilesAreNamedBefore(t *testing.T) {
	r := newRig(t)
	r.put("small.txt", "one\n")
	must(t, os.Truncate(create(t, r.folder, "large"), 30<<20))
	found, err := r.Coverage(t.Context())
	must(t, err)
	if len(found.Lost) != 1 || found.Lost[0].Path != "large" || found.None != "" {
		t.Errorf("found %+v", found)
	}
	call := r.run("rm large small.txt")
	done := r.undo(change.Scope{Calls: []string{call}})
	if len(done.Kept) != 1 || done.Kept[0].Verdict != change.Impossible || r.get("small.txt") != "one\n" {
		t.Errorf("%+v", done)
	}
}

// create makes an empty file.
func create(t *testing.T, folder, name string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	must(t, os.WriteFile(path, nil, 0o644))
	return path
}

// begin begins a command whose work the test does.
func (r *rig) begin() (*change.Command, string) {
	r.t.Helper()
	call := r.call()
	command, err := r.BeginCommand(r.t.Context(), call)
	must(r.t, err)
	return command, call
}

func (r *rig) end(command *change.Command) *change.Set {
	r.t.Helper()
	set, err := command.End(r.t.Context())
	must(r.t, err)
	return set
}

func TestCHG09_CommandsThatOverlapShareASet(t *testing.T) {
	r := newRig(t)
	r.fill()
	before := snapshot(t, r.folder)
	first, firstCall := r.begin()
	second, _ := r.begin()
	r.put("one.txt", "1\n")
	one := r.end(first)
	r.put("two.txt", "2\n")
	r.put("one.txt", "1 again\n") // once more the same path
	two := r.end(second)
	if one == nil || two == nil || len(one.Others) != 1 || len(two.Changes) != 2 {
		t.Fatalf("found %+v and %+v", one, two)
	}
	r.agrees()
	if done := r.undo(change.Scope{Calls: []string{firstCall}}); len(done.Kept) > 0 {
		t.Errorf("kept %+v", done.Kept)
	}
	r.same(before)
	r.agrees()
}

func TestCHG09_WhatAFileToolWritesMeanwhileIsNotTheCommands(t *testing.T) {
	r := newRig(t)
	r.fill()
	server, serverCall := r.begin()
	server.Background()
	written := r.write("a.txt", "by a tool\n")
	r.put("log.txt", "by the server\n")
	ran, ranCall := r.begin() // what changed before it is the server's
	r.put("made.txt", "made\n")
	if set := r.end(ran); set == nil || len(set.Changes) != 1 || set.CallID != ranCall || len(set.Others) != 1 {
		t.Errorf("the command changed %+v", set)
	}
	if set := r.end(server); set != nil {
		t.Errorf("at its end the server changed %+v", set)
	}
	sets, err := r.Journal.Sets(t.Context(), "s1")
	must(t, err)
	owners := map[string]string{}
	for _, set := range sets {
		for _, c := range set.Changes {
			owners[string(c.Path)] += set.CallID
		}
	}
	for path, want := range map[string]string{"a.txt": written, "log.txt": serverCall, "made.txt": ranCall} {
		if owners[path] != want {
			t.Errorf("%s was changed by %q, want %s", path, owners[path], want)
		}
	}
	r.agrees()
}

// TestSEC09_WhatTakesAPlaceInTheMomentOfAWriteIsPutBack has somebody else exchange two names
// all the time, while only the file of one of them is written: the other is never replaced.
func TestSEC09_WhatTakesAPlaceInTheMomentOfAWriteIsPutBack(t *testing.T) {
	r := newRig(t)
	r.put("mine", "0123456789\n")
	r.put("theirs", "theirs")
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			err := unix.Renameat2(unix.AT_FDCWD, filepath.Join(r.folder, "mine"), unix.AT_FDCWD, filepath.Join(r.folder, "theirs"), unix.RENAME_EXCHANGE)
			if err != nil {
				t.Error(err)
				return
			}
		}
	}()
	refused, written := 0, 0
	for i := 0; (refused < 20 || written < 20) && i < 50_000; i++ {
		target := r.target("mine")
		if target.Seen.Size() < 10 {
			continue
		}
		_, err := r.Write(t.Context(), r.call(), target, fmt.Appendf(nil, "0123456789 %d\n", i), change.Lines{})
		switch {
		case err == nil:
			written++
		case errors.Is(err, change.ErrChanged):
			refused++
		default:
			t.Error(err)
		}
	}
	close(stop)
	<-stopped
	if r.get("mine") != "theirs" && r.get("theirs") != "theirs" {
		t.Errorf("they hold %q and %q", r.get("mine"), r.get("theirs"))
	}
	if refused == 0 || written == 0 {
		t.Errorf("%d refused, %d written: nothing was shown", refused, written)
	}
	r.agrees()
}
