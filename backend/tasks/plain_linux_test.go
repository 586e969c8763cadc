//go:build !race

package tasks_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fairlead/backend"
	"fairlead/backend/change/changetest"
)

// trial is one task, done several times in one folder.
type trial struct {
	*testing.T
	task    task
	backend *backend.Backend
	folder  string
}

// snapshot is what is in a folder, by path.
type snapshot = map[string]changetest.Entry

// prepare makes the folder anew.
func (r *trial) prepare() {
	r.Helper()
	must(r.T, os.RemoveAll(r.folder))
	must(r.T, os.MkdirAll(r.folder, 0o700))
	old := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	for _, file := range r.task.files {
		path := filepath.Join(r.folder, file.Name)
		must(r.T, os.MkdirAll(filepath.Dir(path), 0o700))
		must(r.T, os.WriteFile(path, file.Data, 0o600))
		must(r.T, os.Chtimes(path, old, old))
	}
	for _, line := range r.task.prepare {
		if output, err := r.shell(r.folder, line); err != nil {
			r.Fatalf("prepare: %s: %v: %s", line, err, output)
		}
	}
}

// shell runs a command without Fairlead.
func (r *trial) shell(folder, line string) (output string, err error) {
	cmd := exec.CommandContext(r.Context(), "/bin/sh", "-c", line)
	cmd.Dir = folder
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.Getenv("TMPDIR"), "TERM=dumb",
		"GOCACHE=" + goCache(),
	}
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// doPlainly does the task without Fairlead, and returns which commands have changed something
// and what is in the folder after those that are wanted.
func (r *trial) doPlainly() (changed []bool, want snapshot) {
	r.Helper()
	if r.task.usesGo() {
		must(r.T, fillGoCache())
	}
	r.prepare()
	for _, c := range r.task.commands {
		folder := r.folder
		if c.marks["unwanted"] {
			folder += ".copy"
			must(r.T, exec.Command("cp", "-a", r.folder, folder).Run())
		}
		before := r.look(folder)
		output, err := r.shell(folder, c.line)
		written, gone := differences(before, r.look(folder))
		if c.marks["write"] != (len(written) > 0) || c.marks["delete"] != (len(gone) > 0) || c.marks["fails"] != (err != nil) {
			r.Errorf("%s: is marked %v, but writes %q, deletes %q: %v: %s", c.line, slices.Sorted(maps.Keys(c.marks)), written, gone, err, output)
		}
		changed = append(changed, len(written)+len(gone) > 0)
		if folder != r.folder {
			must(r.T, os.RemoveAll(folder))
		}
	}
	return changed, r.content()
}

// differences are the paths of what is not as before, and of what is not there any more.
func differences(before, after snapshot) (written, gone []string) {
	for name, e := range after {
		if old, ok := before[name]; !ok || e != old {
			written = append(written, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			gone = append(gone, name)
		}
	}
	return written, gone
}

// look is what is in a folder: of git's index what it says of the files, without what git notes
// for itself whenever it looks. Some versions of git leave AUTO_MERGE, and some do not.
func (r *trial) look(folder string) snapshot {
	r.Helper()
	all := changetest.WithoutTimes(changetest.Snapshot(r, folder))
	delete(all, ".git/AUTO_MERGE")
	if e, ok := all[".git/index"]; ok {
		output, err := r.shell(folder, "git ls-files --stage -v")
		all[".git/index"] = changetest.Entry{Mode: e.Mode, Content: fmt.Sprint(output, err)}
	}
	return all
}

// content is what is in the folder, but for times and what holds times. Of a repository it is
// what git says of it: a commit has another name each time it is made.
func (r *trial) content() snapshot {
	r.Helper()
	all := changetest.Snapshot(r, r.folder)
	for name, e := range all {
		if strings.HasPrefix(name, ".git/") && !strings.HasPrefix(name, ".git/hooks/") {
			delete(all, name)
			continue
		}
		for _, pattern := range r.task.varies {
			matches, err := filepath.Match(pattern, name)
			must(r.T, err)
			if matches {
				e.Content = ""
			}
		}
		e.Modified = time.Time{}
		all[name] = e
	}
	if _, ok := all[".git"]; ok {
		output, err := r.shell(r.folder, "git log --all --format='%T %an %s%d' | sort; git status --short --branch; git config --local --list; git tag; git stash list")
		all[".git"] = changetest.Entry{Content: fmt.Sprint(output, err)}
	}
	return all
}

// goCache is where Go keeps what it has compiled.
func goCache() string { return filepath.Join(os.Getenv("HOME"), "go-build") }

// fillGoCache has Go compile, once, what the tasks need of its standard library.
var fillGoCache = sync.OnceValue(func() error {
	folder, err := os.MkdirTemp("", "module")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.21\n",
		"m.go":      "package main\n\nimport (\n\t_ \"bufio\"\n\t_ \"fmt\"\n\t_ \"os\"\n\t_ \"sort\"\n\t_ \"strings\"\n)\n\nfunc main() {}\n",
		"m_test.go": "package main\n\nimport \"testing\"\n\nfunc TestNothing(*testing.T) {}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	cmd := exec.Command("go", "test", ".")
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOCACHE="+goCache(), "GOFLAGS=")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, output)
	}
	return nil
})
