package desktop_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/mcp"
	"fairlead/backend/message"
)

// readText reads a text with servers as the page does.
func (s *stage) readText(text desktop.ServerText) (found desktop.FoundServers, raw string) {
	s.t.Helper()
	body, err := json.Marshal(text)
	if err != nil {
		s.t.Fatal(err)
	}
	answer := s.serve(httptest.NewRequest(http.MethodPost, "/fairlead/servers/text", strings.NewReader(string(body))))
	if answer.Code != http.StatusOK {
		return found, answer.Body.String()
	}
	raw = answer.Body.String()
	if err := json.Unmarshal([]byte(raw), &found); err != nil {
		s.t.Fatal(err)
	}
	return found, raw
}

// server is the only server, as the page shows it; without one, that is the zero value.
func (s *stage) server() desktop.Server {
	s.t.Helper()
	var list desktop.ServerList
	s.read("/fairlead/servers", &list)
	if len(list.Servers) == 0 {
		return desktop.Server{}
	}
	return list.Servers[0]
}

func TestEXT01_OnlyWhatWasShownIsAdded(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	servers := service[*desktop.Servers](s)
	program := filepath.Join(t.TempDir(), "none")
	found, raw := s.readText(desktop.ServerText{Command: program + ` --title "two words" ''`, Name: "notes"})
	if len(found.Servers) != 1 || !strings.HasSuffix(found.Servers[0].Runs, `--title 'two words' ''`) {
		t.Fatalf("read: %s", raw)
	}
	good := desktop.AddedServer{ID: found.ID, Name: "notes", Hash: found.Servers[0].Hash}
	for want, change := range map[message.RefusalCode][]func(*desktop.AddedServer){
		message.InvalidState: {
			func(a *desktop.AddedServer) { a.ID = "0" },
			func(a *desktop.AddedServer) { a.Name = "other" },
			func(a *desktop.AddedServer) { a.Hash = strings.Repeat("0", 64) },
		},
		message.InvalidParams: {
			func(a *desktop.AddedServer) { a.Grant.Folder = "all" },
			func(a *desktop.AddedServer) { a.Grant.Hosts = []string{"*.example.org"} },
			func(a *desktop.AddedServer) { a.Grant.Hosts = []string{"127.0.0.1"} },
			func(a *desktop.AddedServer) { a.Grant.Variables = []string{"TOKEN"} },
			func(a *desktop.AddedServer) { a.Values = map[string]string{"TOKEN": "x"} },
		},
	} {
		for i, one := range change {
			added := good
			one(&added)
			if _, err := servers.Add(added); code(t, err) != desktop.Code(want) {
				t.Errorf("%s %d: %v", want, i, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(s.folders.Config, "servers.json")); err == nil {
		t.Error("something was added")
	}
	if _, err := servers.Add(good); err != nil {
		t.Fatal(err)
	}
	shown := s.server()
	if _, err := servers.Grant("notes", strings.Repeat("0", 64), desktop.ServerGrant{}); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("granted what was not shown: %v", err)
	}
	if _, err := servers.Grant("notes", shown.Hash, desktop.ServerGrant{Folder: mcp.FolderWrite, Hosts: []string{"API.example.org"}}); err != nil {
		t.Error(err)
	}
	if grant := s.server().Grant; grant == nil || grant.Folder != mcp.FolderWrite || strings.Join(grant.Hosts, " ") != "api.example.org:443" {
		t.Errorf("granted: %+v", grant)
	}
}

func TestEXT01_TextsThatNameNoServerSayWhy(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	for _, text := range []desktop.ServerText{
		{}, {JSON: "{"}, {Command: `run "this`, Name: "a"}, {Command: "  ", Name: "a"},
	} {
		if found, raw := s.readText(text); !strings.Contains(raw, "INVALID_PARAMS") {
			if len(found.Servers) != 1 || found.Servers[0].Refused == "" {
				t.Errorf("%+v: %s", text, raw)
			}
		}
	}
	found, raw := s.readText(desktop.ServerText{Command: "docker run -i mcp/notes", Name: "notes"})
	if len(found.Servers) != 1 || !strings.Contains(found.Servers[0].Refused, "docker") {
		t.Errorf("docker: %s", raw)
	}
	if _, err := service[*desktop.Servers](s).Add(desktop.AddedServer{ID: found.ID, Name: "notes", Hash: found.Servers[0].Hash}); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("a server that is refused was added: %v", err)
	}
}

// TestSEC02_AServerWithTheNetworkIsAskedAboutNatively has no script of the page let a server reach
// something, where dialogs are shown.
func TestSEC02_AServerWithTheNetworkIsAskedAboutNatively(t *testing.T) {
	h := newHand()
	s := open(t, "", h)
	s.ready()
	servers := service[*desktop.Servers](s)
	program := filepath.Join(t.TempDir(), "none")
	found, _ := s.readText(desktop.ServerText{Command: program, Name: "notes"})
	added := desktop.AddedServer{
		ID: found.ID, Name: "notes", Hash: found.Servers[0].Hash, Grant: desktop.ServerGrant{Hosts: []string{"api.example.org"}},
	}
	h.presses <- desktop.No
	if _, err := servers.Add(added); code(t, err) != desktop.Code(message.Rejected) {
		t.Errorf("added without a yes: %v", err)
	}
	if d := h.next(t); !strings.Contains(d.Text, program) || !strings.Contains(d.Text, "api.example.org:443") {
		t.Errorf("the dialog shows %q", d.Text)
	}
	if s.server().Name != "" {
		t.Error("it was added")
	}
	h.presses <- desktop.Yes
	if _, err := servers.Add(added); err != nil {
		t.Error(err)
	}
	h.next(t)
	if _, err := servers.Grant("notes", s.server().Hash, desktop.ServerGrant{}); err != nil || len(h.shown) > 0 {
		t.Errorf("a server without the network: %v, %d dialogs", err, len(h.shown))
	}
}

func TestEXT01_AnAddressNearbyIsNamedBeforeItIsAdded(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	for address, want := range map[string]bool{"http://127.0.0.1:1/mcp": true, "http://10.0.0.1/mcp": true, "https://203.0.113.7/mcp": false} {
		found, raw := s.readText(desktop.ServerText{Address: address, Name: "notes"})
		if len(found.Servers) != 1 || (found.Servers[0].Nearby != "") != want {
			t.Errorf("%s: %s", address, raw)
		}
	}
}
