package shell_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// fileAttacks change the files of a folder beside the workspace.
func fileAttacks() []attack {
	return []attack{
		{name: "write outside", class: classOutside, line: `echo $mark >$outside/kept`, escaped: touched},
		{name: "create outside", class: classOutside, line: `./attack create $outside/new $mark`, escaped: touched},
		{name: "write through ..", class: classOutside, line: `mkdir -p a/b && echo $mark >a/b/../../../outside/kept`, escaped: touched},
		{name: "symlink out", class: classOutside, line: `ln -s $outside/kept link && echo $mark >link`, escaped: touched},
		{name: "symlinked folder out", class: classOutside, line: `ln -s $outside link && echo $mark >link/new`, escaped: touched},
		{
			name: "symlink that was there", class: classOutside,
			prepare: func(t *testing.T, l *lab) {
				must(t, os.Symlink("../outside/kept", filepath.Join(l.workspace, "link")))
			},
			line: `echo $mark >link`, escaped: touched,
		},
		{name: "hard link out", class: classOutside, line: `ln $outside/kept link && echo $mark >>link`, escaped: touched},
		{name: "rename out", class: classOutside, line: `echo $mark >file && mv -f file $outside/kept`, escaped: touched},
		{name: "rename in", class: classOutside, line: `mv $outside/kept file`, escaped: touched},
		{name: "exchange", class: classOutside, line: `echo $mark >file && ./attack exchange file $outside/kept`, escaped: touched},
		{name: "remove outside", class: classOutside, line: `rm -f $outside/kept`, escaped: touched},
		{name: "make folder outside", class: classOutside, line: `mkdir $outside/new`, escaped: touched},
		{name: "remove folder outside", class: classOutside, line: `rmdir $outside/empty`, escaped: touched},
		{name: "truncate", class: classOutside, line: `./attack truncate $outside/kept`, escaped: touched},
		{name: "truncate inherited", class: classOutside, prepare: inherit, line: `./attack truncate-fd $fd`, escaped: touched},
		{name: "write inherited", class: classOutside, prepare: inherit, line: `echo $mark >/proc/self/fd/$fd`, escaped: touched},
		{name: "chmod", class: classOutside, line: `chmod 640 $outside/kept`, escaped: touched},
		{name: "chgrp", class: classOutside, line: `chgrp "$(id -g)" $outside/kept`, escaped: touched},
		{name: "utime", class: classOutside, line: `touch -d 2001-01-01 $outside/kept`, escaped: touched},
		{name: "setxattr", class: classOutside, missing: hasAttributes, line: `./attack xattr $outside/kept $mark`, escaped: touched},
		{name: "file flags", class: classOutside, missing: hasFlags, line: `./attack flags $outside/kept`, escaped: touched},
		{
			// The maker of the link has opened the file to the folder.
			name: "hard link that was there", class: classFlagged,
			prepare: func(t *testing.T, l *lab) {
				t.Helper()
				must(t, os.Link(filepath.Join(l.outside, "kept"), filepath.Join(l.workspace, "link")))
				l.before = describeState(t, l.outside)
			},
			line: `echo $mark >link`, escaped: touched,
		},
		{
			name: "replace the program that confines", class: classOutside,
			line: `echo $mark >file && chmod 755 file && mv -f file $outside/bin/fairlead`, escaped: touched,
		},
	}
}

// inherit opens a file outside as a library would that knows nothing of programs to
// come: they inherit it.
func inherit(t *testing.T, l *lab) {
	t.Helper()
	fd, err := unix.Open(filepath.Join(l.outside, "kept"), unix.O_RDWR, 0)
	must(t, err)
	t.Cleanup(func() { unix.Close(fd) })
	l.variables["fd"] = fmt.Sprint(fd)
}

// onOwnFile tries something on a file of the tests' own and says why it cannot be
// done.
func onOwnFile(verb string, more ...string) string {
	file, err := os.CreateTemp("", "own-")
	if err != nil {
		return err.Error()
	}
	defer func() { _ = os.Remove(file.Name()) }() // its folder goes with the tests
	file.Close()
	return serves(append([]string{verb, file.Name()}, more...)...)()
}

func hasAttributes() string { return onOwnFile("xattr", "text") }

func hasFlags() string { return onOwnFile("flags") }

// folderAttacks change where the workspace lies.
func folderAttacks() []attack {
	var before unix.Stat_t
	remember := func(t *testing.T, l *lab) {
		t.Helper()
		must(t, unix.Lstat(l.workspace, &before))
	}
	moved := func(t *testing.T, l *lab) bool {
		t.Helper()
		var now unix.Stat_t
		err := unix.Lstat(l.workspace, &now)
		return errors.Is(err, fs.ErrNotExist) || now.Ino != before.Ino
	}
	return []attack{
		{
			name: "write above", class: classOutside, line: `echo $mark >../new`,
			escaped: func(_ *testing.T, l *lab) bool { return exists(filepath.Join(l.above, "new")) },
		},
		{
			name: "replace the workspace", class: classOutside, prepare: remember,
			line: `mv "$workspace" "$workspace.gone" && mkdir "$workspace"`, escaped: moved,
		},
		{
			name: "replace the workspace by a link", class: classOutside, prepare: remember,
			line: `mv "$workspace" "$workspace.gone" && ln -s "$outside" "$workspace"`, escaped: moved,
		},
		{name: "remove the workspace", class: classOutside, prepare: remember, line: `rm -rf "$workspace"`, escaped: moved},
		{
			name: "chmod above", class: classOutside, line: `chmod 777 ..`,
			escaped: func(t *testing.T, l *lab) bool {
				t.Helper()
				info, err := os.Stat(l.above)
				must(t, err)
				return info.Mode().Perm() == 0o777
			},
		},
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// homeAttacks plant what runs when the user next starts something.
func homeAttacks() []attack {
	var all []attack
	for _, path := range []string{
		".bashrc", ".profile", ".config/autostart/new.desktop", ".ssh/authorized_keys", ".gitconfig",
		".config/systemd/user/new.service", ".local/bin/git", ".config/fairlead/settings.toml",
	} {
		all = append(all, attack{
			name: "plant ~/" + path, class: classOutside,
			prepare: func(t *testing.T, l *lab) {
				t.Helper()
				must(t, os.MkdirAll(filepath.Join(l.home, filepath.Dir(path)), 0o755))
			},
			line: `echo "# $mark" >>$home/` + path, escaped: holds(path),
		})
	}
	return append(all, attack{
		name: "crontab", class: classOutside, missing: canSchedule,
		prepare: func(t *testing.T, _ *lab) {
			t.Helper()
			t.Cleanup(func() { _ = exec.Command("crontab", "-r").Run() }) // there may be none
		},
		line: `echo "# $mark" | crontab -`,
		escaped: func(t *testing.T, l *lab) bool {
			t.Helper()
			output, _ := exec.Command("crontab", "-l").Output() // none is an error
			return strings.Contains(string(output), l.mark)
		},
	})
}

// nobody is the user that the tests become where root starts them.
const nobody = 65534

// canSchedule says why no table of cron can be written: the user's own is not to be
// replaced by a test.
func canSchedule() string {
	if os.Getuid() != nobody {
		return "it would replace the table of the user who runs the tests"
	}
	return needs("crontab")()
}
