package install

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Ecosystem is where packages come from.
type Ecosystem string

// The ecosystems.
const (
	// NPM has programs for Node.js.
	NPM Ecosystem = "npm"
	// PyPI has programs for Python.
	PyPI Ecosystem = "pypi"
)

// Package is a package that a definition names.
type Package struct {
	// Name is its name, with its scope.
	Name string
	// Version is a version, a range or a tag; empty for the newest.
	Version string `json:",omitempty"`
}

func (p Package) String() string {
	if p.Version == "" {
		return p.Name
	}
	return p.Name + "@" + p.Version
}

// Request is what a definition asks a package manager to fetch and to start.
type Request struct {
	// Launcher is the command of the package manager, such as npx or uv tool run.
	Launcher string
	// Ecosystem is where it fetches from.
	Ecosystem Ecosystem
	// Packages are what it fetches, at least one, the one of the program first.
	Packages []Package
	// Program is the name of the program that it starts; empty for the package's own.
	Program string `json:",omitempty"`
	// Args are what the program is given.
	Args []string `json:",omitempty"`
}

// packageName is what a registry takes as the name of a package, and no option, address or path.
var packageName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(@[A-Za-z0-9][A-Za-z0-9._~-]*/)?[A-Za-z0-9][A-Za-z0-9._~-]*$`)
})

// packageVersion is a version, a range or a tag.
var packageVersion = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9*^~<>=][A-Za-z0-9.*^~<>=|+ -]*$`) })

// mostName is the most characters of a name of a package, as npm has it, and of a version.
const mostName = 214

// parsePackage splits what npm takes for a package: NAME or NAME@VERSION.
func parsePackage(text string) (Package, error) {
	name, version, given := text, "", false
	if at := strings.LastIndexByte(text, '@'); at > 0 {
		name, version, given = text[:at], text[at+1:], true
	}
	switch {
	case len(text) > 2*mostName || !packageName().MatchString(name) || len(name) > mostName:
		return Package{}, refuse("%s is not the name of a package in a registry, and only those can be pinned: write NAME or NAME@VERSION", shown(text))
	case given && !packageVersion().MatchString(version):
		return Package{}, refuse("%s is not a version of a registry, and only those can be pinned: write %s@VERSION", shown(version), name)
	}
	return Package{Name: name, Version: version}, nil
}

// shown quotes a text of the definition, shortened, with what is not printable escaped.
func shown(text string) string {
	const most = 80
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return fmt.Sprintf("%q", text)
}

// RefusedError says why a definition that fetches cannot be installed, and what to write
// instead.
type RefusedError struct{ reason string }

func (e *RefusedError) Error() string { return e.reason }

// refuse returns a *RefusedError.
func refuse(format string, values ...any) error {
	return &RefusedError{reason: fmt.Sprintf(format, values...)}
}
