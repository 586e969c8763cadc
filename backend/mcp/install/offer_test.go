package install

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
)

// goodHash is a hash as a registry gives it.
var goodHash = "sha512-" + strings.Repeat("A", 86) + "=="

// lockWith is a lock file of the package server with one further entry.
func lockWith(path string, entry lockedPackage) []byte {
	packages := map[string]any{
		"": map[string]any{"dependencies": map[string]string{"server": "1.0.0"}},
		"node_modules/server": map[string]any{
			"version": "1.0.0", "resolved": "https://registry.example.test/server.tgz", "integrity": goodHash, "hasInstallScript": true,
		},
		path: map[string]any{
			"name": entry.Name, "version": entry.Version, "resolved": entry.Resolved, "integrity": entry.Integrity, "link": entry.Link, "inBundle": entry.InBundle,
		},
	}
	text, err := json.Marshal(map[string]any{"lockfileVersion": 3, "packages": packages})
	if err != nil {
		panic(err)
	}
	return text
}

func offerOf(lock []byte) Offer {
	return Offer{Request: Request{Packages: []Package{{Name: "server"}}}, Registry: "https://registry.example.test/", Lock: lock}
}

func TestEXT01_LockFilesPinEveryPackage(t *testing.T) {
	good := lockedPackage{Version: "2.0.0", Resolved: "https://other.example.test/x.tgz", Integrity: goodHash}
	o := offerOf(lockWith("node_modules/@s/x/node_modules/leaf", good))
	must(t, o.readLock())
	if o.Count != 2 || fmt.Sprint(o.OtherHosts, o.Scripts, o.Packages) != "[other.example.test] [server@1.0.0] [server@1.0.0]" || o.Integrity != goodHash {
		t.Errorf("%+v", o)
	}
	with := func(change func(p *lockedPackage)) lockedPackage {
		p := good
		change(&p)
		return p
	}
	tests := []struct {
		name, path string
		entry      lockedPackage
		want       string
	}{
		{"no hash", "node_modules/x", with(func(p *lockedPackage) { p.Integrity = "" }), "SHA-256 or longer"},
		{"weak hash", "node_modules/x", with(func(p *lockedPackage) { p.Integrity = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }), "SHA-256 or longer"},
		{"one of two is weak", "node_modules/x", with(func(p *lockedPackage) { p.Integrity += " sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }), "SHA-256 or longer"},
		{"short hash", "node_modules/x", with(func(p *lockedPackage) { p.Integrity = "sha512-AAAA" }), "SHA-256 or longer"},
		{"git", "node_modules/x", with(func(p *lockedPackage) { p.Resolved = "git+ssh://git@example.test/x.git#1" }), "is no registry"},
		{"file", "node_modules/x", with(func(p *lockedPackage) { p.Resolved = "file:../x.tgz" }), "is no registry"},
		{"credentials", "node_modules/x", with(func(p *lockedPackage) { p.Resolved = "https://ada:x@example.test/x.tgz" }), "is no registry"},
		{"link", "node_modules/x", with(func(p *lockedPackage) { p.Link = true }), "is a link"},
		{"above", "node_modules/../../x", good, "not that of a package"},
		{"elsewhere", "lib/x", good, "not that of a package"},
		{"not below", "x", good, "not below node_modules/"},
		{"escapes", "node_modules/\x1b[31mx", good, `"node_modules/\x1b[31mx"`},
		{"name", "node_modules/x", with(func(p *lockedPackage) { p.Name = "a\nb" }), `"a\nb"`},
		{"option", "node_modules/x", with(func(p *lockedPackage) { p.Name = "--eval" }), "no registry has"},
		{"version", "node_modules/x", with(func(p *lockedPackage) { p.Version = "1;reboot" }), "no registry has"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := offerOf(lockWith(test.path, test.entry))
			if err := o.readLock(); err == nil || !strings.Contains(err.Error(), test.want) || strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Error(err)
			}
		})
	}
	bundled := offerOf(lockWith("node_modules/server/node_modules/x", lockedPackage{Version: "1.0.0", InBundle: true}))
	must(t, bundled.readLock())
}

func TestEXT01_PackagesForOtherSystemsRunNoScripts(t *testing.T) {
	for systems, want := range map[string]bool{
		"": true, "win32": true, "darwin win32": true, "!linux": true, "darwin": false, "!win32": false, "!linux !win32": false,
	} {
		if got := (lockedPackage{OS: strings.Fields(systems)}).isFor("windows"); got != want {
			t.Errorf("%q: %t", systems, got)
		}
	}
}

func TestEXT01_LockFilesAreBounded(t *testing.T) {
	var many strings.Builder
	for n := range mostPackages + 1 {
		fmt.Fprintf(&many, `,"node_modules/x%d":{"version":"1.0.0","resolved":"https://a.example.test/","integrity":"%s"}`, n, goodHash)
	}
	for text, want := range map[string]string{
		strings.Repeat(" ", mostLock+1):                                 "larger than 16 MiB",
		`{"lockfileVersion":3,"packages":{"":{}` + many.String() + `}}`: "more than 5000",
		`{"lockfileVersion":1}`:                                         "update npm",
		`{"lockfileVersion":3}`:                                         "does not have server",
		`[`:                                                             "cannot be read",
	} {
		o := offerOf([]byte(text))
		if err := o.readLock(); err == nil || !strings.Contains(err.Error(), want) {
			t.Error(want, err)
		}
	}
}

func FuzzLockFile(f *testing.F) {
	f.Add(lockWith("node_modules/x", lockedPackage{Version: "2.0.0", Resolved: "https://other.example.test/x.tgz", Integrity: goodHash}))
	f.Add([]byte(`{"lockfileVersion":3,"packages":{"node_modules/server":{"inBundle":true,"version":"1"},"/node_modules/":{}}}`))
	f.Fuzz(func(t *testing.T, lock []byte) {
		o := offerOf(lock)
		if err := o.readLock(); err != nil {
			if strings.ContainsAny(err.Error(), "\x1b\r") {
				t.Errorf("%q", err)
			}
			return
		}
		for _, text := range append(o.Scripts, o.folderName(true)) {
			if strings.ContainsAny(text, "\x00\x1b \n'\"\\") || strings.HasPrefix(text, "-") || strings.HasPrefix(text, ".") {
				t.Errorf("%q", text)
			}
		}
		if name := o.folderName(false); !isInstallName(name) {
			t.Errorf("%q", name)
		}
	})
}

func TestEXT01_RegistriesWithCredentialsAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ settings, want string }{
		"public, with a token":    {"registry = \"https://registry.npmjs.org/\"\n//registry.npmjs.org/:_authToken = (protected)", ""},
		"token of another":        {"registry = \"https://registry.example.test/\"\n//other.example.test/:_authToken = (protected)", ""},
		"on this computer":        {"registry = \"http://127.0.0.1:4873/\"", ""},
		"overridden":              {"; registry = \"http://x/\" ; overridden by user\nregistry = \"https://a.example.test/\"", ""},
		"password in the address": {`registry = "https://ada:***@registry.example.test/"`, "has credentials in it"},
		"only a user":             {`registry = "https://ada@registry.example.test/"`, "has credentials in it"},
		"protected":               {`registry = (protected)`, "has credentials in it"},
		"none":                    {``, "cannot be read"},
		"token":                   {"registry = \"https://registry.example.test/npm/\"\n//registry.example.test/npm/:_authToken = (protected)", "npm has credentials"},
		"password":                {"//registry.example.test:8443/:_password = (protected)\nregistry = \"https://registry.example.test:8443/\"", "npm has credentials"},
		"plain":                   {`registry = "http://registry.example.test/"`, "not reached over https"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := checkRegistry(parseSettings(test.settings))
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Error(err)
			}
		})
	}
}

