package shell_test

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
)

// lab is what an attack or a job is carried out in. It goes with the test.
type lab struct {
	// above is the folder that holds workspace, outside and runtime.
	above string
	// workspace is the folder in which commands may write and start. The program
	// attack is in it.
	workspace string
	// outside is a folder beside it, of the same owner, with the file kept, the empty
	// folder empty and the program bin/fairlead.
	outside string
	// home is the user's, with secrets. All labs share it.
	home string
	// runtime is a folder for sockets, as XDG_RUNTIME_DIR names one.
	runtime string
	// secret is what the user keeps from commands: a key in the environment of this
	// process, in files of the home and wherever a row has put it.
	secret string
	// mark is a word of this lab alone, to know its traces by.
	mark string
	// readable are further folders that commands may read.
	readable []string
	// network says that the command is one that was allowed the network.
	network bool
	// variables are what a command line finds as shell variables, with those above.
	variables map[string]string
	// before is how outside was when the lab was made.
	before map[string]string
	// result is the result of the command.
	result message.Result
}

// runner runs a command line through the tool shell and returns its result.
type runner func(t *testing.T, line string) message.Result

// opener returns the runner whose commands start in the lab's workspace. It is
// called when everything lies there that the command will find.
type opener func(t *testing.T, l *lab) runner

// newLab makes a lab.
func newLab(t *testing.T) *lab {
	t.Helper()
	// The name of a test is too long for the address of a socket.
	above, err := os.MkdirTemp("", "lab-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(above) }) // what an attack has left may not let itself be removed
	l := &lab{
		above:     above,
		workspace: filepath.Join(above, "workspace"),
		outside:   filepath.Join(above, "outside"),
		home:      os.Getenv("HOME"),
		runtime:   filepath.Join(above, "runtime"),
		secret:    os.Getenv(keyVariable),
		mark:      "mark-" + rand.Text(),
		variables: map[string]string{},
	}
	must(t, os.Mkdir(l.workspace, 0o755))
	must(t, os.Mkdir(l.runtime, 0o700))
	l.arm(t)
	l.write(t, filepath.Join(l.outside, "kept"), "as it was\n")
	l.write(t, filepath.Join(l.outside, "bin", "fairlead"), "a program\n")
	must(t, os.Mkdir(filepath.Join(l.outside, "empty"), 0o755))
	long := time.Now().Add(-24 * time.Hour)
	must(t, os.Chtimes(filepath.Join(l.outside, "kept"), long, long))
	for _, name := range []string{".ssh/id_test", ".config/service/token", ".local/share/fairlead/secret"} {
		l.write(t, filepath.Join(l.home, name), l.secret)
	}
	l.before = describeState(t, l.outside)
	return l
}

// arm puts the program attack into the workspace.
func (l *lab) arm(t *testing.T) {
	t.Helper()
	must(t, os.Link(sandboxtest.Program("attack"), filepath.Join(l.workspace, "attack")))
}

// write writes a file that only its owner may read, in folders that it makes.
func (l *lab) write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}

// full returns the line with its variables before it and a word that shows that it
// was begun.
func (l *lab) full(line string) string {
	all := []string{
		"workspace=" + l.workspace, "outside=" + l.outside, "home=" + l.home, "runtime=" + l.runtime, "mark=" + l.mark,
	}
	for name, value := range l.variables {
		all = append(all, name+"="+value)
	}
	for i, variable := range all {
		name, value, _ := strings.Cut(variable, "=")
		all[i] = name + "='" + value + "'"
	}
	slices.Sort(all)
	return strings.Join(all, "\n") + "\necho begun\n" + line
}

// describeState says of each file in a folder how it is: kind, mode, links, owner, times of
// the content and of the rest, attributes and content. The time of the last reading
// is left out.
func describeState(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var info unix.Stat_t
		must(t, unix.Lstat(path, &info))
		attributes := make([]byte, 1<<10)
		n, _ := unix.Llistxattr(path, attributes) // a file system that has none
		text := fmt.Sprintf("%o %d %d:%d %v %v %q", info.Mode, info.Nlink, info.Uid, info.Gid, info.Mtim, info.Ctim, attributes[:max(n, 0)])
		if entry.Type().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				content = []byte(err.Error())
			}
			text += fmt.Sprintf(" %x", sha256.Sum256(content))
		}
		all[path] = text
		return nil
	})
	must(t, err)
	return all
}

// must ends the test at an error of the preparation.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
