package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

const (
	// FileName is the settings file's name inside the config folder.
	FileName = "config.toml"
	// version is the only layout of the file that exists.
	version = 1
	// largest bounds how much of a file is read, in bytes.
	largest = 1 << 20
)

// File is what a settings file says, and what flags say before it. The zero File says
// nothing.
type File struct {
	// values are those of the file, and flags what goes before the environment, by key.
	values, flags map[string]string
	// tools are the values for parameters of tools, by table.
	tools map[string]ToolValues
	// own are the user's own providers, in the order of the file.
	own []OwnProvider
}

// FileError is why a settings file could not be used.
type FileError struct {
	// Path is the file.
	Path string
	// Line and Column count from 1, Column in bytes; both are 0 when the file
	// could not be read at all.
	Line, Column int
	// Reason is one line.
	Reason string
}

func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("read settings %s: %s", e.Path, e.Reason)
	}
	return fmt.Sprintf("read settings %s:%d:%d: %s", e.Path, e.Line, e.Column, e.Reason)
}

// ReadFile reads the settings file in the config folder. No file is no settings.
// A file with any fault gives a *FileError and no settings at all; the caller
// shows it and goes on with the defaults. The file is never written.
func ReadFile(folder string) (File, error) {
	path := filepath.Join(folder, FileName)
	content, err := readAtMost(path)
	if errors.Is(err, fs.ErrNotExist) {
		return File{}, nil
	}
	if err != nil {
		return File{}, &FileError{Path: path, Reason: err.Error()}
	}
	file, err := parse(content)
	if fault, ok := errors.AsType[*FileError](err); ok {
		fault.Path = path
		return File{}, fault
	}
	return file, nil
}

// MakeFile returns where the settings file in the config folder is, and makes an empty one, for
// this user only, where there is none.
func MakeFile(folder string) (string, error) {
	path := filepath.Join(folder, FileName)
	if err := MakeFolder(folder); err != nil {
		return "", err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE, private)
	if err != nil {
		return "", fmt.Errorf("make settings file: %w", err)
	}
	return path, file.Close()
}

// Lookup returns the value the file gives for the option with that key.
func (f File) Lookup(key string) (value string, ok bool) {
	value, ok = f.values[key]
	return value, ok
}

// With returns the settings with values that go before all others, by key, and without
// what the file says of the keys in without.
func (f File) With(flags map[string]string, without ...string) File {
	f.flags = flags
	if len(without) > 0 {
		f.values = maps.Clone(f.values)
		maps.DeleteFunc(f.values, func(key, _ string) bool { return slices.Contains(without, key) })
	}
	return f
}

func readAtMost(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, innerError(err)
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, largest+1))
	if err != nil {
		return nil, innerError(err)
	}
	if len(content) > largest {
		return nil, errors.New("it is larger than 1 MiB")
	}
	// Windows editors put a byte order mark first, which TOML does not know.
	return bytes.TrimPrefix(content, byteOrderMark), nil
}

// innerError takes the path out of an error that will name it anyway.
func innerError(err error) error {
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return fault.Err
	}
	return err
}

// parse reads the whole document first, for its syntax, then goes through its
// keys in the order they stand in, so that the first fault is the one reported.
func parse(content []byte) (File, error) {
	var document map[string]any
	if err := toml.Unmarshal(content, &document); err != nil {
		return File{}, syntaxFault(err)
	}
	file := File{values: map[string]string{}, tools: map[string]ToolValues{}}
	var parser unstable.Parser
	parser.Reset(content)
	inTable := false
	for parser.NextExpression() {
		expression := parser.Expression()
		keys := expression.Key()
		if !keys.Next() || inTable && expression.Kind == unstable.KeyValue {
			continue // what is in a table was read with it
		}
		inTable = expression.Kind != unstable.KeyValue
		name := string(keys.Node().Data)
		err := file.setField(name, document[name])
		if name == ownTable && file.own == nil {
			lines := scan(content)
			file.own, err = ownProviders(document[name], lines.tableNames(ownTable))
			if placed, ok := errors.AsType[*placedError](err); ok {
				return File{}, lines.faultAt(placed)
			}
		}
		if err != nil {
			at := parser.Shape(keys.Node().Raw).Start
			return File{}, &FileError{Line: at.Line, Column: at.Column, Reason: err.Error()}
		}
	}
	return file, nil
}

func (f File) setField(name string, value any) (err error) {
	switch name {
	case "version":
		if value != int64(version) {
			return fmt.Errorf("version must be %d: this Fairlead knows no other", version)
		}
		return nil
	case ownTable:
		return nil // the order of its tables counts, which the document does not have
	case presetTable, defaultTable:
		f.tools[name], err = toolValues(name, value)
		return err
	}
	i := slices.IndexFunc(options, func(o Option) bool { return o.Key == name })
	if i < 0 {
		return fmt.Errorf("unknown key %q; the keys are version, %s, and the tables providers.NAME, presets.TOOL and defaults.TOOL", name, keyList())
	}
	f.values[name], err = options[i].parse(value)
	return err
}

func keyList() string {
	keys := make([]string, len(options))
	for i, o := range options {
		keys[i] = o.Key
	}
	return strings.Join(keys, ", ")
}

func syntaxFault(err error) *FileError {
	fault := &FileError{Line: 1, Column: 1, Reason: oneLine(err.Error())}
	if at, ok := errors.AsType[*toml.DecodeError](err); ok {
		fault.Line, fault.Column = at.Position()
	}
	return fault
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.TrimPrefix(s, "toml: ")), " ")
}
