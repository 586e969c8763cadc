package shell_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"

	"github.com/google/go-cmp/cmp"
)

// openCopied returns tools whose commands work on a copy of a folder that is filled, and the
// folder that they see as /tmp.
func openCopied(t *testing.T) (b *bench, changes *change.Recorder, temporary string) {
	t.Helper()
	private := filepath.Join(t.TempDir(), "private")
	b = open(t, func(o *shell.Options) {
		changetest.Fill(t, o.Folder.Path())
		data := t.TempDir()
		changes = changetest.Use(t, o.Folder) // which is closed after the space
		space, err := fully(t).Open(sandbox.Place{
			Workspace: o.Folder.Path(), Private: private, Home: os.Getenv("HOME"), Hide: []string{data},
		})
		must(t, err)
		t.Cleanup(func() { must(t, space.Close()) })
		o.Jobs = process.NewJobs(process.JobsOptions{Space: opened(space)})
		o.Changes, o.NoCopy = changes, func(context.Context) *message.NoCopy { return nil }
	})
	return b, changes, filepath.Join(private, "tmp")
}

// try runs a command, and returns its outcome without deciding about what it has changed.
func (b *bench) try(t *testing.T, line string) tool.Outcome {
	t.Helper()
	plan, err := b.tools["shell"].Prepare(t.Context(), input(command(t, line)))
	must(t, err)
	if p := plan.Preview; !p.Copied || p.Undo == nil || p.Undo.Quality != message.UndoExact {
		t.Errorf("shown before: %+v", p)
	}
	return plan.Run(t.Context(), func(string) {})
}

// asideOf lists what is set aside.
func asideOf(t *testing.T, changes *change.Recorder) []string {
	t.Helper()
	all, err := changes.Aside(t.Context())
	must(t, err)
	var ids []string
	for _, a := range all {
		ids = append(ids, a.ID)
	}
	return ids
}

func TestPRE01_WhatACommandChangesIsAppliedAfterwards(t *testing.T) {
	b, changes, _ := openCopied(t)
	folder := b.Folder.Path()
	before := changetest.Snapshot(t, folder)
	outcome := b.try(t, "echo more >>a.txt; rm -r sub; mv run.sh new.sh; exit 3")
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Fatalf("before it was applied: %s", diff)
	}
	if outcome.Changes == nil || outcome.Changes.ApplyRest == nil || len(outcome.Changes.Held.Changes) > 0 {
		t.Fatalf("outcome %+v", outcome)
	}
	if data := outcome.Result.Data; data.ExitCode == nil || *data.ExitCode != 3 {
		t.Errorf("result %+v", outcome.Result)
	}
	applied := outcome.Changes.ApplyRest(t.Context())
	if applied.Error != nil || !strings.Contains(applied.Content.Text(), "moved run.sh to new.sh") {
		t.Errorf("applied: %+v", applied)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "a.txt")); err != nil || string(text) != "one\nmore\n" {
		t.Errorf("a.txt holds %q, %v", text, err)
	}
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	// It is taken back like everything else.
	plan, err := changes.PlanUndo(t.Context(), change.Scope{})
	must(t, err)
	_, err = changes.CarryOut(t.Context(), plan)
	must(t, err)
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Errorf("after the undo: %s", diff)
	}
}

