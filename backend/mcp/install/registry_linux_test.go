package install

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fairlead/backend/process"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/sandboxtest"
)

// pack is a package in a registry of a test.
type pack struct {
	name, version string
	// more are fields of its package.json, such as bin and dependencies.
	more map[string]any
	// files are further ones in its archive, by their names, and entries what is no file.
	files   map[string]string
	entries []tar.Header
	// silentScripts reports whether the registry keeps quiet about its install scripts.
	silentScripts bool
	// integrity, tarball and sent take the place of what is right.
	integrity, tarball string
	sent               []byte
}

// registry is one of npm's, on the loopback.
type registry struct {
	*httptest.Server
	mu       sync.Mutex
	packages map[string]map[string]pack
	requests []string
}

// serve serves packages, and sets npm up for them in a home of the test's own, with a token.
func serve(t *testing.T, packages ...pack) *registry {
	t.Helper()
	if _, found := process.Find("npm"); !found {
		t.Skip("this system has no npm")
	}
	r := &registry{packages: map[string]map[string]pack{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	for _, p := range packages {
		r.add(p)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	must(t, os.WriteFile(filepath.Join(home, ".npmrc"), []byte("registry="+r.URL+"/\n//other.example.test/:_authToken=secret-of-the-user\n"), 0o600))
	return r
}

// add adds a package, or a version of one, which becomes the newest.
func (r *registry) add(p pack) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.packages[p.name] == nil {
		r.packages[p.name] = map[string]pack{}
	}
	r.packages[p.name][p.version] = p
	r.packages[p.name]["latest"] = p
}

func (r *registry) asked() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string{}, r.requests...)
}

func (r *registry) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := strings.TrimPrefix(request.URL.Path, "/")
	r.requests = append(r.requests, name)
	if before, version, is := strings.Cut(name, "/-/"); is {
		if p, found := r.packages[before][strings.TrimSuffix(version, ".tgz")]; found {
			w.Write(p.archive())
			return
		}
	}
	versions := r.packages[name]
	if versions == nil {
		http.NotFound(w, request)
		return
	}
	described := map[string]any{}
	for version, p := range versions {
		if version != "latest" {
			described[version] = p.describe(r.URL)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"name": name, "dist-tags": map[string]string{"latest": versions["latest"].version}, "versions": described,
	})
}

// manifest is its package.json.
func (p pack) manifest() map[string]any {
	all := map[string]any{"name": p.name, "version": p.version}
	maps.Copy(all, p.more)
	return all
}

// describe is what the registry says of it.
func (p pack) describe(address string) map[string]any {
	all := p.manifest()
	sum := sha512.Sum512(p.right())
	dist := map[string]any{
		"tarball":   address + "/" + p.name + "/-/" + p.version + ".tgz",
		"integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]), "unpackedSize": 1234,
	}
	if p.integrity != "" {
		dist["integrity"] = p.integrity
	}
	if p.tarball != "" {
		dist["tarball"] = p.tarball
	}
	all["dist"] = dist
	if p.silentScripts {
		delete(all, "scripts")
	} else if _, has := all["scripts"]; has {
		all["hasInstallScript"] = true
	}
	return all
}

// archive is what is sent for it.
func (p pack) archive() []byte {
	if p.sent != nil {
		return p.sent
	}
	return p.right()
}

// right is its archive, as npm packs one.
func (p pack) right() []byte {
	var packed bytes.Buffer
	compressed := gzip.NewWriter(&packed)
	archive := tar.NewWriter(compressed)
	manifest, err := json.Marshal(p.manifest())
	if err != nil {
		panic(err)
	}
	files := map[string]string{"package/package.json": string(manifest)}
	for name, text := range p.files {
		files["package/"+name] = text
	}
	for _, name := range sortedSet(keysOf(files)) {
		text := files[name]
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			panic(err)
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			panic(err)
		}
	}
	for _, header := range p.entries {
		text := header.Linkname
		if header.Typeflag == tar.TypeReg {
			header.Linkname, header.Size = "", int64(len(text))
		}
		if err := archive.WriteHeader(&header); err != nil {
			panic(err)
		}
		if header.Typeflag == tar.TypeReg {
			if _, err := archive.Write([]byte(text)); err != nil {
				panic(err)
			}
		}
	}
	if err := archive.Close(); err != nil {
		panic(err)
	}
	if err := compressed.Close(); err != nil {
		panic(err)
	}
	return packed.Bytes()
}

func keysOf(all map[string]string) []string {
	var keys []string
	for key := range all {
		keys = append(keys, key)
	}
	return keys
}

// server is a package with a program that prints a line.
func server(more map[string]any) pack {
	all := map[string]any{"bin": map[string]any{"server": "main.js"}}
	maps.Copy(all, more)
	return pack{name: "server", version: "1.0.0", more: all, files: map[string]string{
		"main.js": "#!/usr/bin/env node\nconsole.log('started', require('fs').readdirSync(__dirname).join(), process.argv.slice(2).join())\n",
	}}
}

// full confines at level full.
var full = sync.OnceValue(func() *sandbox.System {
	return sandbox.InspectWithout(context.Background(), sandboxtest.Program("fairlead"), sandbox.Without{})
})

// newInstaller returns one whose commands are confined, and the folder of its data, which is hidden from them
// as Fairlead's own is.
func newInstaller(t *testing.T) (*Installer, string) {
	t.Helper()
	sandboxtest.NeedsFull(t)
	data, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.WriteFile(filepath.Join(data, "secret"), []byte("of Fairlead"), 0o600))
	confined := Confined{System: full(), Place: sandbox.Place{
		Private: filepath.Join(data, "private"), Home: os.Getenv("HOME"), Hide: []string{data}, Read: sandbox.ToolChains(os.Getenv("HOME")),
	}}
	return New(Options{Dir: filepath.Join(data, "servers"), Run: confined.Run}), data
}

// resolve resolves npx -y PACKAGE.
func resolve(t *testing.T, i *Installer, line string) Offer {
	t.Helper()
	offer, err := tryResolve(t, i, line)
	must(t, err)
	return offer
}

func tryResolve(t *testing.T, i *Installer, line string) (Offer, error) {
	t.Helper()
	words := strings.Fields(line)
	request, is, err := Recognise(words[0], words[1:])
	if err != nil || !is {
		t.Fatal(is, err)
	}
	return i.Resolve(t.Context(), request)
}

// run starts a program of an install confined to a workspace, without the network.
func run(t *testing.T, in Installed, args ...string) string {
	t.Helper()
	start, err := in.Command(args)
	must(t, err)
	workspace, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	line, err := commandLine(start.Argv, false)
	must(t, err)
	space, err := full().Open(sandbox.Place{Workspace: workspace, Private: filepath.Join(t.TempDir(), "private"), Home: os.Getenv("HOME"), Read: []string{in.Dir}})
	must(t, err)
	defer space.Close()
	exit, err := process.Run(t.Context(), process.Command{Line: line, Dir: workspace, Space: space})
	must(t, err)
	return exit.Text.Head
}

// left lists what is in the folder of installs.
func left(t *testing.T, i *Installer) []string {
	t.Helper()
	entries, err := os.ReadDir(i.options.Dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
