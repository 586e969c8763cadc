package desktop_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/settings"
)

func TestEV06_NothingThePageIsSentIsLargerThan8KB(t *testing.T) {
	var odd strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&odd, "<&>\x01世%d", i)
	}
	long := odd.String()
	quoted, err := json.Marshal(long)
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	fmt.Fprintf(&script, "text %s\n", quoted)
	fmt.Fprintf(&script, "call wrong read_file {\"path\":\"big.txt\",\"nested\":{\"a\":[%s]}}\n", quoted)
	for i := range 10 {
		fmt.Fprintf(&script, "call c%d read_file {\"path\":\"big.txt\"}\n", i)
	}
	script.WriteString("---\ntext done\n")
	s := open(t, script.String(), nil)
	s.ready()
	if err := os.WriteFile(filepath.Join(s.folder, "big.txt"), []byte(strings.Repeat("line of text\n", 3000)), 0o600); err != nil {
		t.Fatal(err)
	}
	started := s.run(long)
	s.screen.await(t, "the end", ended)
	s.screen.mu.Lock()
	for _, size := range s.screen.sizes {
		if size > 8192 {
			t.Errorf("a message of %d bytes", size)
		}
	}
	s.screen.mu.Unlock()
	cut := 0
	var last int64
	for _, e := range s.screen.all() {
		if e.RunID != started.RunID {
			continue
		}
		if e.Seq != last+1 {
			t.Fatalf("seq %d after %d", e.Seq, last)
		}
		last = e.Seq
		if e.Ref == "" {
			continue
		}
		cut++
		var whole envelope
		s.read(e.Ref, &whole)
		if whole.Seq != e.Seq || whole.Type != e.Type || len(whole.Data) <= len(e.Data) || whole.Ref != "" {
			t.Errorf("%s gives %s %d with %d bytes for %d", e.Ref, whole.Type, whole.Seq, len(whole.Data), len(e.Data))
		}
	}
	if cut < 12 {
		t.Errorf("%d events were cut, want the prompt, the large call and the results", cut)
	}
	// What a reload reads: every event once, texts that the page joins whole.
	var all []envelope
	s.read("/fairlead/runs/"+started.RunID+"/events?after=0", &all)
	var text strings.Builder
	for i, e := range all {
		if i > 0 && e.Seq <= all[i-1].Seq {
			t.Fatalf("seq %d after %d", e.Seq, all[i-1].Seq)
		}
		if e.Type == event.TypeAssistantDelta {
			var delta event.AssistantDelta
			if err := json.Unmarshal(e.Data, &delta); err != nil || e.Ref != "" {
				t.Fatalf("a cut delta: %v %s", err, e.Ref)
			}
			text.WriteString(delta.Content)
		}
	}
	if all[len(all)-1].Seq != last || text.String() != long+"done" {
		t.Errorf("%d events of %d, text of %d bytes", len(all), last, text.Len())
	}
}

func TestARunFromTheWindow(t *testing.T) {
	s := open(t, `call c1 write_file {"path":"a.txt","content":"hello"}
---
text Done.`, nil)
	s.ready()
	started := s.run("write hello into a.txt")
	request := s.screen.await(t, "the question", ofType(event.TypeConfirmRequest))
	var asked event.ConfirmRequest
	if err := json.Unmarshal(request.Data, &asked); err != nil {
		t.Fatal(err)
	}
	answer := desktop.Answer{RunID: started.RunID, CallID: asked.CallID, Decision: message.Approve}
	if _, err := s.Confirm(answer); code(t, err) != desktop.Code(message.InvalidParams) {
		t.Errorf("an answer without a hash: %v", err)
	}
	answer.Hash = asked.Hash
	if _, err := s.Confirm(answer); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Confirm(answer); code(t, err) != desktop.Code(message.NotFound) {
		t.Errorf("a second answer: %v", err)
	}
	s.screen.await(t, "the end", ofType(event.TypeLifecycleEnd))
	if text, err := os.ReadFile(filepath.Join(s.folder, "a.txt")); err != nil || string(text) != "hello" {
		t.Errorf("a.txt: %q, %v", text, err)
	}
	state := s.state()
	if len(state.Runs) != 1 || state.Runs[0] != (desktop.RunState{RunID: started.RunID, Ended: true}) || state.SessionID != started.SessionID {
		t.Errorf("state: %+v", state)
	}
	if faults := s.model.Faults(); len(faults) > 0 {
		t.Error(faults)
	}
}

