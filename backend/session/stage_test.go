package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"fairlead/backend/agent"
	"fairlead/backend/approve"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/openai"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/tool"
	"fairlead/backend/tool/file"
	"fairlead/backend/tool/search"
	"fairlead/backend/tool/shell"
	"fairlead/backend/workspace"
)

// stage is everything a scenario plays on.
type stage struct {
	t        *testing.T
	dir      string
	desk     *approve.Desk
	sessions *session.Sessions
	session  *session.Session
	folder   *workspace.Folder
}

func (s *stage) close() {
	if err := s.folder.Close(); err != nil {
		s.t.Error(err)
	}
}

func newStage(t *testing.T, s *scenario) *stage {
	t.Helper()
	folder, err := workspace.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	outputs, err := workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	if err != nil {
		t.Fatal(err)
	}
	model, err := openai.New(openai.Config{BaseURL: "http://model/v1", Model: "any", Transport: s.server.RoundTripper()})
	if err != nil {
		t.Fatal(err)
	}
	options := parseOptions(t, s.files["options"])
	tools := append(file.New(folder, outputs), search.New(folder)...)
	registry, err := tool.NewRegistry(append(tools, scriptedTools(s.dir)...)...)
	if err != nil {
		t.Fatal(err)
	}
	dispatcher, err := tool.NewDispatcher(registry, options.allow, tool.Limits{Default: options.toolTimeout})
	if err != nil {
		t.Fatal(err)
	}
	stage := &stage{t: t, dir: s.dir, desk: approve.NewDesk(), sessions: session.NewSessions(), folder: folder}
	var ids atomic.Int64
	stage.session, err = stage.sessions.New("s1", session.Config{
		Tools: dispatcher, Model: model, ModelName: "any", Mode: options.mode, Limits: options.limits,
		Desk: stage.desk, Approve: options.approve, ConfirmTimeout: 5 * time.Minute,
		Top:    func() ([]string, bool) { return nil, false },
		Redact: func(s string) string { return strings.ReplaceAll(s, "sk-canary-key", "[redacted]") },
		NewID:  func() string { return fmt.Sprintf("id%d", ids.Add(1)) },
		Jitter: func() time.Duration { return 500 * time.Millisecond },
		Log:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return stage
}

// realTools opens a conversation with the six real tools in an empty folder, on a
// model that follows the script.
func realTools(t *testing.T, script string) (*session.Session, *llmtest.Server) {
	t.Helper()
	server := llmtest.Script(script)
	folder, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	outputs, err := workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	if err != nil {
		t.Fatal(err)
	}
	model, err := openai.New(openai.Config{BaseURL: "http://model/v1", Model: "any", Transport: server.RoundTripper()})
	if err != nil {
		t.Fatal(err)
	}
	tools := append(file.New(folder, outputs), search.New(folder)...)
	registry, err := tool.NewRegistry(append(tools, shell.New(folder, outputs))...)
	if err != nil {
		t.Fatal(err)
	}
	dispatcher, err := tool.NewDispatcher(registry, nil, tool.Limits{Default: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	conversation, err := session.NewSessions().New("s1", session.Config{
		Tools: dispatcher, Model: model, ModelName: "any", Mode: agent.React,
		Limits: agent.Limits{MaxSteps: 50, Run: time.Hour, Silence: time.Minute, Attempts: 1, Parallel: 8},
		Desk:   approve.NewDesk(), Approve: approve.All, ConfirmTimeout: time.Minute,
		Top: folder.Top, Redact: func(s string) string { return s },
		NewID: uuid.NewString, Jitter: func() time.Duration { return 0 }, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return conversation, server
}

// options are what a scenario sets beside the defaults.
type options struct {
	mode        agent.Mode
	limits      agent.Limits
	approve     approve.Mode
	allow       []string
	toolTimeout time.Duration
}

func parseOptions(t *testing.T, text string) options {
	t.Helper()
	o := options{
		mode: agent.React, approve: approve.All, toolTimeout: time.Minute,
		limits: agent.Limits{
			MaxSteps: 10, Run: 30 * time.Minute, Silence: 2 * time.Minute, Attempts: 5, Parallel: 8,
		},
	}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		duration, _ := time.ParseDuration(value)
		number, _ := strconv.Atoi(value)
		switch name {
		case "", "faults":
		case "mode":
			o.mode = agent.Mode(value)
		case "approve":
			o.approve = approve.Mode(value)
		case "max_steps":
			o.limits.MaxSteps = number
		case "run_timeout":
			o.limits.Run = duration
		case "step_timeout":
			o.limits.Silence = duration
		case "tool_timeout":
			o.toolTimeout = duration
		case "attempts":
			o.limits.Attempts = number
		case "parallel":
			o.limits.Parallel = number
		case "stop_on_tool_error":
			o.limits.StopOnToolError = true
		case "allow":
			o.allow = append([]string{}, strings.Fields(value)...)
		default:
			t.Fatalf("unknown option %q", name)
		}
	}
	return o
}

// pretend is a command tool without processes, which cannot run in virtual time.
type pretend struct{ dir string }

type pretendArguments struct {
	Command string `json:"command"`
}

func scriptedTools(dir string) []tool.Tool { return []tool.Tool{pretend{dir}} }

func (pretend) Definition() tool.Definition {
	return tool.Definition{
		Name: "shell", Description: "pretend to run a command", Parameters: tool.Schema[pretendArguments](),
		Confirm: true, Effect: message.EffectCommand, Group: "shell",
	}
}

func (pretend) Preview(_ context.Context, in tool.Input) (message.Preview, error) {
	arguments, err := tool.Decode[pretendArguments](in.Arguments)
	return message.Preview{Effect: message.EffectCommand, Command: arguments.Command}, err
}

// Run understands: say TEXT, sleep DURATION, work DURATION (with live output),
// fail CODE, panic, silent, leak.
func (pretend) Run(ctx context.Context, in tool.Input) message.Result {
	arguments, err := tool.Decode[pretendArguments](in.Arguments)
	if err != nil {
		return message.Fail(message.InvalidArguments, err.Error())
	}
	verb, rest, _ := strings.Cut(arguments.Command, " ")
	switch verb {
	case "say":
		return message.Result{Content: rest, Data: json.RawMessage("{}")}
	case "sleep", "work":
		duration, _ := time.ParseDuration(rest)
		if verb == "work" {
			in.Progress("working\n")
		}
		select {
		case <-time.After(duration):
			return message.Result{Content: "slept " + rest}
		case <-ctx.Done():
			return message.Result{Content: "half a sleep", Error: &message.ToolError{Code: message.ExecutionError, Message: "ended"}}
		}
	case "fail":
		result := message.Fail(message.CommandFailed, "exit code "+rest)
		result.Content = "it did not work"
		return result
	case "leak":
		in.Progress("the key is sk-canary-key\n")
		return message.Result{Content: "the key is sk-canary-key"}
	case "silent":
		return message.Result{Data: json.RawMessage("{}")}
	}
	panic("boom")
}
