package install

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fairlead/backend/process"
)

// Start is how an installed program is started: without a package manager, and without the
// network.
type Start struct {
	// Argv is the program, as an absolute path, and its arguments.
	Argv []string
	// Dir is the folder of the install, which the program reads.
	Dir string
}

// Command returns how the program is started with arguments. The program that runs it, Node.js, is
// not taken from the folders named outside, such as the workspace.
func (in Installed) Command(args []string, outside ...string) (Start, error) {
	program, err := in.program()
	if err != nil {
		return Start{}, err
	}
	node, found := process.Find("node", outside...)
	if !found {
		return Start{}, fmt.Errorf("Node.js was not found in PATH (PATH is %s): install it, and restart Fairlead", process.SearchPath(outside...)) //nolint:staticcheck // Node.js is a name
	}
	argv := append([]string{node}, program.options...)
	argv = append(argv, filepath.Join(in.Dir, filepath.FromSlash(program.path)))
	return Start{Argv: append(argv, args...), Dir: in.Dir}, nil
}

// program is a program of Node.js.
type program struct {
	// path leads to it in the install, with slashes.
	path string
	// options are those of Node.js that its first line asks for.
	options []string
}

// program finds the program as npx does: the one that was named, else the package's only one, else
// the one that is called like it.
func (in Installed) program() (program, error) {
	root, err := os.OpenRoot(in.Dir)
	if err != nil {
		return program{}, fmt.Errorf("open the install of %s: %w", in.Package, err)
	}
	defer root.Close()
	var known []string
	for _, p := range in.Request.Packages {
		programs, err := programsOf(root, p.Name)
		if err != nil {
			return program{}, err
		}
		known = slices.AppendSeq(known, maps.Keys(programs))
		file, found := choose(programs, p.Name, in.Request.Program)
		if found {
			return in.openProgram(root, modulesFolder+p.Name, file)
		}
		if in.Request.Program == "" {
			break
		}
	}
	slices.Sort(known)
	if in.Request.Program != "" {
		return program{}, fmt.Errorf("%s@%s has no program %s: it has %q", in.Package, in.Version, in.Request.Program, known)
	}
	return program{}, fmt.Errorf("%s@%s has no program of its name: name one of %q with --package=%s NAME", in.Package, in.Version, known, in.Package)
}

// choose returns the file of a program of a package, by the program's name; empty for the package's own.
func choose(programs map[string]string, packageName, name string) (file string, found bool) {
	if name != "" {
		file, found = programs[name]
		return file, found
	}
	if files := slices.Compact(slices.Sorted(maps.Values(programs))); len(files) == 1 {
		return files[0], true
	}
	file, found = programs[path.Base(packageName)]
	return file, found
}

// programsOf reads the programs of a package: their files by their names.
func programsOf(root *os.Root, name string) (map[string]string, error) {
	text, err := readIn(root, modulesFolder+name+"/"+manifestFile, mostRecord)
	if err != nil {
		return nil, fmt.Errorf("read what programs %s has: %w", name, err)
	}
	var manifest struct {
		Bin json.RawMessage `json:"bin"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, fmt.Errorf("read what programs %s has: %w", name, err)
	}
	programs := map[string]string{}
	var one string
	switch {
	case len(manifest.Bin) == 0:
		return programs, nil
	case json.Unmarshal(manifest.Bin, &one) == nil:
		programs[path.Base(name)] = one
		return programs, nil
	}
	if err := json.Unmarshal(manifest.Bin, &programs); err != nil {
		return nil, fmt.Errorf("read what programs %s has: %w", name, err)
	}
	return programs, nil
}

// openProgram looks at the file of a program, which has to be one of Node.js in the folder of its
// package.
func (in Installed) openProgram(root *os.Root, folder, name string) (program, error) {
	own, err := root.OpenRoot(folder)
	if err != nil {
		return program{}, fmt.Errorf("open the package of the program: %w", err)
	}
	defer own.Close()
	// A root opens nothing that lies outside of it.
	file, err := own.Open(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return program{}, fmt.Errorf("%s@%s does not have the file of its program, %s", in.Package, in.Version, shown(name))
	}
	if err != nil {
		return program{}, fmt.Errorf("%s@%s has a program that cannot be opened in its folder, %s, and is not started: %w", in.Package, in.Version, shown(name), err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return program{}, fmt.Errorf("%s@%s has a program that is no file, %s", in.Package, in.Version, shown(name))
	}
	first, err := bufio.NewReader(io.LimitReader(file, 1024)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return program{}, fmt.Errorf("read the program of %s: %w", in.Package, err)
	}
	options, is := nodeOptions(first, name)
	if !is {
		return program{}, fmt.Errorf("%s@%s has a program that is not one of Node.js, %s: install it yourself, and write its path as the command", in.Package, in.Version, shown(name))
	}
	return program{path: path.Join(folder, filepath.ToSlash(name)), options: options}, nil
}

// nodeOptions reports whether a program is one of Node.js, by its first line and name, and
// returns the options that it asks for.
func nodeOptions(first, name string) ([]string, bool) {
	line, is := strings.CutPrefix(strings.TrimPrefix(first, "\ufeff"), "#!")
	if !is {
		return nil, slices.Contains([]string{".js", ".mjs", ".cjs"}, path.Ext(name))
	}
	words := strings.Fields(line)
	if len(words) > 0 && path.Base(words[0]) == "env" {
		words = slices.DeleteFunc(words[1:], func(word string) bool { return word == "-S" })
	}
	if len(words) == 0 || path.Base(words[0]) != "node" {
		return nil, false
	}
	return words[1:], true
}
