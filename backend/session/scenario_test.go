package session_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/session"
)

var update = flag.Bool("update", false, "write what the scenarios do into their files")

// TestScenarios runs every file in testdata/scenarios: a prompt, what the model
// says, what the user does, and then every event, every request and the result.
// Time is virtual, the model is the strict server in memory, files are real.
// The sections are described in testdata/scenarios/README.md.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/scenarios/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(requirements(t, archive)+"_"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			s := newScenario(t, archive)
			synctest.Test(t, s.run)
			if *update {
				s.store("events", s.gotEvents)
				s.store("requests", s.gotRequests)
				s.store("result", s.gotResult)
				s.save(t, file)
				return
			}
			s.compare(t, "events", s.gotEvents)
			s.compare(t, "requests", s.gotRequests)
			s.compare(t, "result", s.gotResult)
		})
	}
}

func TestScenariosOverChatCompletions(t *testing.T) { playOver(t, llm.ChatCompletions) }

func TestScenariosOverResponses(t *testing.T) { playOver(t, llm.Responses) }

func TestScenariosOverMessages(t *testing.T) { playOver(t, llm.Messages) }

// playOver plays the scenarios over HTTP and a protocol, where events and results are the
// same. It leaves out those of what only chat completions have, over the others.
func playOver(t *testing.T, p llm.Protocol) {
	t.Helper()
	files, err := filepath.Glob("testdata/scenarios/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	played := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s := newScenario(t, archive)
		if p != llm.ChatCompletions && (chatOnly.MatchString(s.files["options"]) || strings.Contains(s.files["model"], `raw "data:`)) {
			continue
		}
		played++
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			s.protocol, s.overHTTP = p, true
			synctest.Test(t, s.run)
			requests := "requests over " + string(p)
			if p == llm.ChatCompletions {
				requests = "requests"
			}
			if *update {
				s.store(requests, s.gotRequests)
				s.save(t, file)
				return
			}
			s.compare(t, "events", s.gotEvents)
			s.compare(t, requests, s.gotRequests)
			s.compare(t, "result", s.gotResult)
		})
	}
	if played < len(files)-4 {
		t.Errorf("%d of %d scenarios were played", played, len(files))
	}
}

// chatOnly are the options of scenarios about dialects of chat completions.
var chatOnly = regexp.MustCompile(`(?m)^(signatures|echo)\b`)

// save writes what was stored into the file.
func (s *scenario) save(t *testing.T, file string) {
	t.Helper()
	if err := os.WriteFile(file, txtar.Format(s.archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

// requirements are the ones that a scenario names in its first lines, as tests are
// named after them.
func requirements(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	ids := requirement.FindAllString(string(archive.Comment), -1)
	if len(ids) == 0 {
		t.Errorf("a scenario names no requirement: %s", archive.Comment)
	}
	return strings.ReplaceAll(strings.Join(ids, "_"), "-", "")
}

var requirement = regexp.MustCompile(`\b[A-Z]{2,5}-[0-9]{2}\b`)

// scenario is one file of testdata/scenarios.
type scenario struct {
	archive *txtar.Archive
	dir     string
	files   map[string]string
	server  *llmtest.Server
	// protocol is how the model is asked; empty for chat completions.
	protocol llm.Protocol
	// overHTTP has client and server speak HTTP.
	overHTTP bool

	gotEvents, gotRequests, gotResult string
}

func newScenario(t *testing.T, archive *txtar.Archive) *scenario {
	t.Helper()
	s := &scenario{archive: archive, dir: t.TempDir(), files: map[string]string{}}
	for _, f := range archive.Files {
		name, inWorkspace := strings.CutPrefix(f.Name, "files/")
		if !inWorkspace {
			s.files[f.Name] = string(f.Data)
			continue
		}
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.server = llmtest.Script(s.files["model"])
	return s
}

func (s *scenario) store(name, text string) {
	for i := range s.archive.Files {
		if s.archive.Files[i].Name == name {
			s.archive.Files[i].Data = []byte(text)
			return
		}
	}
	s.archive.Files = append(s.archive.Files, txtar.File{Name: name, Data: []byte(text)})
}

func (s *scenario) compare(t *testing.T, name, got string) {
	t.Helper()
	if diff := cmp.Diff(strings.Split(s.files[name], "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s (- want, + got):\n%s", name, diff)
	}
}

// watch reads a run's events to the end, with the user who does what they have to.
func watch(t *testing.T, run *session.Run, user *user) []event.Event {
	t.Helper()
	var all []event.Event
	for {
		events, err := run.Events.After(t.Context(), int64(len(all)))
		if errors.Is(err, io.EOF) {
			return all
		}
		for _, e := range events {
			user.see(e)
		}
		all = append(all, events...)
	}
}

// compacts says that what the model is shown is expected to shrink.
func (s *scenario) compacts() bool { return strings.Contains(s.files["options"], "compacts") }

// run plays the scenario inside a bubble of virtual time.
func (s *scenario) run(t *testing.T) {
	stage := newStage(t, s)
	defer stage.close()
	run, err := stage.session.BeginRun(stage.prompt)
	if err != nil {
		t.Fatal(err)
	}
	user := newUser(t, stage, s.files["user"])
	var everything []event.Event
	var results []string
	for run != nil {
		all := watch(t, run, user)
		result := run.Wait()
		checkInvariants(t, all, result)
		everything = append(everything, all...)
		results = append(results, showResult(result))
		if run = user.next(); run == nil {
			if run, err = stage.session.NextPrompt(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, fault := range s.server.Faults() {
		if !strings.Contains(s.files["options"], "faults allowed") {
			t.Errorf("the strict server refused: %s", fault)
		}
	}
	s.gotEvents = showEvents(everything)
	if left := s.server.Left(); left > 0 && strings.TrimSpace(s.files["model"]) != "" {
		t.Errorf("the model was not asked for its last %d replies", left)
	}
	for _, line := range user.lines {
		t.Errorf("the user never got to %q", line)
	}
	s.gotRequests = showRequests(t, s.server.Requests(), s.compacts())
	s.gotResult = strings.Join(results, "")
	if learned := stage.learned.Load(); learned > 0 {
		s.gotResult += fmt.Sprintf("learned a window of %d tokens\n", learned)
	}
	for _, waiting := range stage.session.Waiting() {
		s.gotResult += fmt.Sprintf("waits: %s\n", waiting.Text)
	}
	s.gotResult += stage.logged.String()
	if files, wanted := s.files["changed"]; wanted {
		s.compare(t, "changed", showFiles(t, s.dir, files))
	}
}
