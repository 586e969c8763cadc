package install

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strings"
)

// npmLock is what is read of npm's lock file.
type npmLock struct {
	Version int `json:"lockfileVersion"`
	// Packages are in it by the folder that each gets; the empty one is the root.
	Packages map[string]lockedPackage `json:"packages"`
}

// lockedPackage is a package in npm's lock file.
type lockedPackage struct {
	// Name stands there where the folder has another name.
	Name      string `json:"name"`
	Version   string `json:"version"`
	Resolved  string `json:"resolved"`
	Integrity string `json:"integrity"`
	Link      bool   `json:"link"`
	// InBundle reports whether it comes inside the archive of the package above it.
	InBundle         bool `json:"inBundle"`
	HasInstallScript bool `json:"hasInstallScript"`
	// OS are the systems it is for, or with ! in front those it is not for; empty for all.
	OS []string `json:"os"`
}

// modulesFolder is the folder of npm's packages.
const modulesFolder = "node_modules/"

// readLock fills in what the lock file says. Every package in it must have a hash.
func (o *Offer) readLock() error {
	if len(o.Lock) > mostLock {
		return fmt.Errorf("the lock file of %s is larger than %d MiB: it is not installed", o.Request.Packages[0], mostLock>>20)
	}
	var lock npmLock
	if err := json.Unmarshal(o.Lock, &lock); err != nil {
		return fmt.Errorf("the lock file that npm wrote for %s cannot be read: %w", o.Request.Packages[0], err)
	}
	if lock.Version < 2 {
		return fmt.Errorf("npm writes lock files of version %d, which have no list of packages: update npm to version 7 or newer", lock.Version)
	}
	delete(lock.Packages, "")
	if len(lock.Packages) > mostPackages {
		return fmt.Errorf("%s needs %d packages, more than %d: it is not installed", o.Request.Packages[0], len(lock.Packages), mostPackages)
	}
	registry, err := url.Parse(o.Registry)
	if err != nil {
		return fmt.Errorf("the registry's address cannot be read: %w", err)
	}
	var scripts, hosts []string
	for path, locked := range lock.Packages {
		if err := locked.check(path); err != nil {
			return err
		}
		if locked.HasInstallScript && locked.isFor(runtime.GOOS) {
			scripts = append(scripts, locked.nameAt(path)+"@"+locked.Version)
		}
		if from, err := url.Parse(locked.Resolved); err == nil && from.Host != "" && from.Host != registry.Host {
			hosts = append(hosts, from.Host)
		}
	}
	o.Count, o.Scripts, o.OtherHosts = len(lock.Packages), sortedSet(scripts), sortedSet(hosts)
	o.Packages = nil
	for i, asked := range o.Request.Packages {
		main, found := lock.Packages[modulesFolder+asked.Name]
		if !found || main.Version == "" {
			return fmt.Errorf("the lock file that npm wrote does not have %s: look at npm's own message with npm view %s", asked, asked.Name)
		}
		o.Packages = append(o.Packages, Package{Name: asked.Name, Version: main.Version})
		if i == 0 {
			o.Integrity = main.Integrity
		}
	}
	return nil
}

func sortedSet(all []string) []string {
	slices.Sort(all)
	return slices.Compact(all)
}

// nameAt is the name of the package that lies at a path.
func (p lockedPackage) nameAt(path string) string {
	return cmp.Or(p.Name, path[strings.LastIndex(path, modulesFolder)+len(modulesFolder):])
}

// isFor reports whether a package is for a system, as Go names it.
func (p lockedPackage) isFor(system string) bool {
	if system == "windows" {
		system = "win32" // as Node.js does
	}
	only := slices.ContainsFunc(p.OS, func(name string) bool { return !strings.HasPrefix(name, "!") })
	return !slices.Contains(p.OS, "!"+system) && (!only || slices.Contains(p.OS, system))
}

// check reports why a package cannot be pinned.
func (p lockedPackage) check(path string) error {
	for _, name := range strings.Split(path, "/"+modulesFolder) {
		if !packageName().MatchString(strings.TrimPrefix(name, modulesFolder)) {
			return fmt.Errorf("the lock file names the folder %s, which is not that of a package: it is not installed", shown(path))
		}
	}
	if !strings.HasPrefix(path, modulesFolder) {
		return fmt.Errorf("the lock file names the folder %s, which is not below %s: it is not installed", shown(path), modulesFolder)
	}
	name := p.nameAt(path)
	if !packageName().MatchString(name) || !packageVersion().MatchString(p.Version) {
		return fmt.Errorf("the lock file names the package %s of version %s, which no registry has: it is not installed", shown(name), shown(p.Version))
	}
	if p.InBundle {
		return nil
	}
	if p.Link {
		return fmt.Errorf("the package %s@%s is a link to a folder, which cannot be pinned: it is not installed", name, p.Version)
	}
	from, err := url.Parse(p.Resolved)
	if err != nil || (from.Scheme != "https" && from.Scheme != "http") || from.Host == "" || from.User != nil {
		return fmt.Errorf("the package %s@%s comes from %s, which is no registry, and cannot be pinned: it is not installed", name, p.Version, shown(p.Resolved))
	}
	if !isStrongHash(p.Integrity) {
		return fmt.Errorf("the registry gives the package %s@%s the hash %s, and not one of SHA-256 or longer: it cannot be pinned and is not installed", name, p.Version, shown(p.Integrity))
	}
	return nil
}

// isStrongHash reports whether each of the hashes of an integrity is one of SHA-2.
func isStrongHash(integrity string) bool {
	all := strings.Fields(integrity)
	for _, one := range all {
		name, sum, _ := strings.Cut(one, "-")
		length := map[string]int{"sha256": 32, "sha384": 48, "sha512": 64}[name]
		decoded, err := base64.StdEncoding.DecodeString(sum)
		if err != nil || length == 0 || len(decoded) != length {
			return false
		}
	}
	return len(all) > 0
}

// manifestOf is the package.json that asks for the packages.
func manifestOf(packages []Package) ([]byte, error) {
	dependencies := map[string]string{}
	for _, p := range packages {
		if _, twice := dependencies[p.Name]; twice {
			return nil, refuse("%s is named more than once: write it once", p.Name)
		}
		// npm takes the newest for *, as npx does, also where that is a version before a release.
		dependencies[p.Name] = cmp.Or(p.Version, "*")
	}
	var text bytes.Buffer
	to := json.NewEncoder(&text)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	if err := to.Encode(map[string]any{"name": "fairlead-install", "private": true, "dependencies": dependencies}); err != nil {
		return nil, fmt.Errorf("write a %s: %w", manifestFile, err)
	}
	return text.Bytes(), nil
}
