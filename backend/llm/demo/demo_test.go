package demo_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/demo"
	"fairlead/backend/message"
)

var allTools = []string{"edit_file", "list_files", "read_file", "search_files", "shell", "write_file"}

func offer(names ...string) []llm.Tool {
	var tools []llm.Tool
	for _, name := range names {
		tools = append(tools, llm.Tool{Name: name})
	}
	return tools
}

func user(text string) message.Message {
	return message.Message{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: text}}}
}

// play runs the loop with answer as the tools, and returns the calls made, by
// round, and the last text.
func play(t *testing.T, req llm.Request, answer func(message.Call) message.Result) (rounds []string, text string, history []message.Message) {
	t.Helper()
	seen := map[string]bool{}
	for range 10 {
		var streamed strings.Builder
		reply, err := demo.Model{}.Stream(t.Context(), req, func(d llm.Delta) { streamed.WriteString(d.Text) })
		if err != nil {
			t.Fatal(err)
		}
		if streamed.String() != reply.Text || reply.Text == "" || !utf8.ValidString(reply.Text) {
			t.Errorf("streamed %q, reply %q", streamed.String(), reply.Text)
		}
		if len(reply.Calls) == 0 {
			if reply.Finish != llm.FinishStop {
				t.Errorf("finish = %s", reply.Finish)
			}
			return rounds, reply.Text, req.Messages
		}
		if reply.Finish != llm.FinishCalls {
			t.Errorf("finish = %s", reply.Finish)
		}
		said := message.Message{Role: message.Assistant}
		var names []string
		for _, call := range reply.Calls {
			if seen[call.ID] || call.ID == "" || !json.Valid(call.Arguments) || call.Raw != string(call.Arguments) {
				t.Errorf("call %+v", call)
			}
			seen[call.ID] = true
			names = append(names, call.Name)
			result := answer(call)
			use := message.NewToolUse(call)
			use.State.Output = &result
			said.Parts = append(said.Parts, message.Part{Type: message.ToolPart, Tool: use})
		}
		rounds = append(rounds, strings.Join(names, " "))
		req.Messages = append(req.Messages, said)
	}
	t.Fatalf("the tour does not end: %v", rounds)
	return nil, "", nil
}

// folder is the sample on disk, with tools that do what the tour needs of the
// real ones.
type folder struct {
	t   *testing.T
	dir string
	// refuse holds what a tool fails with.
	refuse map[string]message.Result
}

