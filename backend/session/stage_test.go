package session_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fairlead/backend/agent"
	"fairlead/backend/approve"
	"fairlead/backend/change/changetest"
	"fairlead/backend/llm"
	"fairlead/backend/llm/anthropic"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/responses"
	"fairlead/backend/message"
	"fairlead/backend/session"
	"fairlead/backend/store"
	"fairlead/backend/tool"
	"fairlead/backend/tool/file"
	"fairlead/backend/tool/search"
	"fairlead/backend/tool/tooltest"
	"fairlead/backend/workspace"
)

// stage is everything a scenario plays on.
type stage struct {
	t        *testing.T
	dir      string
	broker   *approve.Broker
	sessions *session.Manager
	session  *session.Driver
	ids      *atomic.Int64
	server   *llmtest.Server
	protocol llm.Protocol
	prompt   string
	// sets are asked for tools beside those of the scenario.
	sets   []tool.Toolset
	folder *workspace.Folder
	// learned is the window that a provider named.
	learned atomic.Int64
	// transport leads to the server; nil where that is called without HTTP.
	transport http.RoundTripper
	// notebook is what the examples of tools work on.
	notebook tooltest.Notebook
	// polled counts what the polling tool was asked, ticks the ticks of the shell.
	polled, ticks atomic.Int64
	// logged are the warnings and faults in the log.
	logged bytes.Buffer
}

func (s *stage) close() {
	if err := s.folder.Close(); err != nil {
		s.t.Error(err)
	}
}

func newStage(t *testing.T, s *scenario) *stage {
	t.Helper()
	stage := &stage{
		t: t, dir: s.dir, broker: approve.NewBroker(), sessions: session.NewManager(session.Options{}),
		ids: &atomic.Int64{}, server: s.server, protocol: s.protocol, prompt: strings.TrimSpace(s.files["prompt"]),
	}
	if s.overHTTP {
		transport, stop := s.server.Serve()
		t.Cleanup(stop)
		stage.transport = transport
	}
	var tools []tool.Tool
	stage.folder, tools = openFolder(t, s.dir)
	options := parseOptions(t, s.files["options"])
	tools = append(tools, pretend{&stage.ticks}, job{&stage.polled})
	if options.notebook {
		for _, example := range tooltest.Examples(&stage.notebook) {
			tools = append(tools, example.Tool)
		}
	}
	stage.session = stage.open(options, s.server, tools...)
	return stage
}

// openFolder opens a workspace and the real tools that work on its files.
func openFolder(t *testing.T, dir string) (*workspace.Folder, []tool.Tool) {
	t.Helper()
	folder, outputs := openWorkspace(t, dir)
	return folder, append(file.New(folder, outputs, nil, nil), search.New(folder, nil)...)
}

func openWorkspace(t *testing.T, dir string) (*workspace.Folder, *workspace.Outputs) {
	t.Helper()
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	changetest.Use(t, folder)
	outputs, err := workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = outputs.Close() })
	return folder, outputs
}

// open starts a conversation on a scripted model, with ids that count.
func (s *stage) open(options options, server *llmtest.Server, tools ...tool.Tool) *session.Driver {
	s.t.Helper()
	return s.sessions.New("s1", s.config(options, server, tools...))
}

// keep starts a conversation that a store keeps.
func (s *stage) keep(saved *store.Store, server *llmtest.Server) *session.Driver {
	s.t.Helper()
	config := s.config(parseOptions(s.t, ""), server, pretend{&s.ticks})
	config.Store, config.Workspace = saved, "/work"
	return s.sessions.New("s1", config)
}

// load goes on with the conversation of that name that a store has.
func (s *stage) load(saved *store.Store, server *llmtest.Server) *session.Driver {
	s.t.Helper()
	config := s.config(parseOptions(s.t, ""), server, pretend{&s.ticks})
	config.Store = saved
	conversation, err := s.sessions.Load(s.t.Context(), store.Session{ID: "s1", Workspace: "/work"}, config)
	if err != nil {
		s.t.Fatal(err)
	}
	return conversation
}

// openModel opens a model over the protocol of the scenario.
func (s *stage) openModel(config protocol.Config) llm.Model {
	s.t.Helper()
	var model llm.Model
	var err error
	switch s.protocol {
	case llm.Responses:
		model, err = responses.New(config)
	case llm.Messages:
		model, err = anthropic.New(config)
	default:
		model, err = openai.New(config)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return model
}

func (s *stage) config(options options, server *llmtest.Server, tools ...tool.Tool) session.Config {
	s.t.Helper()
	transport := s.transport
	if transport == nil {
		transport = server.RoundTripper()
	}
	model := s.openModel(protocol.Config{BaseURL: "http://model/v1", Model: "any", Dialect: options.dialect, Transport: transport})
	sets := append([]tool.Toolset{tool.Fixed{Label: "test", Each: tools}}, s.sets...)
	toolsets, err := tool.OpenToolsets(s.t.Context(), tool.Options{Allow: options.allow, Timeout: options.toolTimeout}, sets...)
	if err != nil {
		s.t.Fatal(err)
	}
	return session.Config{
		Tools: toolsets, Mode: options.mode, Limits: options.limits,
		Model:        session.Model{Model: model, Name: "any", Window: options.window, Price: options.price, Learn: func(tokens int) { s.learned.Store(int64(tokens)) }},
		CountTokens:  func(text string) int { return (len(text) + 3) / 4 },
		Hooks:        hooks(s.t, options.hooks),
		Instructions: func() session.Instructions { return session.Instructions{} },
		Broker:       s.broker, Approve: options.approve,
		Top:    func() ([]string, bool) { return nil, false },
		Redact: func(s string) string { return strings.ReplaceAll(s, "sk-canary-key", "[redacted]") },
		NewID:  func() string { return fmt.Sprintf("id%d", s.ids.Add(1)) },
		Jitter: func() time.Duration { return 500 * time.Millisecond },
		Log:    slog.New(slog.NewTextHandler(&s.logged, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: logged})),
	}
}

