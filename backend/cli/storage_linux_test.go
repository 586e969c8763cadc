package cli_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// onDisk runs a command with the data of a place on a disk of its own, which is made
// with OPTIONS and spoiled by SPOIL, a script. Then it puts what is on the disk into COPY.
const onDisk = `
mount -t tmpfs -o "$OPTIONS" none "$DISK" || exit 99
cp -a "$DATA/." "$DISK" || exit 99
cd "$DISK" && eval "$SPOIL" || exit 99
(ulimit -n "$FILES" && exec "$@")
code=$?
cp -a "$DISK/." "$COPY" || exit 99
exit $code
`

// disk is a saved conversation that is read or changed on a disk with a fault.
type disk struct {
	*place
	data, copied string
	// files is how many files may be open.
	files int
}

func newDisk(t *testing.T) *disk {
	t.Helper()
	if out, err := exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", t.TempDir()).CombinedOutput(); err != nil {
		t.Skipf("no disk with a fault can be made here: %v: %s", err, out)
	}
	d := &disk{place: newPlace(t, "text It is noted."), files: 1000}
	d.data, d.copied = filepath.Join(d.root, "data"), filepath.Join(d.root, "copy")
	d.must(os.Mkdir(filepath.Join(d.root, "disk"), 0o700))
	cmd := d.command("run", "--base-url", d.url, "--model", "any", "--workspace", d.workspace, "--data-dir", d.data, "note the heron")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return d
}

// run runs fairlead on the disk and returns its exit code and what it wrote.
func (d *disk) run(options, spoil string, args ...string) (code int, out, trouble string) {
	d.t.Helper()
	d.must(os.RemoveAll(d.copied))
	d.must(os.Mkdir(d.copied, 0o700))
	on := filepath.Join(d.root, "disk")
	inside := d.command(append(args, "--data-dir", on)...)
	cmd := exec.Command("unshare", append([]string{"-rm", "sh", "-c", onDisk, "sh", inside.Path}, inside.Args[1:]...)...)
	cmd.Dir = inside.Dir
	cmd.Env = append(inside.Env, "OPTIONS="+options, fmt.Sprint("FILES=", d.files), "SPOIL="+spoil, "DISK="+on, "DATA="+d.data, "COPY="+d.copied)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		d.t.Fatal(err)
	}
	if code == 99 {
		d.t.Fatalf("the disk was not made: %s", stderr.String())
	}
	return code, stdout.String(), stderr.String()
}

// left are the files of the database after the last command.
func (d *disk) left() []string {
	d.t.Helper()
	names, err := filepath.Glob(filepath.Join(d.copied, "fairlead.db*"))
	d.must(err)
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	return names
}

const readOnly = `mount -o remount,ro none "$DISK"`

func TestREL03_ReadingWorksOnADiskThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	d := newDisk(t)
	for name, spoil := range map[string]string{
		"read-only":    readOnly,
		"full":         `head -c 100M /dev/zero > full 2>/dev/null; true`,
		"without logs": `rm -rf logs locks; ` + readOnly,
		"damaged":      `dd if=/dev/zero of=fairlead.db bs=16 count=1 conv=notrunc 2>/dev/null; ` + readOnly,
	} {
		t.Run(name, func(t *testing.T) {
			for _, args := range [][]string{
				{"sessions", "list"}, {"sessions", "show", "last"}, {"sessions", "export", "last"}, {"sessions", "export", "last", "--form", "jsonl"},
			} {
				code, out, trouble := d.run("size=10m", spoil, args...)
				if code != 0 || !strings.Contains(out, "note the heron") {
					t.Errorf("%v: exit %d, %q, %q", args, code, out, trouble)
				}
				if said := strings.Contains(trouble, "is damaged, and cannot be set aside"); said != (name == "damaged") {
					t.Errorf("it says %q", trouble)
				}
			}
			if left, err := filepath.Glob(filepath.Join(d.root, ".tmp", "fairlead-read-*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// TestREL03_WhatIsInTheLogIsRead reads a database as a crash leaves it: the last title is
// in its log only.
func TestREL03_WhatIsInTheLogIsRead(t *testing.T) {
	t.Parallel()
	d := newDisk(t)
	db, err := sql.Open("sqlite", filepath.Join(d.data, "fairlead.db"))
	d.must(err)
	defer db.Close()
	_, err = db.Exec("UPDATE sessions SET title = 'the newer title'")
	d.must(err)
	crashed := filepath.Join(d.root, "crashed")
	d.must(os.CopyFS(crashed, os.DirFS(d.data)))
	if log, err := os.Stat(filepath.Join(crashed, "fairlead.db-wal")); err != nil || log.Size() == 0 {
		t.Fatalf("nothing is in the log: %v", err)
	}
	d.data = crashed
	code, out, trouble := d.run("size=10m", readOnly, "sessions", "list")
	if code != 0 || !strings.Contains(out, "the newer title") {
		t.Errorf("exit %d, %q, %q", code, out, trouble)
	}
}

func TestEV09_AFaultOfTheDiskSetsNothingAside(t *testing.T) {
	t.Parallel()
	d := newDisk(t)
	for name, test := range map[string]struct{ options, spoil, says string }{
		"no space":  {"size=10m", `head -c 100M /dev/zero > full 2>/dev/null; true`, "the disk is full"},
		"no inodes": {"size=10m,nr_inodes=100", `i=0; while touch "full$i" 2>/dev/null; do i=$((i+1)); done; true`, "no free inodes"},
		"read-only": {"size=10m", readOnly, "make the folder writable"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, damaged := range []bool{false, true} {
				spoil := test.spoil
				if damaged {
					spoil = `dd if=/dev/zero of=fairlead.db bs=16 count=1 conv=notrunc 2>/dev/null; ` + spoil
				}
				code, _, trouble := d.run(test.options, spoil, "sessions", "rename", "last", strings.Repeat("long ", 2000))
				if code != 1 || !strings.Contains(trouble, test.says) || strings.Count(trouble, "error: ") != 1 {
					t.Errorf("damaged %v: exit %d, %q", damaged, code, trouble)
				}
				for _, name := range d.left() {
					if strings.Contains(name, "damaged") || strings.Contains(name, "rescu") {
						t.Errorf("damaged %v: set aside: %v", damaged, d.left())
					}
				}
			}
		})
	}
	t.Run("too many files", func(t *testing.T) {
		said := false
		for d.files = 7; d.files < 30; d.files++ {
			code, _, trouble := d.run("size=10m", "true", "sessions", "rename", "last", "x")
			said = said || code != 0 && strings.Contains(trouble, "too many files are open")
			if left := strings.Join(d.left(), " "); strings.Contains(left, "damaged") {
				t.Fatalf("with %d files: set aside: %s", d.files, left)
			}
		}
		if !said {
			t.Error("nothing is said of it")
		}
	})
}
