package install

import (
	"regexp"
	"strings"
	"sync"
)

// pythonPackage is a name of PyPI, with extras.
var pythonPackage = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?(\[[A-Za-z0-9._, -]+\])?$`)
})

// parsePython reads what follows a launcher of PyPI's packages.
func parsePython(l launcher, args []string) (Request, error) {
	found, err := l.readOptions(args)
	if err != nil {
		return Request{}, err
	}
	request := Request{Ecosystem: PyPI, Args: found.rest[1:]}
	switch len(found.packages) {
	case 0:
		found.packages = found.rest[:1]
	case 1:
		if request.Program = found.rest[0]; !programFile().MatchString(request.Program) {
			return Request{}, refuse("%s is not the name of a program: write the one that the package brings", shown(request.Program))
		}
	default:
		return Request{}, refuse("%s names the package of the program more than once: write it once", strings.Join(l.words, " "))
	}
	for _, text := range append(found.packages, found.further...) {
		p, err := parsePythonPackage(text)
		if err != nil {
			return Request{}, err
		}
		request.Packages = append(request.Packages, p)
	}
	return request, nil
}

// parsePythonPackage splits NAME, NAME==VERSION and NAME@VERSION.
func parsePythonPackage(text string) (Package, error) {
	name, version, given := strings.Cut(text, "==")
	if !given {
		name, version, given = strings.Cut(text, "@")
	}
	name, version = strings.TrimSpace(name), strings.TrimSpace(version)
	switch {
	case strings.HasSuffix(name, ".py") || len(text) > 2*mostName || !pythonPackage().MatchString(name):
		return Package{}, refuse("%s is not the name of a package in a registry, and only those can be pinned: write NAME or NAME==VERSION", shown(text))
	case given && !packageVersion().MatchString(version):
		return Package{}, refuse("%s is not a version of a registry, and only those can be pinned: write %s==VERSION", shown(version), name)
	}
	return Package{Name: name, Version: version}, nil
}
