package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEXT01_AServerIsInstalledAndStartsWithoutTheNetwork(t *testing.T) {
	r := serve(t, server(map[string]any{"dependencies": map[string]string{"leaf": "^1.0.0"}}), pack{name: "leaf", version: "1.2.0"})
	i, _ := newInstaller(t)
	offer := resolve(t, i, "npx -y server@latest a b")
	want := []Package{{"server", "1.0.0"}}
	if diff := cmp.Diff(want, offer.Packages); diff != "" || offer.Count != 2 || offer.Bytes != 1234 || !strings.HasPrefix(offer.Integrity, "sha512-") ||
		offer.Registry != r.URL+"/" || len(offer.OtherHosts) != 0 || len(offer.Scripts) != 0 {
		t.Fatalf("%s %+v", diff, offer)
	}
	for _, asked := range r.asked() {
		if strings.Contains(asked, ".tgz") {
			t.Error("a package was fetched before the yes:", asked)
		}
	}
	in, err := i.Install(t.Context(), offer, false)
	must(t, err)
	if in.Version != "1.0.0" || in.Integrity != offer.Integrity || in.LockHash != offer.LockHash() || in.Files < 5 || in.Scripts || in.TreeHash == "" {
		t.Errorf("%+v", in)
	}
	if diff := cmp.Diff([]string{in.Name}, left(t, i)); diff != "" || !strings.HasPrefix(in.Name, "server-1.0.0-") {
		t.Error(diff)
	}
	must(t, in.Verify(t.Context()))
	r.Close()
	if got := run(t, in, "x", "y z"); got != "started main.js,package.json x,y z\n" {
		t.Errorf("%q", got)
	}
	listed, err := i.List()
	must(t, err)
	if diff := cmp.Diff([]Installed{in}, listed); diff != "" {
		t.Error(diff)
	}
	again, err := i.Install(t.Context(), offer, false)
	must(t, err)
	if diff := cmp.Diff(in, again); diff != "" {
		t.Error("it was not found again: ", diff)
	}
	must(t, i.Remove(t.Context(), in.Name))
	if names := left(t, i); len(names) != 0 {
		t.Error("left:", names)
	}
	if _, err := i.Open(in.Name); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestEXT01_NPMsTokensAreNotRead(t *testing.T) {
	reads := `const fs = require('fs'), os = require('os'), out = []
for (const f of [os.homedir() + '/.npmrc', process.env.npm_config_userconfig, '` + "DATA" + `/secret', '/etc/shadow', '/root/.npmrc'])
  try { out.push(fs.readFileSync(f, 'utf8')) } catch { }
fs.writeFileSync('found', JSON.stringify([out, process.env]))
try { fs.writeFileSync('DATA/outside', 'x') } catch { }
try { fs.writeFileSync(os.homedir() + '/outside', 'x') } catch { }
`
	r := serve(t)
	i, data := newInstaller(t)
	p := server(map[string]any{"scripts": map[string]string{"postinstall": "node spy.js"}})
	p.files["spy.js"] = strings.ReplaceAll(reads, "DATA", data)
	r.add(p)
	offer := resolve(t, i, "npx server")
	if diff := cmp.Diff([]string{"server@1.0.0"}, offer.Scripts); diff != "" {
		t.Fatal(diff)
	}
	without, err := i.Install(t.Context(), offer, false)
	must(t, err)
	if _, err := os.Stat(filepath.Join(without.Dir, "node_modules/server/found")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an install script ran without a yes:", err)
	}
	with, err := i.Install(t.Context(), offer, true)
	must(t, err)
	if with.Name == without.Name || !with.Scripts {
		t.Errorf("%+v", with)
	}
	found, err := os.ReadFile(filepath.Join(with.Dir, "node_modules/server/found"))
	must(t, err)
	if !strings.HasPrefix(string(found), "[[],") || strings.Contains(string(found), "secret-of-the-user") {
		t.Errorf("it has read %s", found)
	}
	for _, name := range []string{filepath.Join(data, "outside"), filepath.Join(os.Getenv("HOME"), "outside")} {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Error("it has written", name)
		}
	}
}