func TestEXT01_WhatIsInAFolderIsHashed(t *testing.T) {
	tree := func(change func(dir string)) (string, error) {
		dir := t.TempDir()
		must(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o700))
		must(t, os.WriteFile(filepath.Join(dir, "a", "x"), []byte("1"), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "y"), []byte("2"), 0o600))
		change(dir)
		got, err := hashTree(t.Context(), dir)
		return got.hash, err
	}
	plain, err := tree(func(string) {})
	must(t, err)
	for name, change := range map[string]func(dir string){
		"content": func(dir string) { must(t, os.WriteFile(filepath.Join(dir, "y"), []byte("3"), 0o600)) },
		"name":    func(dir string) { must(t, os.Rename(filepath.Join(dir, "y"), filepath.Join(dir, "z"))) },
		"moved":   func(dir string) { must(t, os.Rename(filepath.Join(dir, "y"), filepath.Join(dir, "a", "y"))) },
		"folder":  func(dir string) { must(t, os.Mkdir(filepath.Join(dir, "c"), 0o700)) },
		"gone":    func(dir string) { must(t, os.Remove(filepath.Join(dir, "a", "b"))) },
	} {
		if got, err := tree(change); err != nil || got == plain {
			t.Error(name, err)
		}
	}
	same, err := tree(func(dir string) {
		must(t, os.WriteFile(filepath.Join(dir, recordFile), nil, 0o600))
		must(t, os.WriteFile(filepath.Join(dir, statesFile), nil, 0o600))
	})
	if err != nil || same != plain {
		t.Error("the record counts:", err)
	}
}

func TestEXT01_LinksThatLeadOutAreRefused(t *testing.T) {
	outside := t.TempDir()
	for target, out := range map[string]bool{
		"x": false, "b/../x": false, "none": false, "../y": false,
		"../../x": true, "../../../../../../etc/passwd": true, outside: true, "/etc/passwd": true, "b/../../../x": true, "loop": true,
	} {
		t.Run(target, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o700))
			must(t, os.WriteFile(filepath.Join(dir, "a", "x"), nil, 0o600))
			must(t, os.WriteFile(filepath.Join(dir, "y"), nil, 0o600))
			sandboxtest.Link(t, filepath.FromSlash(target), filepath.Join(dir, "a", "loop"))
			if _, err := hashTree(t.Context(), dir); (err != nil) != out || (out && !strings.Contains(err.Error(), "link that leads out")) {
				t.Error(err)
			}
		})
	}
}
