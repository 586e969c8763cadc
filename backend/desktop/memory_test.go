package desktop_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/desktop"
	"fairlead/backend/message"
)

// memory reads what is noted about the open folder.
func (s *stage) memory() (kept desktop.Memory) {
	s.t.Helper()
	s.read("/fairlead/memory", &kept)
	return kept
}

// TestEXT06_ThePageShowsAndEditsTheMemory has the model note something after a yes, and the user edit it
// while the model notes more.
func TestEXT06_ThePageShowsAndEditsTheMemory(t *testing.T) {
	s := open(t, "call c1 remember {\"text\":\"first\"}\n---\ntext Done.\n---\ncall c2 remember {\"text\":\"second\"}\n---\ntext Done.\n---\ntext Hello.\n", nil)
	folders := service[*desktop.Folders](s)
	if answer := s.get("/fairlead/memory"); !strings.Contains(answer.Body.String(), string(desktop.CodeNoFolder)) {
		t.Errorf("without a folder: %s", answer.Body)
	}
	if _, err := folders.SaveMemory("x", ""); code(t, err) != desktop.CodeNoFolder {
		t.Errorf("without a folder: %v", err)
	}
	s.ready()
	empty := s.memory()
	if empty.Text != "" || empty.Version != "" || empty.Bytes != 0 || filepath.Dir(empty.Path) != filepath.Join(s.folders.Data, "memory") {
		t.Errorf("at first: %+v", empty)
	}
	remember := func(prompt string, before int) {
		t.Helper()
		started := s.run(prompt)
		asked := s.asked(before)
		if asked.Preview.Path != "memory.md" || !asked.Preview.Memory {
			t.Errorf("asked about %+v", asked)
		}
		s.answer(started.RunID, asked, message.Approve)
		s.awaitEnd(started.RunID)
	}
	remember("one", 0)
	first := s.memory()
	if !strings.HasSuffix(first.Text, ": first\n") || first.Version == "" || first.Bytes != len(first.Text) || first.PromptBytes != first.Bytes-1 {
		t.Errorf("after a yes: %+v", first)
	}
	remember("two", 1)
	edited := "# Mine\n" + first.Text
	if _, err := folders.SaveMemory(edited, first.Version); code(t, err) != desktop.Code(message.InvalidState) {
		t.Errorf("saved over what was added meanwhile: %v", err)
	}
	second := s.memory()
	if second.Text == first.Text || !strings.HasPrefix(second.Text, first.Text) {
		t.Errorf("then: %+v", second)
	}
	if _, err := folders.SaveMemory(edited, second.Version); err != nil {
		t.Fatal(err)
	}
	if saved := s.memory(); saved.Text != edited {
		t.Errorf("saved: %+v", saved)
	}
	for _, text := range []string{strings.Repeat("x", 256<<10+1), "push with ghp_a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3"} {
		if _, err := folders.SaveMemory(text, s.memory().Version); code(t, err) != desktop.Code(message.InvalidParams) {
			t.Errorf("%.30q is saved: %v", text, err)
		}
	}
	s.awaitEnd(s.run("three").RunID)
	if requests := s.model.Requests(); !strings.Contains(string(requests[len(requests)-1].Body), `# Mine\n`) {
		t.Error("what the user wrote is not in the prompt")
	}
	if _, err := folders.SaveMemory("", s.memory().Version); err != nil {
		t.Error(err)
	}
	if gone := s.memory(); gone != empty {
		t.Errorf("removed: %+v", gone)
	}
}

func TestEXT06_ADamagedMemoryIsAFaultOnThePage(t *testing.T) {
	s := open(t, "", nil)
	s.ready()
	path := s.memory().Path
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if answer := s.get("/fairlead/memory"); answer.Code != 422 || !strings.Contains(answer.Body.String(), "move it away") {
		t.Errorf("%d: %s", answer.Code, answer.Body)
	}
	if _, err := service[*desktop.Folders](s).SaveMemory("x", ""); err == nil {
		t.Error("it is saved")
	}
}

func TestEXT06_WhereTheMemoryIsOffNothingIsSwitched(t *testing.T) {
	t.Setenv("FAIRLEAD_MEMORY", "false")
	s := open(t, "text Hello.\n", nil)
	s.ready()
	if _, err := service[*desktop.Folders](s).SaveMemory("mine", ""); err != nil {
		t.Fatal(err)
	}
	if got := s.switches(); strings.Contains(got, "memory") {
		t.Errorf("switches: %s", got)
	}
	s.awaitEnd(s.run("one").RunID)
	if s.offered(0, "remember") || strings.Contains(string(s.model.Requests()[0].Body), "mine") {
		t.Error("the model is told of the memory")
	}
}
