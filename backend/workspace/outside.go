package workspace

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// ErrRunnable refuses to hand a file to the system to be opened: what the system does with a
// program can be to run it.
var ErrRunnable = errors.New("this could be run as a program; open it from your file manager")

// runnableEndings are those of files that systems run, or act on as they say, when they are opened.
var runnableEndings = []string{
	".desktop", ".appimage", ".run", ".jar", ".jnlp", ".exe", ".com", ".scr", ".msi", ".lnk",
	".app", ".command", ".tool", ".terminal", ".workflow", ".scpt", ".applescript", ".fileloc", ".inetloc", ".webloc",
}

// runnableOnWindows are those of files that other systems show as texts.
var runnableOnWindows = []string{
	".bat", ".cmd", ".cpl", ".hta", ".js", ".jse", ".msc", ".pif", ".ps1", ".reg", ".scf", ".url", ".vbe", ".vbs", ".ws", ".wsf", ".wsh",
}

// Outside returns the absolute path of a regular file, its links followed, for the user's own
// programs to show it in its folder. Besides the errors of Locate it fails with FILE_NOT_FOUND, and
// with UNSUPPORTED_FILE for what is no regular file. Files with secrets are the user's like all
// others: nothing that they hold gets to a model that way.
func (f *Folder) Outside(name string) (absolute string, err error) {
	file, err := f.openForUser(name)
	if err != nil {
		return "", err
	}
	_ = file.Close() // nothing was read
	return f.absolute(file), nil
}

// Openable is Outside for a program of the system's choice to open the file: it fails with ErrRunnable
// for one that the system could run.
func (f *Folder) Openable(name string) (absolute string, err error) {
	file, err := f.openForUser(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	if hasRunnableName(file.Path) || file.info.Mode()&0o111 != 0 || startsAsProgram(file) {
		return "", ErrRunnable
	}
	return f.absolute(file), nil
}

func (f *Folder) absolute(file *File) string {
	return filepath.Join(f.path, filepath.FromSlash(file.Path))
}

// openForUser opens the regular file that a path leads to. Secrets in it, and other names that it has,
// keep it from models, not from the user.
func (f *Folder) openForUser(name string) (*File, error) {
	r, err := f.openRoute(name)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if !r.Exists() {
		return nil, f.NotFound(r.Place)
	}
	return r.openFile()
}

// hasRunnableName reports whether a file is run by its name.
func hasRunnableName(local string) bool {
	ending := strings.ToLower(path.Ext(local))
	if slices.Contains(runnableEndings, ending) {
		return true
	}
	if runtime.GOOS != "windows" || ending == "" {
		return false
	}
	return slices.Contains(runnableOnWindows, ending) ||
		slices.Contains(filepath.SplitList(strings.ToLower(os.Getenv("PATHEXT"))), ending)
}

// startsAsProgram reports whether a file begins as programs do, or cannot be read to tell.
func startsAsProgram(file *File) bool {
	start := make([]byte, 4)
	read, err := io.ReadFull(file, start)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return true
	}
	start = start[:read]
	return slices.ContainsFunc([]string{"\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe"}, func(magic string) bool {
		return bytes.HasPrefix(start, []byte(magic))
	})
}

// FileAt returns the path, as Shown has it, of the regular file that a text names; ok is false where it
// names none that can be looked at.
func (f *Folder) FileAt(name string) (shown string, ok bool) {
	place, err := f.Locate(name)
	if err != nil || checkSecret(place) != nil || !place.Exists() || !place.Info.Mode().IsRegular() {
		return "", false
	}
	return Shown(place.given), true
}