func newFolder(t *testing.T) *folder {
	f := &folder{t: t, dir: t.TempDir(), refuse: map[string]message.Result{}}
	err := demo.WriteSample(func(name string, content []byte) error {
		return os.WriteFile(filepath.Join(f.dir, name), content, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *folder) answer(call message.Call) message.Result {
	if result, ok := f.refuse[call.Name]; ok {
		return result
	}
	var in struct {
		Path, Pattern, Command string
		Edits                  []struct{ Old, New string }
	}
	if err := json.Unmarshal(call.Arguments, &in); err != nil {
		f.t.Fatal(err)
	}
	switch call.Name {
	case "read_file":
		content, err := os.ReadFile(filepath.Join(f.dir, in.Path))
		if err != nil {
			return message.Fail(message.FileNotFound, "no such file")
		}
		return message.Result{Content: message.Text(string(content))}
	case "edit_file":
		path := filepath.Join(f.dir, in.Path)
		content, err := os.ReadFile(path)
		if err != nil {
			f.t.Fatal(err)
		}
		text := string(content)
		for _, e := range in.Edits {
			if strings.Count(text, e.Old) != 1 {
				f.t.Errorf("%q occurs %d times", e.Old, strings.Count(text, e.Old))
			}
			text = strings.Replace(text, e.Old, e.New, 1)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			f.t.Fatal(err)
		}
	case "shell":
		return f.shell(in.Command)
	}
	return message.Result{Content: message.Text("done")}
}

func (f *folder) shell(line string) message.Result {
	command := shellOf(line)
	command.Dir = f.dir
	output, err := command.CombinedOutput()
	result := message.Result{Content: message.Text(string(output))}
	if err != nil {
		result.Error = &message.ToolError{Code: message.CommandFailed, Message: err.Error()}
	}
	return result
}

func start(tools ...string) llm.Request {
	return llm.Request{Messages: []message.Message{user(demo.Prompt)}, Tools: offer(tools...)}
}

func TestUI06_TourCorrectsTheSample(t *testing.T) {
	f := newFolder(t)
	if f.shell("sh check.sh").Success() {
		t.Error("the sample is right before the tour")
	}
	rounds, text, history := play(t, start(allTools...), f.answer)
	want := []string{"list_files read_file read_file", "search_files", "edit_file", "shell"}
	if diff := cmp.Diff(want, rounds); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{"470", "the check passes", "scripted"} {
		if !strings.Contains(text, part) {
			t.Errorf("the last text lacks %q: %s", part, text)
		}
	}
	again := llm.Request{Messages: append(history, user("once more")), Tools: offer(allTools...)}
	rounds, text, _ = play(t, again, f.answer)
	if diff := cmp.Diff([]string{"list_files read_file read_file", "shell"}, rounds); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(text, "Nothing was changed") {
		t.Errorf("second tour: %s", text)
	}
}

func TestUI06_TourSaysWhatWasNotDone(t *testing.T) {
	tests := []struct {
		name   string
		tool   string
		result message.Result
		rounds int
		text   string
	}{
		{"edit rejected", "edit_file", message.Fail(message.Rejected, "leave it"), 3, "nothing to check. Reason: leave it."},
		{"edit unanswered", "edit_file", message.Fail(message.ConfirmTimeout, "nobody answered"), 3, "Reason: nobody answered."},
		{"edit failed", "edit_file", message.Fail(message.StaleFile, "it changed"), 3, "STALE_FILE: it changed"},
		{"edit says it worked and did not", "edit_file", message.Result{}, 4, "the check does not pass: paper: 20 x 4 is 80, not 60"},
		{"command rejected", "shell", message.Fail(message.Rejected, "no commands"), 4, "budget.csv was changed, but the check did not run. Reason: no commands."},
		{"another command in its place", "shell", message.Result{Content: message.Text("hello")}, 4, "budget.csv was changed, and the command ended without an error"},
		{"search failed", "search_files", message.Fail(message.ExecutionError, "x"), 4, "the check passes"},
		{"nothing read", "read_file", message.Fail(message.FileNotFound, "x"), 1, "another one. Nothing was changed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(test.text, "20 x 4") {
				t.Skip("the check of Windows prints nothing")
			}
			f := newFolder(t)
			f.refuse[test.tool] = test.result
			rounds, text, _ := play(t, start(allTools...), f.answer)
			if len(rounds) != test.rounds || !strings.Contains(text, test.text) {
				t.Errorf("%d rounds %v, text %q", len(rounds), rounds, text)
			}
			if test.text != "the check passes" && strings.Contains(text, "passes") {
				t.Errorf("the tour claims a check that did not pass: %q", text)
			}
		})
	}
}

func TestUI06_TourMakesDoWithTheToolsOnOffer(t *testing.T) {
	tests := []struct {
		name   string
		tools  []string
		rounds []string
		text   string
	}{
		{"none", nil, nil, "there is nothing I can do"},
		{"read only", []string{"read_file"}, []string{"read_file read_file"}, "edit_file is not on offer"},
		{"no commands", []string{"read_file", "edit_file"}, []string{"read_file read_file", "edit_file"}, "nothing has checked it"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rounds, text, _ := play(t, start(test.tools...), newFolder(t).answer)
			if diff := cmp.Diff(test.rounds, rounds); diff != "" {
				t.Error(diff)
			}
			if !strings.Contains(text, test.text) {
				t.Errorf("text = %q", text)
			}
		})
	}
}

func TestLOOP12_TourObeysTheToolChoice(t *testing.T) {
	req := start(allTools...)
	req.Choice = llm.ChoiceNone
	if rounds, _, _ := play(t, req, newFolder(t).answer); rounds != nil {
		t.Errorf("calls in spite of none: %v", rounds)
	}
}

func TestLOOP06_TourTakesNoReminderForAPrompt(t *testing.T) {
	_, _, history := play(t, start(allTools...), newFolder(t).answer)
	reminder := user("step limit reached")
	reminder.Synthetic = true
	_, text, _ := play(t, llm.Request{Messages: append(history, reminder)}, nil)
	if !strings.Contains(text, "the check passes") {
		t.Errorf("text = %q", text)
	}
}

func TestCAN01_TourStopsWhenItsContextEnds(t *testing.T) {
	reason := errors.New("the user pressed stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	pieces := 0
	reply, err := demo.Model{}.Stream(ctx, start(allTools...), func(llm.Delta) {
		if pieces++; pieces == 3 {
			cancel(reason)
		}
	})
	if !errors.Is(err, reason) || pieces != 3 || len(reply.Calls) != 0 || reply.Text == "" {
		t.Errorf("error %v after %d pieces: %+v", err, pieces, reply)
	}
}

func TestTourIsLabelled(t *testing.T) {
	if !strings.Contains(demo.Name, "scripted") {
		t.Errorf("name = %q", demo.Name)
	}
	for _, tools := range [][]string{nil, allTools} {
		reply, err := demo.Model{}.Stream(t.Context(), start(tools...), func(llm.Delta) {})
		if err != nil || !strings.Contains(reply.Text, "scripted and no model is asked") {
			t.Errorf("first text = %q, %v", reply.Text, err)
		}
	}
}

func TestWriteSamplePassesErrorsOn(t *testing.T) {
	full := errors.New("disk full")
	if err := demo.WriteSample(func(string, []byte) error { return full }); !errors.Is(err, full) {
		t.Errorf("error = %v", err)
	}
}
