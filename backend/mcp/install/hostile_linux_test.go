package install

import (
	"archive/tar"
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// nothingCame checks that nothing was installed and nothing is left of it.
func nothingCame(t *testing.T, i *Installer) {
	t.Helper()
	if names := left(t, i); len(names) != 0 {
		t.Error("left:", names)
	}
}

// refused checks that an error is one sentence of ours with these words.
func refused(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) || strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 700 {
		t.Errorf("want %q in %q", words, err)
	}
}

func TestEXT01_WhatIsInAnArchiveStaysInItsFolder(t *testing.T) {
	outside := t.TempDir()
	p := server(nil)
	p.entries = []tar.Header{
		{Name: "package/../../../../escaped", Typeflag: tar.TypeReg, Mode: 0o644, Linkname: "x"},
		{Name: filepath.Join(outside, "absolute"), Typeflag: tar.TypeReg, Mode: 0o644, Linkname: "x"},
		{Name: "package/out", Typeflag: tar.TypeSymlink, Linkname: "../../../.."},
		{Name: "package/out/through", Typeflag: tar.TypeReg, Mode: 0o644, Linkname: "x"},
		{Name: "package/etc", Typeflag: tar.TypeSymlink, Linkname: "/etc"},
		{Name: "package/passwd", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"},
		{Name: "package/pipe", Typeflag: tar.TypeFifo, Mode: 0o644},
		{Name: "package/set", Typeflag: tar.TypeReg, Mode: 0o4755, Linkname: "x"},
	}
	serve(t, p)
	i, data := newInstaller(t)
	in, err := i.Install(t.Context(), resolve(t, i, "npx server"), false)
	must(t, err)
	must(t, filepath.WalkDir(in.Dir, func(name string, e fs.DirEntry, err error) error {
		if info, _ := e.Info(); !e.IsDir() && !info.Mode().IsRegular() && !strings.Contains(name, "/.bin/") {
			t.Error(name, info.Mode())
		}
		return err
	}))
	must(t, filepath.WalkDir(data, func(name string, _ fs.DirEntry, err error) error {
		if base := filepath.Base(name); (base == "escaped" || base == "through") && !strings.HasPrefix(name, in.Dir+"/") {
			t.Error(name)
		}
		return err
	}))
	if entries, _ := os.ReadDir(outside); len(entries) != 0 {
		t.Error(entries)
	}
}

func TestEXT01_ScriptsThatWereNotShownDoNotRun(t *testing.T) {
	script := func(name, file string) pack {
		return pack{name: name, version: "1.0.0", more: map[string]any{"scripts": map[string]string{"postinstall": "touch ../" + file}}}
	}
	silent, elsewhere := script("silent", "ran-hidden"), script("elsewhere", "ran-hidden")
	silent.silentScripts, elsewhere.more["os"] = true, []string{"darwin"}
	serve(t, silent, elsewhere, script("hidden", "ran-hidden"), server(map[string]any{
		"optionalDependencies": map[string]string{"elsewhere": "*"}, "dependencies": map[string]string{"hidden": "*", "silent": "*"},
		"scripts": map[string]string{"postinstall": "touch ../ran-shown"},
	}))
	i, _ := newInstaller(t)
	offer := resolve(t, i, "npx server")
	if diff := cmp.Diff([]string{"hidden@1.0.0", "server@1.0.0"}, offer.Scripts); diff != "" {
		t.Fatal(diff)
	}
	offer.Scripts = offer.Scripts[1:]
	_, err := i.Install(t.Context(), offer, true)
	refused(t, err, "shows something else than its lock file has")
	// As if one had come along all the same.
	stage, err := i.newStage()
	must(t, err)
	defer stage.remove()
	_, err = i.fetchOffer(t.Context(), stage, offer, true)
	must(t, err)
	if _, err := os.Stat(filepath.Join(stage.folder(), "node_modules/ran-shown")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(stage.folder(), "node_modules/ran-hidden")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it ran:", err)
	}
}

func TestEXT01_WhatChangesAfterTheOfferIsRefused(t *testing.T) {
	for name, change := range map[string]func(p *pack){
		"version is published again": func(p *pack) { p.files["main.js"] += "// and more\n" },
		"archive is not what it was": func(p *pack) { p.sent = []byte("something else") },
	} {
		t.Run(name, func(t *testing.T) {
			r := serve(t, server(nil))
			i, _ := newInstaller(t)
			offer := resolve(t, i, "npx server")
			p := server(nil)
			change(&p)
			r.add(p)
			_, err := i.Install(t.Context(), offer, false)
			refused(t, err, "another hash than the one that was shown")
			nothingCame(t, i)
		})
	}
	t.Run("newer version", func(t *testing.T) {
		r := serve(t, server(nil))
		i, _ := newInstaller(t)
		offer := resolve(t, i, "npx server")
		p := server(nil)
		p.version = "1.1.0"
		r.add(p)
		in, err := i.Install(t.Context(), offer, false)
		must(t, err)
		if in.Version != "1.0.0" {
			t.Error(in.Version)
		}
	})
	t.Run("offer", func(t *testing.T) {
		serve(t, server(nil))
		i, _ := newInstaller(t)
		offer := resolve(t, i, "npx server")
		altered := offer
		altered.Lock = []byte(strings.Replace(string(offer.Lock), "sha512-", "sha512-AAAA", 1))
		_, err := i.Install(t.Context(), altered, false)
		refused(t, err, "SHA-256 or longer")
		altered = offer
		altered.Packages = []Package{{"server", "2.0.0"}}
		_, err = i.Install(t.Context(), altered, false)
		refused(t, err, "shows something else")
		altered = offer
		altered.Manifest = []byte(strings.Replace(string(offer.Manifest), "1.0.0", "2.0.0", 1))
		_, err = i.Install(t.Context(), altered, false)
		refused(t, err, "another version of server")
	})
}

func TestEXT01_ARegistryThatNeverAnswersEndsInItsTime(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	r := serve(t, server(nil))
	i, _ := newInstaller(t)
	offer := resolve(t, i, "npx server")
	r.Config.Handler = silent.Config.Handler
	i.time = 2 * time.Second
	_, err := i.Install(t.Context(), offer, false)
	refused(t, err, "had no answer from "+r.URL)
	_, err = tryResolve(t, i, "npx server")
	refused(t, err, "had no answer from "+r.URL)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := i.Install(ctx, offer, false); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	nothingCame(t, i)
}

func TestEXT01_NPMUsesNoOtherSettings(t *testing.T) {
	var listener net.ListenConfig
	socket, err := listener.Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer socket.Close()
	serve(t, server(map[string]any{"scripts": map[string]string{"install": "touch ran"}}))
	settings := filepath.Join(os.Getenv("HOME"), ".npmrc")
	text, err := os.ReadFile(settings)
	must(t, err)
	must(t, os.WriteFile(settings, append(text, "ignore-scripts=false\nproxy=http://"+socket.Addr().String()+"\n"...), 0o600))
	i, _ := newInstaller(t)
	in, err := i.Install(t.Context(), resolve(t, i, "npx server"), false)
	must(t, err)
	if _, err := os.Stat(filepath.Join(in.Dir, "node_modules/server/ran")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it ran:", err)
	}
}

func TestEXT01_ScriptsLeaveNothingThatLeadsOut(t *testing.T) {
	r := serve(t)
	i, _ := newInstaller(t)
	for version, test := range map[string]struct{ script, want string }{
		"1.0.0": {"ln -s ../../../.. out", "link that leads out"},
		"2.0.0": {"echo {} >../../package-lock.json", "lock file is no longer the one"},
		"3.0.0": {"exit 3", "run the install scripts of server@3.0.0"},
		"4.0.0": {"truncate -s 3G large; sleep 100", "npm was ended, because it takes too much: more than 1024 MiB"},
		"5.0.0": {"truncate -s 1025M large", "it takes too much: more than 1024 MiB"},
	} {
		p := server(map[string]any{"scripts": map[string]string{"install": test.script}})
		p.version = version
		r.add(p)
		_, err := i.Install(t.Context(), resolve(t, i, "npx server@"+version), true)
		refused(t, err, test.want)
		nothingCame(t, i)
	}
}

func TestEXT01_WhatARegistryCannotPinIsRefused(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(server(nil).right()) }))
	defer other.Close()
	needs := func(name, what, on string) pack {
		return pack{name: name, version: "1.0.0", more: map[string]any{"dependencies": map[string]string{what: on}}}
	}
	weak, moved := pack{name: "weak", version: "1.0.0"}, pack{name: "moved", version: "1.0.0"}
	weak.integrity, moved.tarball = "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", other.URL+"/moved.tgz"
	serve(t, weak, moved, needs("git", "x", "git+https://example.test/x.git"), needs("site", "x", other.URL+"/x.tgz"), needs("file", "x", "file:../../../../etc"),
		needs("colours", "\x1b[31mred", "1"))
	i, _ := newInstaller(t)
	for name, want := range map[string]string{
		"weak": "SHA-256 or longer", "git": "not from a registry", "site": "not from a registry", "file": "not from a registry",
		"missing": "no such package or version", "colours": "npm failed with",
	} {
		_, err := tryResolve(t, i, "npx "+name)
		refused(t, err, want)
		nothingCame(t, i)
	}
	offer := resolve(t, i, "npx moved@^1.0.0")
	if diff := cmp.Diff([]string{other.Listener.Addr().String()}, offer.OtherHosts); diff != "" {
		t.Error(diff)
	}
}

func TestEXT01_ARedirectIsFollowedAndTheHashHolds(t *testing.T) {
	p := server(nil)
	asked := make(chan string, 10)
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		w.Write(p.archive())
	}))
	defer private.Close()
	r := serve(t, p)
	i, _ := newInstaller(t)
	offer := resolve(t, i, "npx server")
	r.Config.Handler = http.RedirectHandler(private.URL+"/admin", http.StatusFound)
	in, err := i.Install(t.Context(), offer, false)
	must(t, err)
	if got := <-asked; got != "/admin" || in.Integrity != offer.Integrity {
		t.Errorf("%s %+v", got, in)
	}
}