func TestPRE01_ACommandThatChangesNothingLeavesNothing(t *testing.T) {
	b, changes, _ := openCopied(t)
	outcome := b.try(t, "cat a.txt && touch -r a.txt a.txt && cp a.txt /tmp/x")
	if outcome.Changes != nil || outcome.Result.Data.Changes != message.ChangesNone {
		t.Errorf("outcome %+v, changes %+v", outcome, outcome.Changes)
	}
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestPRE04_WhatIsRiskyIsHeld(t *testing.T) {
	for name, test := range map[string]struct {
		line string
		held map[string]message.HeldCode
		rest int
	}{
		"hooks":      {"mkdir -p .git/hooks && echo x >.git/hooks/pre-commit && echo y >y", map[string]message.HeldCode{".git": message.HeldRepository}, 1},
		"editor":     {"mkdir .VSCode && echo {} >.VSCode/tasks.json && echo y >y", map[string]message.HeldCode{".VSCode/tasks.json": message.HeldAutorun}, 1},
		"set-uid":    {"cp run.sh s && chmod u+s s", map[string]message.HeldCode{"s": message.HeldSetID}, 0},
		"link":       {"ln -s ../../etc/passwd out && ln -s sub/b.txt in && ln -s /etc abs", map[string]message.HeldCode{"out": message.HeldOutside, "abs": message.HeldOutside}, 1},
		"bare":       {"mkdir -p r/objects r/refs && echo ref: x >r/HEAD && echo y >y", map[string]message.HeldCode{"r": message.HeldRepository, "r/HEAD": message.HeldRepository}, 1},
		"moved away": {"mv run.sh .envrc", map[string]message.HeldCode{"run.sh": message.HeldAutorun, ".envrc": message.HeldAutorun}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b, changes, _ := openCopied(t)
			before := changetest.Snapshot(t, b.Folder.Path())
			outcome := b.try(t, test.line)
			if outcome.Changes == nil {
				t.Fatalf("nothing changed: %+v", outcome.Result)
			}
			if rest := outcome.Changes.ApplyRest != nil; rest != (test.rest > 0) {
				t.Errorf("the rest passes: %v", rest)
			}
			found := map[string]message.HeldCode{}
			for _, c := range outcome.Changes.Held.Changes {
				if c.Held == nil {
					t.Errorf("%s is not held", c.Path)
					continue
				}
				found[c.Path] = c.Held.Code
			}
			for path, want := range test.held {
				if found[path] != want {
					t.Errorf("%s: held for %q, want %q (%v)", path, found[path], want, found)
				}
			}
			outcome.Changes.Drop(t.Context())
			if diff := cmp.Diff(before, changetest.Snapshot(t, b.Folder.Path())); diff != "" {
				t.Errorf("after it was dropped: %s", diff)
			}
			if left := asideOf(t, changes); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

func TestPRE03_WhatNobodyDecidesAboutIsSetAside(t *testing.T) {
	b, changes, _ := openCopied(t)
	folder := b.Folder.Path()
	before := changetest.Snapshot(t, folder)
	outcome := b.try(t, "echo more >>a.txt; rm -r sub; mv run.sh new.sh")
	result := outcome.Changes.SetAside(t.Context())
	if !strings.Contains(result.Content.Text(), "set aside") || !strings.Contains(result.Content.Text(), "moved run.sh to new.sh") {
		t.Errorf("the model is told %q", result.Content.Text())
	}
	if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
		t.Fatalf("the folder changed: %s", diff)
	}
	all, err := changes.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || all[0].CallID != "call-1" {
		t.Fatalf("set aside: %+v", all)
	}
	// A part of it is applied, and the rest stays.
	set, err := changes.ApplyAside(t.Context(), all[0], func(i int) bool { return all[0].Changes[i].Path == "a.txt" })
	must(t, err)
	if set == nil || len(set.Changes) != 1 || set.CallID != "call-1" {
		t.Fatalf("applied %+v", set)
	}
	all, err = changes.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || len(all[0].Collisions) > 0 {
		t.Fatalf("set aside after a part: %+v", all)
	}
	for _, c := range all[0].Changes {
		if c.Path == "a.txt" {
			t.Error("a.txt is still set aside")
		}
	}
	_, err = changes.ApplyAside(t.Context(), all[0], func(int) bool { return true })
	must(t, err)
	if left := asideOf(t, changes); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Join(folder, "sub")); !os.IsNotExist(err) {
		t.Errorf("sub is there: %v", err)
	}
}

// TestPRE07_ACommandThatWasMovedGoesOnInItsCopy moves a command to the background before it
// writes: what it does later is set aside, and the model is told.
func TestPRE07_ACommandThatWasMovedGoesOnInItsCopy(t *testing.T) {
	b, changes, temporary := openCopied(t)
	plan, err := b.tools["shell"].Prepare(t.Context(), input(command(t, "echo begun; while ! [ -e /tmp/go ]; do sleep 0.01; done; echo more >>a.txt")))
	must(t, err)
	begun := make(chan struct{})
	done := make(chan tool.Outcome)
	go func() {
		told := false
		done <- plan.Run(t.Context(), func(string) {
			if !told {
				told = true
				close(begun)
			}
		})
	}()
	<-begun
	id, err := b.Jobs.Move("call-1")
	must(t, err)
	outcome := <-done
	if outcome.Changes != nil || outcome.Result.ProcessID == "" {
		t.Errorf("moved: %+v", outcome)
	}
	ended, err := b.Jobs.Done(id)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(temporary, "go"), nil, 0o600))
	<-ended
	told := b.run(t, "shell_status", `{"processId":"`+id+`"}`)
	if !strings.Contains(told.Content.Text(), "set aside") {
		t.Errorf("the model is told %q", told.Content.Text())
	}
	all, err := changes.Aside(t.Context())
	must(t, err)
	if len(all) != 1 || len(all[0].Changes) != 1 || all[0].Changes[0].Path != "a.txt" {
		t.Errorf("set aside: %+v", all)
	}
}

