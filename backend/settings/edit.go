package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"github.com/pelletier/go-toml/v2/unstable"
)

// EditError is why the settings file was left as it is.
type EditError struct {
	// Path is the file.
	Path string
	// Line is where to edit it by hand, from 1; 0 where no line is to blame.
	Line int
	// Reason is one line.
	Reason string
}

func (e *EditError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("change settings %s: %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("change settings %s:%d: %s", e.Path, e.Line, e.Reason)
}

// editing keeps two changes from this process from losing one of them.
var editing sync.Mutex

// AddProvider writes the user's own provider into the settings file in the config
// folder, as a table at its end or in place of the one with its name, and changes
// nothing else in it. Where there is no file it makes one. A file with a fault gives
// its *FileError; a provider that cannot be one, that cannot be added without changing
// what else the file says, or whose old form is no table of its own, gives an
// *EditError. Either way the file is left as it is.
func AddProvider(folder string, provider OwnProvider) error {
	return editProviders(folder, func(path string, content []byte, before File) ([]byte, []OwnProvider, error) {
		table, added, err := ownBlock(provider, lineEnd(content))
		if err != nil {
			return nil, nil, &EditError{Path: path, Reason: err.Error()}
		}
		providers := before.Providers()
		old := slices.IndexFunc(providers, func(p OwnProvider) bool { return p.Name == added.Name })
		if old < 0 {
			return joinTable(content, table), append(providers, added), nil
		}
		providers[old] = added
		changed, err := putTable(path, content, added.Name, table)
		return changed, providers, err
	})
}

// RemoveProvider takes the user's own provider with that name out of the settings
// file in the config folder, and changes nothing else in it: comments above and below
// its table stay. A file with a fault gives its *FileError; a provider that is not
// there, or that is not written as a table of its own, gives an *EditError. Either way
// the file is left as it is.
func RemoveProvider(folder, name string) error {
	return editProviders(folder, func(path string, content []byte, before File) ([]byte, []OwnProvider, error) {
		left := slices.DeleteFunc(before.Providers(), func(p OwnProvider) bool { return p.Name == name })
		if len(left) == len(before.own) {
			return nil, nil, &EditError{Path: path, Reason: fmt.Sprintf("there is no provider %s in it", name)}
		}
		changed, err := putTable(path, content, name, nil)
		return changed, left, err
	})
}

// putTable returns the content of the file with a table in place of that of a provider, or
// without it.
func putTable(path string, content []byte, name string, table []byte) ([]byte, error) {
	lines := scan(content)
	if at := findOutsideLine(lines, name); at > 0 {
		return nil, &EditError{path, at, fmt.Sprintf("%s is not written as a table of its own, [%s.%s]; edit it by hand", name, ownTable, name)}
	}
	return exchangeTable(content, lines, []string{ownTable, name}, table), nil
}

// editProviders changes the own providers of the settings file. change returns the new text and
// the own providers that it must have; all else must be as before.
func editProviders(folder string, change func(path string, content []byte, before File) ([]byte, []OwnProvider, error)) error {
	return rewriteFile(folder, func(path string, content []byte, before File) ([]byte, File, error) {
		changed, providers, err := change(path, content, before)
		return changed, File{values: before.values, tools: before.tools, own: providers}, err
	})
}

// rewriteFile changes the settings file. change returns the new text and what it must say.
func rewriteFile(folder string, change func(path string, content []byte, before File) ([]byte, File, error)) error {
	editing.Lock()
	defer editing.Unlock()
	path, mode, err := editablePath(folder)
	if err != nil {
		return err
	}
	content, err := readAtMost(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &EditError{Path: path, Reason: err.Error()}
	}
	before, err := ReadFile(folder)
	if err != nil {
		return err
	}
	changed, want, err := change(path, content, before)
	if err != nil {
		return err
	}
	after, err := parse(changed)
	if err != nil || len(changed) > largest || !sameFile(want, after) {
		return &EditError{path, firstProviderLine(scan(content)), "it is written in a way that leaves no space for a change; edit it by hand"}
	}
	if bytes.Equal(changed, content) {
		return nil
	}
	if mark, err := hasByteOrderMark(path); err != nil {
		return &EditError{Path: path, Reason: innerError(err).Error()}
	} else if mark {
		changed = slices.Concat(byteOrderMark, changed)
	}
	if err := ReplaceFile(path, changed, mode); err != nil {
		return &EditError{Path: path, Reason: innerError(err).Error()}
	}
	return nil
}

// editablePath returns where the settings file lies, which may be behind a link, and the
// mode to write it with.
func editablePath(folder string) (path string, mode fs.FileMode, err error) {
	path = filepath.Join(folder, FileName)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return path, private, MakeFolder(folder)
	}
	if err != nil {
		return path, 0, &EditError{Path: path, Reason: innerError(err).Error()}
	}
	return path, info.Mode().Perm(), nil
}

// hasByteOrderMark reports whether a file begins with a byte order mark; one that is not
// there does not.
func hasByteOrderMark(path string) (bool, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	first := make([]byte, len(byteOrderMark))
	n, _ := file.Read(first) // a shorter file has none
	return bytes.Equal(first[:n], byteOrderMark), file.Close()
}

// sameFile reports whether two files say the same.
func sameFile(a, b File) bool {
	return reflect.DeepEqual(withoutEmpty(a), withoutEmpty(b))
}

// withoutEmpty tells no difference between a file that says nothing and no file.
func withoutEmpty(f File) File {
	if len(f.values) == 0 {
		f.values = nil
	}
	if len(f.tools) == 0 {
		f.tools = nil
	}
	if len(f.own) == 0 {
		f.own = nil
	}
	return f
}

// findOutsideLine returns the line, from 1, in which something of a provider is not in its own
// table; 0 where all is.
func findOutsideLine(all lines, name string) int {
	path := []string{ownTable, name}
	for _, each := range all {
		related := commonKeys(each.path, path) == min(len(each.path), len(path))
		if each.kind == unstable.KeyValue && related && !hasPrefix(each.table, path) {
			return each.at.Line
		}
	}
	return 0
}

// firstProviderLine returns the line, from 1, of the first own provider; 0 where there is none.
func firstProviderLine(all lines) int {
	for _, each := range all {
		if hasPrefix(each.path, []string{ownTable}) {
			return each.at.Line
		}
	}
	return 0
}
