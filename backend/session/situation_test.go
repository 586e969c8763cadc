package session_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rogpeppe/go-internal/txtar"

	"fairlead/backend/agent"
	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/message"
)

// TestSituations plays what providers were seen to do: how they end answers, where
// they put reasoning and calls, what they refuse and in which words. Each section of
// testdata/situations is one, played in virtual time with everything but the network
// real. testdata/situations/README.md describes the form.
func TestSituations(t *testing.T) {
	files, err := filepath.Glob("testdata/situations/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no situations: %v", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range archive.Files {
			id, _, _ := strings.Cut(section.Name, " ")
			if seen[id] {
				t.Errorf("situation %s is there twice", id)
			}
			seen[id] = true
			t.Run(section.Name, func(t *testing.T) {
				s := readSituation(t, string(section.Data))
				synctest.Test(t, s.play)
			})
		}
	}
}

// TestMOD07_LeaksAreFoundOverEachProtocol plays the situations of what models write into their
// text over the other protocols, as far as they are not about the form of chat completions.
func TestMOD07_LeaksAreFoundOverEachProtocol(t *testing.T) {
	for _, p := range []llm.Protocol{llm.Responses, llm.Messages} {
		played := 0
		for _, name := range []string{"written", "reasoning"} {
			archive, err := txtar.ParseFile(filepath.Join("testdata", "situations", name+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			for _, section := range archive.Files {
				if formOfChat.Match(section.Data) || strings.HasPrefix(section.Name, "B12 ") { // text that is restated
					continue
				}
				played++
				t.Run(string(p)+" "+section.Name, func(t *testing.T) {
					s := readSituation(t, string(section.Data))
					s.protocol = p
					synctest.Test(t, s.play)
				})
			}
		}
		if played < 20 {
			t.Errorf("%d situations were played over %s", played, p)
		}
	}
}

// formOfChat are the lines of situations that only chat completions have.
var formOfChat = regexp.MustCompile(`(?m)^(raw|status|request|when) `)

// situation is one section: what the model says, and what must become of it.
type situation struct {
	choice catalog.Choice
	server *llmtest.Server
	stage  *stage
	dir    string
	prompt string
	wants  []string
	// protocol is how the model is asked; empty for chat completions.
	protocol llm.Protocol
	// written is set where calls in the text are understood, whatever the family.
	written bool
}

func readSituation(t *testing.T, text string) *situation {
	t.Helper()
	script, wants, found := strings.Cut(text, "===\n")
	if !found {
		t.Fatal("no === between what the model says and what is wanted")
	}
	s := &situation{dir: t.TempDir(), prompt: "What is in the folder?", server: llmtest.Script(script)}
	s.choice = catalog.Choice{BaseURL: "http://model.invalid/v1", Model: "any"}
	for line := range strings.Lines(wants) {
		line = strings.TrimSpace(line)
		name, value, _ := strings.Cut(line, " ")
		switch name {
		case "", "#":
		case "provider":
			s.choice.Provider = value
		case "model":
			s.choice.Model = value
		case "effort":
			s.choice.Effort = value
		case "written_calls":
			s.written = true
		default:
			s.wants = append(s.wants, line)
		}
	}
	if err := os.WriteFile(filepath.Join(s.dir, "a.txt"), []byte("one line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// play plays the situation inside a bubble of virtual time.
func (s *situation) play(t *testing.T) {
	stage := newStage(t, &scenario{dir: s.dir, server: s.server, protocol: s.protocol, files: map[string]string{"prompt": s.prompt}})
	defer stage.close()
	s.stage = stage
	options := parseOptions(t, "")
	folder, tools := openFolder(t, s.dir)
	defer folder.Close()
	config := stage.config(options, s.server, tools...)
	config.Model.Model = s.openModel(t)
	conversation := stage.sessions.New("s2", config)
	run, err := conversation.BeginRun(s.prompt)
	if err != nil {
		t.Fatal(err)
	}
	events := watch(t, run, newUser(t, stage, ""))
	result := run.Wait()
	checkInvariants(t, events, result)
	for _, want := range s.wants {
		if fault := s.check(want, events, result); fault != "" {
			t.Errorf("%s: %s", want, fault)
		}
	}
	if t.Failed() {
		t.Logf("events:\n%s", showEvents(events))
		for i, request := range s.server.Requests() {
			t.Logf("request %d: %s", i+1, request.Body)
		}
	}
}

// openModel opens the model as the catalog knows it, with the server in the place of
// the network.
func (s *situation) openModel(t *testing.T) llm.Model {
	t.Helper()
	endpoint, err := catalog.Catalog{}.Locate(s.choice, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	endpoint.Dialect.WrittenCalls = s.written
	return s.stage.openModel(protocol.Config{
		BaseURL: endpoint.BaseURL, Model: endpoint.Model, Dialect: endpoint.Dialect, Body: endpoint.Body, Effort: endpoint.Effort,
		Transport: s.server.RoundTripper(),
	})
}

// check returns what is wrong with one line of what is wanted; empty for nothing.
func (s *situation) check(want string, events []event.Event, result agent.Result) string {
	name, value, _ := strings.Cut(want, " ")
	if text, err := strconv.Unquote(value); err == nil {
		value = text
	}
	switch name {
	case "end":
		return unequal(value, endOf(result))
	case "content":
		return unequal(value, result.Content)
	case "says":
		if result.Err == nil || !strings.Contains(result.Err.Message, value) {
			return fmt.Sprintf("the error is %+v", result.Err)
		}
	case "requests":
		return unequal(value, strconv.Itoa(len(s.server.Requests())))
	case "request":
		return s.checkRequest(value)
	case "calls":
		var calls []string
		for _, call := range result.ToolCalls {
			calls = append(calls, call.Name+"="+codeOf(call))
		}
		return unequal(value, strings.Join(calls, " "))
	case "retries":
		var codes []string
		for _, e := range events {
			if retry, ok := e.Data.(event.LLMRetry); ok {
				codes = append(codes, string(retry.Code))
			}
		}
		return unequal(value, strings.Join(codes, " "))
	case "warns":
		var kinds []string
		for _, e := range events {
			if warning, ok := e.Data.(event.GuardWarning); ok {
				kinds = append(kinds, string(warning.Kind))
			}
		}
		return unequal(value, strings.Join(kinds, " "))
	case "weakened":
		var parts []string
		for _, e := range events {
			if weakened, ok := e.Data.(event.RequestWeakened); ok {
				parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s %s", weakened.What, weakened.Asked, weakened.Sent)))
			}
		}
		return unequal(value, strings.Join(parts, ", "))
	case "reasoning":
		return unequal(value, reasoningOf(events))
	case "learned":
		return unequal(value, strconv.FormatInt(s.stage.learned.Load(), 10))
	case "nofile":
		if _, err := os.Stat(filepath.Join(s.dir, value)); err == nil {
			return "the file is there"
		}
	default:
		return "not known"
	}
	return ""
}

// checkRequest checks "N has TEXT" and "N lacks TEXT".
func (s *situation) checkRequest(want string) string {
	number, rest, _ := strings.Cut(want, " ")
	verb, text, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(number)
	requests := s.server.Requests()
	if err != nil || n < 1 || n > len(requests) {
		return fmt.Sprintf("there are %d requests", len(requests))
	}
	has := bytes.Contains(requests[n-1].Body, []byte(text))
	if !slices.Contains([]string{"has", "lacks"}, verb) || has != (verb == "has") {
		return "it is not so"
	}
	return ""
}

func unequal(want, got string) string {
	if want == got {
		return ""
	}
	return fmt.Sprintf("got %q", got)
}

// endOf is the reason of a result, and the code of its error.
func endOf(result agent.Result) string {
	if result.Err == nil {
		return string(result.Reason)
	}
	return fmt.Sprintf("%s %s", result.Reason, result.Err.Code)
}

func codeOf(call message.CallRecord) string {
	if call.Failed() {
		return string(call.Result.Error.Code)
	}
	return "ok"
}

// reasoningOf is the reasoning that was shown.
func reasoningOf(events []event.Event) string {
	var text strings.Builder
	for _, e := range events {
		if delta, ok := e.Data.(event.ReasoningDelta); ok {
			text.WriteString(delta.Content)
		}
	}
	return text.String()
}
