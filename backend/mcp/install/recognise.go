package install

import (
	"slices"
	"strings"
)

// Recognise reports whether a command fetches the program that it starts, and what it asks for
// then. An error is a *RefusedError: the command fetches, in a form that cannot be pinned.
func Recognise(command string, args []string) (Request, bool, error) {
	// What starts something else that starts something else is not followed for ever.
	return recognise(append([]string{command}, args...), 4)
}

// recognise does that for a command line of which at most depth programs start the next one.
func recognise(line []string, depth int) (Request, bool, error) {
	if len(line) == 0 {
		return Request{}, false, nil
	}
	name, args := programName(line[0]), line[1:]
	if unwrap := unwrapperOf(name); unwrap != nil && depth > 0 {
		return unwrap(args, depth-1)
	}
	for _, l := range launchers {
		rest, ok := l.match(name, args)
		if !ok {
			continue
		}
		request, err := l.parse(l, rest)
		if err != nil {
			return Request{}, true, err
		}
		request.Launcher = strings.Join(l.words, " ")
		if len(request.Args) == 0 {
			request.Args = nil // as it is read from a record
		}
		return request, true, nil
	}
	return Request{}, false, nil
}

// programName is the name of a program by its path, without what Windows adds.
func programName(command string) string {
	name := strings.ToLower(command[strings.LastIndexAny(command, `/\`)+1:])
	for _, suffix := range []string{".cmd", ".exe", ".bat", ".ps1"} {
		if cut, is := strings.CutSuffix(name, suffix); is {
			return cut
		}
	}
	return name
}

// launcher is a command of a package manager that fetches and starts.
type launcher struct {
	// words are the program and its command, if it needs one.
	words []string
	// flags are options without a value that change nothing of what is fetched and started.
	flags []string
	// packages are the options whose value is a package.
	packages []string
	// further are those of packages that the program needs beside its own.
	further []string
	// early allows options before the command too.
	early bool
	// late reports whether options after the package are the package manager's too, unless -- stands
	// before it.
	late bool
	// parse reads what follows the words.
	parse func(l launcher, args []string) (Request, error)
}

// launchers are those that are known. Longer ones stand first.
var launchers = []launcher{
	{words: []string{"npx"}, flags: npxFlags, packages: npmPackages, parse: parseNPM},
	{words: []string{"npm", "exec"}, flags: npxFlags, packages: npmPackages, early: true, late: true, parse: parseNPM},
	{words: []string{"npm", "x"}, flags: npxFlags, packages: npmPackages, early: true, late: true, parse: parseNPM},
	{words: []string{"pnpm", "dlx"}, flags: []string{"-s", "--silent"}, packages: []string{"--package"}, early: true, parse: parseNPM},
	{words: []string{"pnpx"}, flags: []string{"-s", "--silent"}, packages: []string{"--package"}, parse: parseNPM},
	{words: []string{"yarn", "dlx"}, flags: []string{"-q", "--quiet"}, packages: npmPackages, parse: parseNPM},
	{words: []string{"bunx"}, flags: []string{"-y", "--yes", "--silent"}, packages: npmPackages, parse: parseNPM},
	{words: []string{"bun", "x"}, flags: []string{"-y", "--yes", "--silent"}, packages: npmPackages, parse: parseNPM},
	{words: []string{"uvx"}, flags: uvFlags, packages: []string{"--from"}, further: []string{"--with"}, parse: parsePython},
	{words: []string{"uv", "tool", "run"}, flags: uvFlags, packages: []string{"--from"}, further: []string{"--with"}, early: true, parse: parsePython},
	{words: []string{"pipx", "run"}, flags: []string{"-q", "--quiet", "--no-cache"}, packages: []string{"--spec"}, early: true, parse: parsePython},
}

var (
	npxFlags    = []string{"-y", "--yes", "-q", "--quiet", "-s", "--silent", "--prefer-offline", "--prefer-online", "--ignore-existing"}
	npmPackages = []string{"-p", "--package"}
	uvFlags     = []string{"-q", "--quiet", "--isolated", "--no-progress", "--no-cache", "-n"}
)

// match reports whether a command line is one of the launcher, and returns what follows its
// words: options before its command come first.
func (l launcher) match(name string, args []string) ([]string, bool) {
	if name != l.words[0] {
		return nil, false
	}
	var before []string
	for _, word := range l.words[1:] {
		for l.early && len(args) > 0 && strings.HasPrefix(args[0], "-") {
			taken := 1
			if slices.Contains(slices.Concat(l.packages, l.further), args[0]) && len(args) > 1 {
				taken = 2
			}
			before, args = append(before, args[:taken]...), args[taken:]
		}
		if len(args) == 0 || args[0] != word {
			return nil, false
		}
		args = args[1:]
	}
	return slices.Concat(before, args), true
}

// invocation is what the arguments of a launcher say.
type invocation struct {
	// packages and further are the values of the options of these names.
	packages, further []string
	// rest are the package or program and its arguments.
	rest []string
}

// readOptions reads the options of a launcher.
func (l launcher) readOptions(args []string) (invocation, error) {
	var found invocation
	command := strings.Join(l.words, " ")
	separated := false
	for len(args) > 0 && !separated && strings.HasPrefix(args[0], "-") {
		name, value, joined := strings.Cut(args[0], "=")
		args = args[1:]
		if name == "--" && !joined {
			separated = true
			continue
		}
		if slices.Contains(l.flags, name) && !joined {
			continue
		}
		into := &found.packages
		if slices.Contains(l.further, name) {
			into = &found.further
		} else if !slices.Contains(l.packages, name) {
			return found, refuse("%s is given the option %s, with which it cannot be pinned: write %s PACKAGE@VERSION and what the server itself is given", command, shown(name), command)
		}
		if !joined {
			if len(args) == 0 {
				return found, refuse("%s is given the option %s without a package: write %s PACKAGE@VERSION", command, name, command)
			}
			value, args = args[0], args[1:]
		}
		*into = append(*into, value)
	}
	if len(args) == 0 {
		return found, refuse("%s names no package that it is to start: write %s PACKAGE@VERSION", command, command)
	}
	if args[0] == "" {
		return found, refuse("%s is given an empty name: write %s PACKAGE@VERSION", command, command)
	}
	if l.late && !separated {
		// Options anywhere before -- are the package manager's.
		end := slices.Index(args, "--")
		if end < 0 {
			end = len(args)
		}
		if slices.ContainsFunc(args[:end], func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
			return found, refuse("options after the package are those of %s itself, not of the server: write -- before the package", command)
		}
		args = slices.Concat(args[:end], args[min(end+1, len(args)):])
	}
	found.rest = args
	return found, nil
}

// parseNPM reads what follows a launcher of npm's registry.
func parseNPM(l launcher, args []string) (Request, error) {
	found, err := l.readOptions(args)
	if err != nil {
		return Request{}, err
	}
	request := Request{Ecosystem: NPM, Args: found.rest[1:]}
	named := found.packages
	if len(named) == 0 {
		named = found.rest[:1]
	} else if request.Program = found.rest[0]; !programFile().MatchString(request.Program) {
		return Request{}, refuse("%s is not the name of a program: write the one that the package brings", shown(request.Program))
	}
	for _, text := range named {
		p, err := parsePackage(text)
		if err != nil {
			return Request{}, err
		}
		request.Packages = append(request.Packages, p)
	}
	return request, nil
}