// TestPRE10_ACommandThatNobodyWasAskedAboutSeesNoSecrets prints, copies, encodes and archives
// files with keys in many ways: nothing of them gets out.
func TestPRE10_ACommandThatNobodyWasAskedAboutSeesNoSecrets(t *testing.T) {
	b, _, temporary := openCopied(t)
	showFirst := true
	b.ShowFirst = func() bool { return showFirst }
	for _, subject := range shell.New(b.Options) {
		b.tools[subject.Definition().Name] = subject
	}
	folder := b.Folder.Path()
	const secret = "swordfish-4711-xyzzy"
	put := func(name string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(folder, name), []byte("KEY="+secret+"\n"), 0o600))
	}
	for _, name := range []string{".env", "config/.env.local", "keys/id_ed25519", ".ssh/known", "server.pem", "deep/er/credentials.json"} {
		put(name)
	}
	must(t, os.WriteFile(filepath.Join(folder, ".gitignore"), []byte(".env\n"), 0o600))
	must(t, os.Link(filepath.Join(folder, ".env"), filepath.Join(folder, "other-name")))
	must(t, os.Symlink(".env", filepath.Join(folder, "link-name")))
	files := `.env config/.env.local keys/id_ed25519 .ssh/known server.pem deep/er/credentials.json other-name link-name`
	ways := []string{
		"cat FILES", "head -c 100 FILES", "tail FILES", "od -c FILES", "base64 .env", "xxd .env", "rev .env", "tac .env", "sort FILES", "nl FILES",
		"grep -r KEY .", "grep -rz . .", "find . -type f -exec cat {} +", "find . -name '*env*' | xargs cat", "cp -r . /tmp/all; cat /tmp/all/.env",
		"cp .env plain.txt; cat plain.txt", "mv .env plain.txt; cat plain.txt", "ln .env plain.txt; cat plain.txt", "ln -s .env plain.txt; cat plain.txt",
		"tar cf - . | tar xOf -", "tar cf all.tar .", "dd if=.env 2>/dev/null", "while read -r l; do echo \"$l\"; done <.env", ". ./.env; echo $KEY",
		"set -a; . ./.env; env", "awk 1 FILES", "sed -n p FILES", "cut -c1-50 .env", "paste FILES", "diff /dev/null .env", "cmp -l .env /dev/zero",
		"python3 -c \"print(open('.env').read())\"", "python3 -c \"import os; print(os.read(os.open('.env', 0), 99))\"",
		"python3 -c \"import mmap; f=open('.env','rb'); print(mmap.mmap(f.fileno(), 0, access=1)[:])\"", "perl -pe1 .env", "git hash-object -w .env --stdin </dev/null; git init -q x",
		"git init -q . && git add -f . && git cat-file -p :.env", "cd config && cat .env.local", "cat config/../.env", "cat ./././.env", "cat " + folder + "/.env",
		"cat /proc/self/cwd/.env", "exec 3<.env; cat <&3", "cat .e?v", "cat .en*", "cat $(echo .env)", "xargs -a .env echo", "chmod 777 .env; cat .env",
		"mkdir d; mv config d/; cat d/config/.env.local", "python3 -c \"import os; os.rename('config','c2'); print(open('c2/.env.local').read())\"",
		"cp -a keys k2; cat k2/*", "rsync -a . /tmp/r/ 2>/dev/null; cat /tmp/r/.env", "cpio -o </dev/null; ls | cpio -o 2>/dev/null", "gzip -c .env | zcat",
		"wc -c FILES; strings FILES", "hexdump -C .env", "fold -w5 .env", "tee copy <.env", "install -m 644 .env copy; cat copy", "split -b 5 .env part; cat part*",
		"unlink .env; cat .env", "truncate -s 0 .env; cat .env", "stat .env; cat < .env > copy.txt; cat copy.txt",
	}
	for _, way := range ways {
		outcome := b.try(t, strings.ReplaceAll(way, "FILES", files))
		said := outcome.Result.Content.Text()
		if strings.Contains(said, secret) || strings.Contains(said, "KEY=") || strings.Contains(said, "S0VZPXN3b3JkZmlzaC") {
			t.Errorf("%s printed it: %s", way, said)
		}
		if c := outcome.Changes; c != nil {
			for _, row := range c.Preview.Changes {
				if strings.Contains(row.Diff, secret) {
					t.Errorf("%s shows it in %s", way, row.Path)
				}
			}
			c.Drop(t.Context())
		}
		if text, err := os.ReadFile(filepath.Join(folder, ".env")); err != nil || !strings.Contains(string(text), secret) {
			t.Fatalf("%s: .env holds %q, %v", way, text, err)
		}
		must(t, os.RemoveAll(filepath.Join(temporary, "all")))
		must(t, os.RemoveAll(filepath.Join(temporary, "r")))
	}
	t.Logf("%d ways", len(ways))
	// One that was asked about sees what is there.
	showFirst = false
	if outcome := b.try(t, "cat .env"); !strings.Contains(outcome.Result.Content.Text(), secret) {
		t.Errorf("a command that was asked about printed %q", outcome.Result.Content.Text())
	}
}

