package registry_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/message"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const work = "/home/ada/work"

// newRegistry returns a registry without servers, and its folder.
func newRegistry(t *testing.T) (*registry.Registry, string) {
	t.Helper()
	dir := t.TempDir()
	return registry.New(filepath.Join(dir, "config"), filepath.Join(dir, "state")), dir
}

// notes is a server that is a program, and pin a set of its tools.
func notes() registry.Server {
	return registry.Server{
		Definition: mcp.Definition{Name: "notes", Kind: mcp.KindStdio, Command: "notes-server", Args: []string{"."}, Variables: []string{"TOKEN"}},
		Install:    "notes-1.0.0",
	}
}

func pin(name string) *mcp.Pin {
	return &mcp.Pin{Hash: "hash-of-" + name, Tools: []mcp.Tool{{Name: name, Input: []byte(`{"type":"object"}`), Hash: name}}}
}

func put(t *testing.T, r *registry.Registry, servers ...registry.Server) {
	t.Helper()
	for _, s := range servers {
		if err := r.Put(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
}

// agreed are the servers that are agreed to for a workspace, with their tools.
func agreed(t *testing.T, r *registry.Registry, workspace string) (all []string) {
	t.Helper()
	found, err := r.Agreed(workspace)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range found {
		tools := "nothing"
		if a.Pin != nil {
			tools = a.Pin.Hash
		}
		all = append(all, fmt.Sprint(a.Name, " ", a.Grant, ", ", tools))
	}
	return all
}

func TestEXT01_AgreementsAreToAServerAsItIs(t *testing.T) {
	r, _ := newRegistry(t)
	put(t, r, notes(), registry.Server{Definition: mcp.Definition{Name: "docs", Kind: mcp.KindHTTP, URL: "https://docs.example.org/mcp"}})
	grant := mcp.Grant{Folder: mcp.FolderRead, Variables: []string{"TOKEN"}}
	for _, agree := range []struct {
		workspace, name string
		grant           mcp.Grant
		pin             *mcp.Pin
	}{{work, "notes", grant, pin("a")}, {work, "docs", mcp.Grant{}, nil}, {"/home/ada/other", "notes", mcp.Grant{}, pin("b")}} {
		if err := r.Agree(t.Context(), agree.workspace, agree.name, agree.grant, agree.pin); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{fmt.Sprint("docs ", mcp.Grant{}, ", nothing"), fmt.Sprint("notes ", grant, ", hash-of-a")}
	if diff := cmp.Diff(want, agreed(t, r, work)); diff != "" {
		t.Errorf("agreed (-want +got):\n%s", diff)
	}
	if got := agreed(t, r, "/home/ada"); got != nil {
		t.Errorf("in a folder above: %v", got)
	}
	for name, change := range map[string]func(*registry.Server){
		"an argument": func(s *registry.Server) { s.Args = []string{".."} },
		"an install":  func(s *registry.Server) { s.Install = "notes-1.0.1" },
		"a variable":  func(s *registry.Server) { s.Variables = append(s.Variables, "ZONE") },
	} {
		changed := notes()
		change(&changed)
		put(t, r, changed)
		if got := agreed(t, r, work); len(got) != 1 {
			t.Errorf("%s changed, agreed are %v", name, got)
		}
	}
	put(t, r, notes()) // as it was
	if diff := cmp.Diff(want, agreed(t, r, work)); diff != "" {
		t.Errorf("the server is as it was (-want +got):\n%s", diff)
	}
	if err := r.Revoke(t.Context(), work, "notes"); err != nil {
		t.Fatal(err)
	}
	if got := agreed(t, r, work); len(got) != 1 || len(agreed(t, r, "/home/ada/other")) != 1 {
		t.Errorf("taken back: %v", got)
	}
}

func TestEXT01_WhatIsRemovedIsForgotten(t *testing.T) {
	r, dir := newRegistry(t)
	put(t, r, notes())
	before := r.Stamp()
	if err := r.Agree(t.Context(), work, "notes", mcp.Grant{}, pin("a")); err != nil {
		t.Fatal(err)
	}
	if r.Stamp() == before {
		t.Error("the stamp is the same after an agreement")
	}
	if err := r.Remove(t.Context(), "notes"); err != nil {
		t.Fatal(err)
	}
	put(t, r, notes())
	if got := agreed(t, r, work); got != nil {
		t.Errorf("agreed to after it was removed: %v", got)
	}
	left, err := os.ReadDir(filepath.Join(dir, "state", "server-tools"))
	if err != nil || len(left) > 0 {
		t.Errorf("sets of tools are left: %v, %v", left, err)
	}
	var refusal *message.Refusal
	if err := r.Remove(t.Context(), "none"); !errors.As(err, &refusal) || refusal.Code != message.NotFound {
		t.Errorf("a server that is not there: %v", err)
	}
}

func TestEXT01_TheUserMayWriteTheFile(t *testing.T) {
	r, _ := newRegistry(t)
	write := func(text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(r.Path()), 0o700), os.WriteFile(r.Path(), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"servers":{"b":{"command":"b-server","variables":["Z","A"]},"a":{"url":"https://a.example.org/mcp"}}}`)
	servers, err := r.Servers()
	if err != nil || len(servers) != 2 || servers[0].Kind != mcp.KindHTTP || servers[1].Variables[0] != "A" {
		t.Errorf("%+v, %v", servers, err)
	}
	for text, says := range map[string]string{
		`{"servers":{"b":{"comand":"b"}}}`:         "comand",
		`{"servers":{"B b":{"command":"b"}}}`:      "name",
		`{"servers":{"b":{"command":"docker"}}}`:   "docker",
		`{"servers":`:                              "mend it with an editor",
		strings.Repeat(" ", 17<<20):                "16 MiB",
		`{"servers":{"b":{"url":"ftp://x.org/"}}}`: "address",
	} {
		write(text)
		if _, err := r.Servers(); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), r.Path()) {
			t.Errorf("%.40s: %v", text, err)
		}
		if err := r.Put(t.Context(), notes()); err == nil {
			t.Errorf("%.40s: it is written over", text)
		}
	}
}

func TestEXT01_NothingThatIsAddedAtOnceIsLost(t *testing.T) {
	r, _ := newRegistry(t)
	var adding sync.WaitGroup
	for i := range 20 {
		adding.Go(func() {
			s := notes()
			s.Name = fmt.Sprint("s", i)
			if err := errors.Join(r.Put(t.Context(), s), r.Agree(t.Context(), work, s.Name, mcp.Grant{}, pin(s.Name))); err != nil {
				t.Error(err)
			}
		})
	}
	adding.Wait()
	if got := agreed(t, r, work); len(got) != 20 {
		t.Errorf("of 20 there are %v", got)
	}
}

func TestEXT02_ToolsThatAreNotThoseOfTheHashAreNone(t *testing.T) {
	r, dir := newRegistry(t)
	put(t, r, notes())
	if err := r.Agree(t.Context(), work, "notes", mcp.Grant{}, pin("a")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "state", "server-tools", "hash-of-a.json")
	if err := os.WriteFile(path, []byte(`{"hash":"hash-of-b","tools":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := agreed(t, r, work); len(got) != 1 || !strings.HasSuffix(got[0], ", nothing") {
		t.Errorf("agreed: %v", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := agreed(t, r, work); len(got) != 1 || !strings.HasSuffix(got[0], ", nothing") {
		t.Errorf("agreed: %v", got)
	}
}