func TestTheWindowRefusesWithACode(t *testing.T) {
	s := open(t, "hang", nil)
	folders, models, sessions := service[*desktop.Folders](s), service[*desktop.Models](s), service[*desktop.Sessions](s)
	refused := func(what string, want desktop.Code, err error) {
		t.Helper()
		if got := code(t, err); got != want {
			t.Errorf("%s: %q, want %q (%v)", what, got, want, err)
		}
	}
	_, err := s.Run(desktop.Task{Prompt: "  \n"})
	refused("no task", desktop.CodeUsage, err)
	_, err = s.Run(desktop.Task{Prompt: "x"})
	refused("no folder", desktop.CodeNoFolder, err)
	_, err = folders.Open(filepath.Join(s.folder, "missing"))
	refused("no such folder", desktop.CodeFolderRefused, err)
	_, err = folders.Open(s.folders.Data)
	refused("own folder", desktop.CodeFolderRefused, err)
	if told := fmt.Sprint(desktop.Format(err)); !strings.Contains(told, `"reason":"own"`) {
		t.Errorf("the page is told of its own folder: %s", told)
	}
	if _, err = folders.Open(s.folder); err != nil {
		t.Fatal(err)
	}
	_, err = s.Run(desktop.Task{Prompt: "x"})
	refused("no model", desktop.CodeNoModel, err)
	_, err = models.Use(desktop.ModelChoice{Provider: "openai"})
	refused("no model named", desktop.CodeUsage, err)
	_, err = models.Use(desktop.ModelChoice{Provider: "demo", Model: "x"})
	refused("the tour as a model", desktop.CodeUsage, err)
	_, err = models.Use(desktop.ModelChoice{BaseURL: "http://203.0.113.1/v1", Model: "x", Key: "sk-canary-1"})
	refused("a key over plain HTTP", desktop.CodeUsage, err)
	_, err = models.Use(desktop.ModelChoice{Provider: "openai", Model: "x", Key: "sk-canary-1"})
	refused("no keyring", desktop.CodeKeyring, err)
	if _, err = models.Use(desktop.ModelChoice{Provider: "openai", Model: "x"}); err != nil {
		t.Fatal(err)
	}
	_, err = s.Run(desktop.Task{Prompt: "x"})
	refused("no key", desktop.CodeNoKey, err)
	_, err = models.Test(desktop.ModelChoice{BaseURL: "http://127.0.0.1:1/v1"})
	refused("nobody there", desktop.Code(message.CodeNetwork), err)
	_, err = sessions.SetApprove("", "all")
	refused("mode all", desktop.CodeUsage, err)
	_, err = s.Cancel("")
	refused("cancel nothing", desktop.Code(message.InvalidParams), err)
	_, err = s.Cancel("r")
	refused("cancel an unknown run", desktop.Code(message.NotFound), err)
	_, err = sessions.Extend("r", "c")
	refused("extend an unknown question", desktop.Code(message.NotFound), err)

	s.ready()
	started := s.run("x")
	_, err = s.Run(desktop.Task{Prompt: "y", SessionID: started.SessionID})
	refused("busy", desktop.Code(message.Busy), err)
	_, err = sessions.Delete(started.SessionID)
	refused("delete what is running", desktop.Code(message.Busy), err)
	_, err = s.Run(desktop.Task{Prompt: "y", SessionID: "none"})
	refused("an unknown conversation", desktop.Code(message.NotFound), err)
	_, err = sessions.Show("none")
	refused("show an unknown conversation", desktop.Code(message.NotFound), err)
	_, err = sessions.Rename("none", "x")
	refused("rename an unknown conversation", desktop.Code(message.NotFound), err)
	_, err = sessions.Rename(started.SessionID, " \n")
	refused("an empty title", desktop.CodeUsage, err)
	_, err = sessions.Delete("none")
	refused("delete an unknown conversation", desktop.Code(message.NotFound), err)
	_, err = sessions.Restore(started.SessionID)
	refused("restore what is not deleted", desktop.Code(message.NotFound), err)
	if state := s.state(); state.Workspace.Path == "" || state.Model.Model != "scripted" || len(state.Runs) != 1 {
		t.Errorf("a refusal changed something: %+v", state)
	}
	if _, err := s.Cancel(started.RunID); err != nil {
		t.Fatal(err)
	}
	s.screen.await(t, "the end", ended)
	_, err = s.Cancel(started.RunID)
	refused("cancel an ended run", desktop.Code(message.InvalidState), err)
}

