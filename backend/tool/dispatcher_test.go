package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// scripted is a tool whose plans run a function.
type scripted struct {
	name string
	run  func(ctx context.Context, in tool.Input) message.Result
}

type scriptedArguments struct {
	Path  string `json:"path"`
	Limit int    `json:"limit,omitempty"`
}

func (s scripted) Definition() tool.Definition {
	return tool.Definition{
		Name: s.name, Description: "scripted", Parameters: tool.Schema[scriptedArguments](),
		Effect: message.EffectNone, Group: "test",
	}
}

func (s scripted) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	return tool.Plan{Run: func(ctx context.Context, _ func(string)) tool.Outcome {
		return tool.Outcome{Result: s.run(ctx, in)}
	}}, nil
}

// run prepares a call and carries it out.
func run(ctx context.Context, d *tool.Dispatcher, call message.Call) message.Result {
	plan, err := d.Prepare(ctx, call)
	if err != nil {
		return tool.Failure(err)
	}
	return plan.Run(ctx, func(string) {}).Result
}

func answer(content string) func(context.Context, tool.Input) message.Result {
	return func(context.Context, tool.Input) message.Result {
		return message.Result{Content: message.Text(content)}
	}
}

func dispatcher(t *testing.T, allow []string, tools ...tool.Tool) *tool.Dispatcher {
	t.Helper()
	return dispatcherWith(t, tool.Options{Allow: allow}, tools...)
}

func dispatcherWith(t *testing.T, options tool.Options, tools ...tool.Tool) *tool.Dispatcher {
	t.Helper()
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	d, err := tool.NewDispatcher(registry, options)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func call(name, arguments string) message.Call {
	return message.Call{ID: "c1", Name: name, Arguments: json.RawMessage(arguments), Raw: arguments}
}

func TestTOOL01_DuplicateNamesAreRefusedAndOrderIsStable(t *testing.T) {
	if _, err := tool.NewRegistry(scripted{name: "a"}, scripted{name: "a"}); err == nil {
		t.Error("two tools named a: want an error")
	}
	registry, err := tool.NewRegistry(scripted{name: "b"}, scripted{name: "c"}, scripted{name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		var names []string
		for _, definition := range registry.Definitions() {
			names = append(names, definition.Name)
		}
		if got := strings.Join(names, " "); got != "a b c" {
			t.Fatalf("order: %s", got)
		}
	}
}

func TestDSP_CheckRefuses(t *testing.T) {
	d := dispatcher(t, []string{"read_file"}, scripted{name: "read_file"}, scripted{name: "write_file"})
	for name, test := range map[string]struct {
		call message.Call
		code message.ToolCode
		text []string
	}{
		"DSP-04 unknown, nearest named": {call("raed_file", `{}`), message.ToolNotFound, []string{`"read_file"`}},
		"DSP-02 outside the allow-list": {call("write_file", `{"path":"a"}`), message.ToolNotAllowed, nil},
		"MSG-05 not JSON":               {message.Call{Name: "read_file", Raw: `{"path":`}, message.InvalidArguments, []string{`{"path":`}},
		"DSP-03 all faults named":       {call("read_file", `{"limit":"x","more":1}`), message.InvalidArguments, []string{"path", "/limit", "more"}},
		"fits":                          {call("read_file", `{"path":"a","limit":3}`), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := d.Check(test.call)
			if test.code == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil || err.Code != test.code {
				t.Fatalf("got %v, want %s", err, test.code)
			}
			for _, text := range test.text {
				if !strings.Contains(err.Message, text) {
					t.Errorf("%q does not name %q", err.Message, text)
				}
			}
		})
	}
}

func TestDSP02_NilAllowsAllAndEmptyAllowsNone(t *testing.T) {
	if n := len(dispatcher(t, nil, scripted{name: "a"}, scripted{name: "b"}).Definitions()); n != 2 {
		t.Errorf("nil offers %d tools, want 2", n)
	}
	if n := len(dispatcher(t, []string{}, scripted{name: "a"}).Definitions()); n != 0 {
		t.Errorf("empty offers %d tools, want 0", n)
	}
	registry, _ := tool.NewRegistry(scripted{name: "a"})
	if _, err := tool.NewDispatcher(registry, tool.Options{Allow: []string{"z"}}); err == nil {
		t.Error("an unknown name in the allow-list: want an error")
	}
}

func TestDSP01_AlwaysAResult(t *testing.T) {
	for name, test := range map[string]struct {
		run  func(context.Context, tool.Input) message.Result
		code message.ToolCode
	}{
		"panic":   {func(context.Context, tool.Input) message.Result { panic("boom") }, message.ExecutionError},
		"nothing": {func(context.Context, tool.Input) message.Result { return message.Result{} }, message.ExecutionError},
		"content": {answer("x"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			result := run(t.Context(), dispatcher(t, nil, scripted{"a", test.run}), call("a", `{"path":"p"}`))
			if got := code(result); got != test.code {
				t.Errorf("got %q, want %q (%s)", got, test.code, result.Text())
			}
		})
	}
}

func code(result message.Result) message.ToolCode {
	if result.Error == nil {
		return ""
	}
	return result.Error.Code
}

func TestDSP04_AnEndedContextNamesItsCause(t *testing.T) {
	for name, test := range map[string]struct {
		cause error
		code  message.ToolCode
		text  string
	}{
		"timeout": {tool.ErrTimeout, message.ToolTimeout, "after 2.0 s"},
		"cancel":  {errors.New("cancelled by the user"), message.Cancelled, "cancelled by the user after 2.0 s"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(2*time.Second, func() { cancel(test.cause) })
				waits := scripted{"a", func(ctx context.Context, _ tool.Input) message.Result {
					<-ctx.Done()
					return message.Result{Content: message.Text("half"), Error: &message.ToolError{Code: message.ExecutionError, Message: "stopped"}}
				}}
				result := run(ctx, dispatcher(t, nil, waits), call("a", `{"path":"p"}`))
				if code(result) != test.code || !strings.Contains(result.Error.Message, test.text) || result.Content.Text() != "half" {
					t.Errorf("got %q", result.Text())
				}
			})
		})
	}
}

func TestCAN01_AToolThatIgnoresItsContextIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("cancelled by the user"))
		release := make(chan struct{})
		stuck := scripted{"a", func(context.Context, tool.Input) message.Result {
			<-release
			return message.Result{Content: message.Text("late")}
		}}
		start := time.Now()
		result := run(ctx, dispatcher(t, nil, stuck), call("a", `{"path":"p"}`))
		if code(result) != message.Cancelled || time.Since(start) > time.Second {
			t.Errorf("got %q after %v", result.Text(), time.Since(start))
		}
		close(release)
	})
}

type limited struct {
	scripted
	limit time.Duration
}

func (l limited) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	plan, err := l.scripted.Prepare(ctx, in)
	plan.Limit = l.limit
	return plan, err
}

func TestLOOP07_TheToolLimitBindsWhenSet(t *testing.T) {
	registry, _ := tool.NewRegistry(scripted{name: "a"}, limited{scripted{name: "b"}, 2 * time.Minute})
	for _, test := range []struct {
		timeout time.Duration
		name    string
		want    time.Duration
	}{
		{0, "a", time.Minute},
		{0, "b", 2 * time.Minute},
		{30 * time.Second, "a", 30 * time.Second},
		{time.Minute, "b", time.Minute},
		{5 * time.Minute, "b", 2 * time.Minute},
	} {
		d, err := tool.NewDispatcher(registry, tool.Options{Timeout: test.timeout})
		if err != nil {
			t.Fatal(err)
		}
		if plan, err := d.Prepare(t.Context(), call(test.name, `{"path":"p"}`)); err != nil || plan.Limit != test.want {
			t.Errorf("%v %s: got %v, want %v (%v)", test.timeout, test.name, plan.Limit, test.want, err)
		}
	}
}
