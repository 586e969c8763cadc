package host

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/message"
	"fairlead/backend/sandbox"
	"fairlead/backend/secret"
)

// newHost returns a host on a system of a level, with the server notes, which a workspace lets
// reach a host, and the server plain, which has no network.
func newHost(t *testing.T, level message.Level, workspace string) *Host {
	t.Helper()
	h := New(Options{
		Registry: registry.New(t.TempDir(), t.TempDir()), Values: NewValues(secret.NewKeys()), Redactor: &secret.Redactor{},
		Confinement: func() *sandbox.System { return &sandbox.System{Level: level} }, Log: slog.New(slog.DiscardHandler),
	})
	for name, hosts := range map[string][]mcp.Host{"notes": {{Name: "api.example.org", Port: 443}}, "plain": nil} {
		// It is not there, so nothing is run.
		definition := mcp.Definition{Name: name, Kind: mcp.KindStdio, Command: "no-such-program-anywhere"}
		if _, err := h.Add(t.Context(), Addition{Definition: definition}); err != nil {
			t.Fatal(err)
		}
		if err := h.Grant(t.Context(), workspace, name, mcp.Grant{Hosts: hosts}); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// TestEXT01_EachStartAsksWhereHostsAreNotHeld tries starts below Full: none passes without a yes of
// its own.
func TestEXT01_EachStartAsksWhereHostsAreNotHeld(t *testing.T) {
	w := newHost(t, message.LevelLimited, "/home/ada/ws").Open("/home/ada/ws")
	defer w.Close()
	asking, err := w.AsksAtStart()
	if err != nil || !slices.Equal(asking, []string{"notes"}) {
		t.Fatalf("asking: %q, %v", asking, err)
	}
	if state := w.Servers.Server("notes").Status().State; state != mcp.StateConfigured {
		t.Errorf("before a yes it is %s", state)
	}
	const refused, begun = "nobody agreed to this one", "was not found in PATH"
	for i, want := range []string{refused, begun, refused} {
		if want == begun {
			w.LetStart("notes")
		}
		status, err := w.Try(t.Context(), "notes")
		if err != nil || !strings.Contains(status.Reason, want) {
			t.Errorf("start %d: %q, %v", i, status.Reason, err)
		}
	}
	if status, err := w.Try(t.Context(), "plain"); err != nil || !strings.Contains(status.Reason, begun) {
		t.Errorf("one without hosts: %q, %v", status.Reason, err)
	}
}

func TestEXT01_NoStartAsksWhereHostsAreHeld(t *testing.T) {
	w := newHost(t, message.LevelFull, "/home/ada/ws").Open("/home/ada/ws")
	defer w.Close()
	if asking, err := w.AsksAtStart(); err != nil || len(asking) > 0 {
		t.Errorf("asking: %q, %v", asking, err)
	}
}
