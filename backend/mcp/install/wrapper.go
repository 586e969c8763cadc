package install

import (
	"regexp"
	"strings"
	"sync"
)

// unwrapper reads the arguments of a program that starts another one.
type unwrapper func(args []string, depth int) (Request, bool, error)

// unwrapperOf returns the one of a program by its name; nil for a program that starts no other.
func unwrapperOf(name string) unwrapper {
	switch name {
	case "env":
		return unwrapEnv
	case "cmd":
		return unwrapCmd
	case "node":
		return unwrapNode
	case "python", "python3":
		return unwrapPython
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "powershell", "pwsh":
		return unwrapShell
	}
	return nil
}

// programFile is the name of a program, which is no path.
var programFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`) })

// unwrapEnv reads env COMMAND.
func unwrapEnv(args []string, depth int) (Request, bool, error) {
	plain := args
	for len(plain) > 0 && (strings.HasPrefix(plain[0], "-") || strings.Contains(plain[0], "=")) {
		plain = plain[1:]
	}
	request, is, err := recognise(plain, depth)
	if is && err == nil && len(plain) < len(args) {
		err = refuse("env is given %s before the command: write %s as the command, and variables as those of the definition", shown(args[0]), shown(plain[0]))
	}
	if err != nil {
		request = Request{}
	}
	return request, is, err
}

// unwrapCmd reads cmd /c COMMAND.
func unwrapCmd(args []string, depth int) (Request, bool, error) {
	for len(args) > 0 && strings.HasPrefix(args[0], "/") {
		end := strings.EqualFold(args[0], "/c") || strings.EqualFold(args[0], "/k")
		args = args[1:]
		if end {
			break
		}
	}
	line := args
	if len(args) > 0 && strings.ContainsAny(args[0], " \t") {
		// cmd.exe joins what it is given, and splits it where there are spaces.
		line = append(strings.Fields(args[0]), args[1:]...)
	}
	request, is, err := recognise(line, depth)
	if !is || err != nil {
		return Request{}, is, err
	}
	for _, arg := range args {
		if strings.ContainsAny(arg, "&|<>^%\"\r\n") {
			return Request{}, true, refuse("cmd is given %s, which it would not pass on as it is: write %s as the command and the rest as its arguments", shown(arg), shown(line[0]))
		}
	}
	return request, true, nil
}

// unwrapShell refuses sh -c with a line that fetches.
func unwrapShell(args []string, _ int) (Request, bool, error) {
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") && i == 0 {
			return Request{}, false, nil // a script
		}
		if strings.HasPrefix(arg, "-") {
			continue
		}
		rest := strings.Join(args[i:], " ")
		if !fetchingLine().MatchString(rest) {
			return Request{}, false, nil
		}
		if words := strings.Fields(rest); !strings.ContainsAny(rest, "\\\"'`$&|;<>(){}*?#~!\n") {
			return Request{}, true, refuse("a line of a shell cannot be pinned: write %s as the command and %q as its arguments", shown(words[0]), words[1:])
		}
		return Request{}, true, refuse("a line of a shell cannot be pinned: write the package manager, such as npx, as the command and the rest as its arguments")
	}
	return Request{}, false, nil
}

// fetchingLine finds a command that fetches in a line of a shell.
var fetchingLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[^A-Za-z0-9_.-])` +
		`(npx|bunx|uvx|pnpx|(npm|bun)(\.cmd|\.exe)?(\s+-\S+)*\s+(exec|x)|(pnpm|yarn)(\.cmd)?(\s+-\S+)*\s+dlx|` +
		`uv(\.exe)?(\s+-\S+)*\s+tool\s+run|pipx(\.exe)?(\s+-\S+)*\s+run)(\.cmd|\.exe)?($|[^A-Za-z0-9_-])`)
})

// unwrapNode reads node …/npx-cli.js, which is what npx is.
func unwrapNode(args []string, depth int) (Request, bool, error) {
	if len(args) == 0 {
		return Request{}, false, nil
	}
	name, is := strings.CutSuffix(programName(args[0]), "-cli.js")
	if !is || (name != "npx" && name != "npm") {
		return Request{}, false, nil
	}
	return recognise(append([]string{name}, args[1:]...), depth)
}

// unwrapPython reads python -m pipx and python -m uv.
func unwrapPython(args []string, depth int) (Request, bool, error) {
	if len(args) < 2 || args[0] != "-m" || (args[1] != "pipx" && args[1] != "uv") {
		return Request{}, false, nil
	}
	return recognise(args[1:], depth)
}