// logged leaves the time out of a line of the log.
func logged(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// options are what a scenario sets beside the defaults.
type options struct {
	mode        agent.Mode
	limits      message.Limits
	approve     approve.Mode
	allow       []string
	toolTimeout time.Duration
	window      int
	hooks       []string
	dialect     llm.Dialect
	// notebook adds the examples of tools.
	notebook bool
	price    message.Price
}

func parseOptions(t *testing.T, text string) options {
	t.Helper()
	o := options{
		mode: agent.React, approve: approve.All,
		limits: message.Limits{
			MaxSteps: 10, RunTimeout: 30 * time.Minute, StepTimeout: 2 * time.Minute, ConfirmTimeout: 5 * time.Minute, Attempts: 5, Parallel: 8,
			ContinueOnError: true, DoomDetection: true, Compaction: true,
		},
	}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		duration, _ := time.ParseDuration(value)
		number, _ := strconv.Atoi(value)
		switch name {
		case "", "faults", "compacts":
		case "mode":
			o.mode = agent.Mode(value)
		case "written_calls":
			o.dialect.WrittenCalls = true
		case "family":
			o.dialect.Marks = catalog.FamilyOf(value).Marks
		case "signatures":
			o.dialect.Signatures = true
		case "echo":
			o.dialect.Echo = llm.Echo(value)
		case "approve":
			o.approve = approve.Mode(value)
		case "max_steps":
			o.limits.MaxSteps = number
		case "run_timeout":
			o.limits.RunTimeout = duration
		case "step_timeout":
			o.limits.StepTimeout = duration
		case "tool_timeout":
			o.toolTimeout = duration
		case "attempts":
			o.limits.Attempts = number
		case "parallel":
			o.limits.Parallel = number
		case "budget":
			o.limits.Budget = number
		case "budget_usd":
			o.limits.BudgetUSD, _ = strconv.ParseFloat(value, 64)
		case "price":
			_, _ = fmt.Sscan(value, &o.price.Prompt, &o.price.Completion, &o.price.Cached)
		case "window":
			o.window = number
		case "no_doom":
			o.limits.DoomDetection = false
		case "no_compact":
			o.limits.Compaction = false
		case "continue_message":
			o.limits.ContinueMessage = true
		case "notebook":
			o.notebook = true
		case "hook":
			o.hooks = append(o.hooks, value)
		case "stop_on_tool_error":
			o.limits.ContinueOnError = false
		case "allow":
			o.allow = append([]string{}, strings.Fields(value)...)
		default:
			t.Fatalf("unknown option %q", name)
		}
	}
	return o
}

// pretend is a command tool without processes, which cannot run in virtual time.
type pretend struct{ ticks *atomic.Int64 }

type pretendArguments struct {
	Command string `json:"command"`
}

func (pretend) Definition() tool.Definition {
	return tool.Definition{
		Name: "shell", Description: "pretend to run a command", Parameters: tool.Schema[pretendArguments](),
		Confirm: true, Effect: message.EffectCommand, Group: "shell", Essential: true,
	}
}

func (p pretend) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	arguments, err := tool.Arguments[pretendArguments](in.Arguments)
	return tool.Plan{
		Preview: message.Preview{Effect: message.EffectCommand, Command: arguments.Command}, Asks: true,
		Run: func(ctx context.Context, progress func(string)) tool.Outcome {
			return tool.Outcome{Result: p.run(ctx, arguments, progress)}
		},
	}, err
}

// run understands: say TEXT, big LINES, tick (which counts), sleep DURATION, work
// DURATION (with live output), fail CODE, panic, silent, leak.
func (p pretend) run(ctx context.Context, arguments pretendArguments, progress func(string)) message.Result {
	verb, rest, _ := strings.Cut(arguments.Command, " ")
	switch verb {
	case "say":
		return message.Result{Content: message.Text(rest), Data: &message.ResultData{ExitCode: new(0)}}
	case "sleep", "work":
		duration, _ := time.ParseDuration(rest)
		if verb == "work" {
			progress("working\n")
		}
		select {
		case <-time.After(duration):
			return message.Result{Content: message.Text("slept " + rest)}
		case <-ctx.Done():
			return message.Result{Content: message.Text("half a sleep"), Error: &message.ToolError{Code: message.ExecutionError, Message: "ended"}}
		}
	case "tick":
		return message.Result{Content: message.Text(fmt.Sprintf("tick %d", p.ticks.Add(1)))}
	case "fail":
		result := message.Fail(message.CommandFailed, "exit code "+rest)
		result.Content = message.Text("it did not work")
		if code, err := strconv.Atoi(rest); err == nil {
			result.Data = &message.ResultData{ExitCode: &code}
		}
		return result
	case "leak":
		progress("the key is sk-canary-key\n")
		return message.Result{Content: message.Text("the key is sk-canary-key")}
	case "silent":
		return message.Result{Data: &message.ResultData{ExitCode: new(0)}}
	case "big":
		number, _, _ := strings.Cut(rest, " ") // what follows tells one call from another
		lines, _ := strconv.Atoi(number)
		return message.Result{Content: message.Text(strings.Repeat("one line of forty characters, not more..\n", lines))}
	}
	panic("boom")
}