func TestEXT01_TwoThatInstallTheSameGetOne(t *testing.T) {
	r := serve(t, server(nil))
	one, data := newInstaller(t)
	two := New(Options{Dir: filepath.Join(data, "servers"), Run: one.options.Run})
	offer := resolve(t, one, "npx server")
	before := len(r.asked())
	var both [2]Installed
	var failed [2]error
	var group sync.WaitGroup
	for n, i := range []*Installer{one, two} {
		group.Go(func() { both[n], failed[n] = i.Install(t.Context(), offer, false) })
	}
	group.Wait()
	must(t, errors.Join(failed[:]...))
	if diff := cmp.Diff(both[0], both[1]); diff != "" {
		t.Error(diff)
	}
	if asked := r.asked()[before:]; len(asked) != 1 {
		t.Error("it was fetched more than once:", asked)
	}
	if names := left(t, one); len(names) != 1 {
		t.Error(names)
	}
}

func TestEXT01_WhatIsNotWholeIsSwept(t *testing.T) {
	serve(t, server(nil))
	i, _ := newInstaller(t)
	in, err := i.Install(t.Context(), resolve(t, i, "npx server"), false)
	must(t, err)
	// As a process that was killed leaves it.
	killed := filepath.Join(i.options.Dir, stagePrefix+"killed")
	must(t, os.MkdirAll(filepath.Join(killed, "package", "locked"), 0o700))
	must(t, os.WriteFile(killed+heldSuffix, nil, 0o600))
	must(t, os.WriteFile(filepath.Join(i.options.Dir, turnPrefix+"killed"), nil, 0o600))
	outside := filepath.Join(t.TempDir(), "kept")
	must(t, os.WriteFile(outside, nil, 0o600))
	must(t, os.Symlink(filepath.Dir(outside), filepath.Join(killed, "package", "link")))
	must(t, os.Chmod(filepath.Join(killed, "package", "locked"), 0))
	used, err := i.newStage()
	must(t, err)
	must(t, i.Sweep())
	want := []string{filepath.Base(used.dir), filepath.Base(used.dir) + heldSuffix, in.Name}
	if diff := cmp.Diff(want, left(t, i)); diff != "" {
		t.Error(diff)
	}
	used.remove()
	if _, err := os.Stat(outside); err != nil {
		t.Error("what a link leads to was deleted:", err)
	}
	must(t, in.Verify(t.Context()))
}

func TestEXT01_WhatChangedIsNotStarted(t *testing.T) {
	serve(t, server(nil))
	i, _ := newInstaller(t)
	in, err := i.Install(t.Context(), resolve(t, i, "npx server"), false)
	must(t, err)
	file := filepath.Join(in.Dir, "node_modules/server/main.js")
	text, err := os.ReadFile(file)
	must(t, err)
	info, err := os.Stat(file)
	must(t, err)
	other := []byte(strings.Replace(string(text), "started", "STARTED", 1))
	changes := map[string]func(){
		"content": func() { must(t, os.WriteFile(file, other, 0o600)) },
		"same time": func() {
			must(t, os.WriteFile(file, other, 0o600))
			must(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
		},
		"another file":   func() { must(t, os.WriteFile(filepath.Join(in.Dir, "node_modules/more.js"), nil, 0o600)) },
		"another folder": func() { must(t, os.Mkdir(filepath.Join(in.Dir, "node_modules/more.js"), 0o700)) },
		"a file less":    func() { must(t, os.Remove(file)) },
		"link out":       func() { must(t, os.Remove(file)); must(t, os.Symlink("/etc/passwd", file)) },
		"lock file":      func() { must(t, os.WriteFile(filepath.Join(in.Dir, lockFile), []byte("{}"), 0o600)) },
	}
	lock, err := os.ReadFile(filepath.Join(in.Dir, lockFile))
	must(t, err)
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			change()
			if err := in.Verify(t.Context()); !errors.Is(err, ErrChanged) || !strings.Contains(err.Error(), "remove it and install it again") {
				t.Error(err)
			}
			must(t, os.RemoveAll(filepath.Join(in.Dir, "node_modules/more.js")))
			must(t, os.RemoveAll(file))
			must(t, os.WriteFile(file, text, 0o600))
			must(t, os.Chmod(file, info.Mode()))
			must(t, os.WriteFile(filepath.Join(in.Dir, lockFile), lock, 0o600))
			must(t, in.Verify(t.Context())) // as it was, though its times are others
		})
	}
}
