package mcp

import (
	"slices"
	"strings"
)

// Fetch is what a definition would fetch each time it is started.
type Fetch struct {
	// Runner is the program that fetches: npx, npm exec, bunx, pnpm dlx, yarn dlx, uvx, uv tool run or
	// pipx run.
	Runner string
	// Package is the package as the definition names it, with a version if that has one; empty
	// where it names none.
	Package string
	// Program is the program of the package that runs; empty for its usual one.
	Program string
	// Args are given to the program.
	Args []string
}

// runner is a program that fetches a package and runs it.
type runner struct {
	words []string
	// named are options with a value that names the package, taking those with another value.
	named, taking []string
	label         string
}

var runners = []runner{
	{words: []string{"npx"}, named: []string{"-p", "--package"}, taking: []string{"--cache", "--registry", "--userconfig", "-w", "--workspace"}, label: "npx"},
	{words: []string{"npm", "exec"}, named: []string{"-p", "--package"}, taking: []string{"--cache", "--registry", "-w", "--workspace"}, label: "npm exec"},
	{words: []string{"npm", "x"}, named: []string{"-p", "--package"}, taking: []string{"--cache", "--registry", "-w", "--workspace"}, label: "npm exec"},
	{words: []string{"bunx"}, named: []string{"-p", "--package"}, label: "bunx"},
	{words: []string{"bun", "x"}, named: []string{"-p", "--package"}, label: "bunx"},
	{words: []string{"pnpm", "dlx"}, named: []string{"--package"}, label: "pnpm dlx"},
	{words: []string{"pnpx"}, named: []string{"--package"}, label: "pnpm dlx"},
	{words: []string{"yarn", "dlx"}, named: []string{"-p", "--package"}, label: "yarn dlx"},
	{words: []string{"uvx"}, named: []string{"--from"}, taking: uvTaking, label: "uvx"},
	{words: []string{"uv", "tool", "run"}, named: []string{"--from"}, taking: uvTaking, label: "uv tool run"},
	{words: []string{"uv", "x"}, named: []string{"--from"}, taking: uvTaking, label: "uvx"},
	{words: []string{"pipx", "run"}, named: []string{"--spec"}, taking: []string{"--python", "--pip-args", "--index-url", "-i"}, label: "pipx run"},
}

var uvTaking = []string{"--with", "--python", "-p", "--index-url", "--default-index", "--index", "--extra-index-url", "-i"}

// Fetches reports whether the definition fetches what it runs each time it is started: it has to
// be installed first.
func (d Definition) Fetches() (fetch Fetch, fetches bool) {
	words := append([]string{d.Command}, d.Args...)
	switch programName(d.Command) {
	case "cmd":
		if len(words) > 2 && strings.EqualFold(words[1], "/c") {
			words = words[2:]
		}
	case "env":
		words = words[1:]
		for len(words) > 0 && strings.Contains(words[0], "=") {
			words = words[1:]
		}
	}
	for _, r := range runners {
		if rest, ok := r.after(words); ok {
			return r.read(rest), true
		}
	}
	return Fetch{}, false
}

// after returns the words after those of the runner. Options may stand between them.
func (r runner) after(words []string) (rest []string, ok bool) {
	if len(words) == 0 || programName(words[0]) != r.words[0] {
		return nil, false
	}
	rest = words[1:]
	for _, word := range r.words[1:] {
		for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
			rest = rest[1:]
		}
		if len(rest) == 0 || rest[0] != word {
			return nil, false
		}
		rest = rest[1:]
	}
	return rest, true
}

// read takes what is fetched from the words after those of the runner.
func (r runner) read(words []string) Fetch {
	fetch := Fetch{Runner: r.label}
	for len(words) > 0 {
		option, value, joined := strings.Cut(words[0], "=")
		switch {
		case words[0] == "--":
			words = words[1:]
		case !strings.HasPrefix(words[0], "-"):
			if fetch.Package == "" {
				fetch.Package = words[0]
			} else {
				fetch.Program = words[0]
			}
			fetch.Args = slices.Clone(words[1:])
			return fetch
		case slices.Contains(r.named, option) && joined:
			fetch.Package, words = value, words[1:]
		case slices.Contains(r.named, option) && len(words) > 1:
			fetch.Package, words = words[1], words[2:]
		case slices.Contains(r.taking, option) && !joined && len(words) > 1:
			words = words[2:]
		default:
			words = words[1:]
		}
	}
	return fetch
}