func TestSEC04_EverythingHasThePolicy(t *testing.T) {
	s := open(t, "", nil)
	for _, path := range []string{"/", "/index.html", "/fairlead/state", "/fairlead/nothing"} {
		header := s.get(path).Header()
		policy := header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "connect-src 'self';", "form-action 'none'"} {
			if !strings.Contains(policy, part) {
				t.Errorf("%s lacks %s: %s", path, part, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, header)
		}
	}
}

func TestRoutesAnswerNothingElse(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	for path, want := range map[string]int{
		"/fairlead/tree?path=../..":           http.StatusUnprocessableEntity,
		"/fairlead/file?path=/etc/passwd":     http.StatusUnprocessableEntity,
		"/fairlead/file?path=.env":            http.StatusUnprocessableEntity,
		"/fairlead/runs/x/events?after=0":     http.StatusUnprocessableEntity,
		"/fairlead/runs/x/events/1":           http.StatusUnprocessableEntity,
		"/fairlead/sessions":                  http.StatusUnprocessableEntity,
		"/fairlead/sessions?limit=10001":      http.StatusUnprocessableEntity,
		"/fairlead/sessions/x/runs?before=y":  http.StatusUnprocessableEntity,
		"/fairlead/sessions?limit=1":          http.StatusOK,
		"/fairlead/else":                      http.StatusNotFound,
		"/fairlead/tree?path=.":               http.StatusOK,
		"/fairlead/models":                    http.StatusOK,
		"/fairlead/runs/x/events?after=later": http.StatusUnprocessableEntity,
	} {
		if path == "/fairlead/file?path=.env" {
			if err := os.WriteFile(filepath.Join(s.folder, ".env"), []byte("KEY=1"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if answer := s.get(path); answer.Code != want {
			t.Errorf("GET %s: %d %s", path, answer.Code, answer.Body)
		}
	}
}

func TestStateHasNoNullButWhatIsNotChosen(t *testing.T) {
	s := open(t, "", nil)
	var fields map[string]json.RawMessage
	s.read("/fairlead/state", &fields)
	for name, value := range fields {
		if null := string(value) == "null"; null != slices.Contains([]string{"workspace", "model", "instructions", "moved", "draft"}, name) {
			t.Errorf("%s is %s", name, value)
		}
	}
}

func TestWS02_TheWindowHearsOfChangesInTheFolder(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	s.screen.await(t, "the beginning of the watch", ofType(event.TypeWorkspaceChanged))
	if err := os.WriteFile(filepath.Join(s.folder, "new.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	changed := s.screen.await(t, "the change", func(e envelope) bool {
		return e.Type == event.TypeWorkspaceChanged && strings.Contains(string(e.Data), "new.txt")
	})
	if changed.RunID != "" || changed.Seq < 2 {
		t.Errorf("got %+v", changed)
	}
	var listing desktop.Listing
	s.read("/fairlead/tree?path=.", &listing)
	if len(listing.Entries) != 1 || listing.Entries[0].Name != "new.txt" {
		t.Errorf("tree: %+v", listing)
	}
}

func TestUI06_TheTourRunsWithoutKeyOrNetwork(t *testing.T) {
	s := open(t, "", nil)
	t.Setenv("TMPDIR", t.TempDir())
	started, err := service[*desktop.Sessions](s).Tour()
	if err != nil {
		t.Fatal(err)
	}
	answered := map[string]bool{}
	for range 2 {
		var asked event.ConfirmRequest
		request := s.screen.await(t, "a question", func(e envelope) bool {
			return e.Type == event.TypeConfirmRequest && json.Unmarshal(e.Data, &asked) == nil && !answered[asked.CallID]
		})
		answered[asked.CallID] = true
		if _, err := s.Confirm(desktop.Answer{RunID: request.RunID, CallID: asked.CallID, Decision: message.Approve, Hash: asked.Hash}); err != nil {
			t.Fatal(err)
		}
	}
	s.screen.await(t, "the end", ofType(event.TypeLifecycleEnd))
	state := s.state()
	if !state.Tour || len(state.Recent) != 0 || state.Runs[0].RunID != started.RunID {
		t.Errorf("state: %+v", state)
	}
	text, err := os.ReadFile(filepath.Join(state.Workspace.Path, "budget.csv"))
	if err != nil || !strings.Contains(string(text), "470") {
		t.Errorf("budget.csv: %s, %v", text, err)
	}
}

func TestWS01_TheWindowComesBackAsItWas(t *testing.T) {
	s := open(t, "text hello", nil)
	s.ready()
	s.screen.at = settings.Place{X: 11, Y: 22, Width: 1000, Height: 700}
	if _, err := service[*desktop.Preferences](s).SetTheme("dark"); err != nil {
		t.Fatal(err)
	}
	layout := settings.Layout{Zoom: 1.25, CodeSize: 15, Wrap: true, Tint: true, Desk: "closed", DeskWidth: 500, Tab: "files", File: "README.md"}
	if _, err := service[*desktop.Preferences](s).SetLayout(layout); err != nil {
		t.Fatal(err)
	}
	if _, err := service[*desktop.Preferences](s).SetLayout(settings.Layout{Zoom: 9}); code(t, err) != desktop.CodeUsage {
		t.Errorf("a zoom of 9: %v", err)
	}
	if s.Closing() {
		t.Error("an idle window stays open")
	}
	if !s.Closing() {
		t.Error("the window system is told to close twice")
	}
	again := desktop.NewWindow("test", s.folders)
	if again.Remembered() != s.screen.at {
		t.Errorf("place: %+v", again.Remembered())
	}
	second := s.again()
	state := second.state()
	if state.Layout != layout {
		t.Errorf("layout: %+v", state.Layout)
	}
	if state.Workspace.Path != s.folder || state.Model.Model != "scripted" || state.Theme != "dark" || state.Recent[0] != s.folder {
		t.Errorf("state: %+v", state)
	}
	second.run("go on")
	second.screen.await(t, "the end", ofType(event.TypeLifecycleEnd))
}

func TestClosingWaitsOnceForAnActiveRun(t *testing.T) {
	s := open(t, "hang", nil)
	s.ready()
	s.run("x")
	if !s.Closing() {
		t.Error("it closed over an active run")
	}
	s.screen.await(t, "the word", ofType(event.TypeWindowClosing))
	if s.Closing() {
		t.Error("it does not close the second time")
	}
}

func TestLinksGoToTheBrowserOnly(t *testing.T) {
	s := open(t, "", nil)
	preferences := service[*desktop.Preferences](s)
	for _, bad := range []string{"", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "/relative", "ftp://x/", "https://%zz"} {
		if _, err := preferences.OpenLink(bad); code(t, err) != desktop.CodeUsage {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := preferences.OpenLink("https://example.org/wiki/A_(b)?q=a!b~c"); err != nil {
		t.Fatal(err)
	}
	if got := s.screen.links; len(got) != 1 || got[0] != "https://example.org/wiki/A_%28b%29?q=a%21b%7Ec" {
		t.Errorf("opened %q", got)
	}
}