// TestPRE01_NothingIsDestroyedBeforeAYes destroys the folder in many ways, each by a plain
// command and by wrappers that hide it: before somebody decides, the folder is as it was.
func TestPRE01_NothingIsDestroyedBeforeAYes(t *testing.T) {
	b, _, _ := openCopied(t)
	folder := b.Folder.Path()
	before := changetest.Snapshot(t, folder)
	ways := []string{
		"rm -rf *", "rm -rf ./* ./.[!.]*", "find . -delete", "find . -type f -exec rm {} +", "rm -rf " + folder, "mv * /tmp/", "mv sub /tmp/gone",
		": >a.txt", "truncate -s 0 a.txt", "dd if=/dev/zero of=a.txt bs=1 count=9 2>/dev/null", "cp /dev/null a.txt", "tee a.txt </dev/null",
		"sed -i d a.txt", "chmod -R 000 .", "touch -d 2001-01-01 *", "ln -sf /etc/passwd a.txt", "mkdir x && mv a.txt x/", "printf x >>run.sh",
		"exec 3<>a.txt; echo x >&3", "ln a.txt other && echo x >other", "setfattr -n user.x -v y a.txt", "rsync -a --delete /var/empty/ ./ 2>/dev/null || rm -r sub",
	}
	wrappers := map[string]string{
		"plain": "%s", "sh": "sh -c '%s'", "script": "printf '%%s\\n' '%s' >s.sh; sh ./s.sh", "function": "f() { %s; }; f", "eval": "eval '%s'",
	}
	tried := 0
	for _, way := range ways {
		for name, wrapper := range wrappers {
			outcome := b.try(t, fmt.Sprintf(wrapper, way))
			if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
				t.Fatalf("%s by %s: %s", way, name, diff)
			}
			if outcome.Changes != nil {
				outcome.Changes.Drop(t.Context())
			}
			if diff := cmp.Diff(before, changetest.Snapshot(t, folder)); diff != "" {
				t.Fatalf("%s by %s, dropped: %s", way, name, diff)
			}
			tried++
		}
	}
	t.Logf("%d commands", tried)
}
