package hook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/hook"
	"fairlead/backend/message"
)

var errBroken = errors.New("broken")

// ways are how a hook can fail.
var ways = map[string]struct {
	do   step
	want string
}{
	"error": {func(string) (string, error) { return "half", errBroken }, "broken"},
	"panic": {func(string) (string, error) { panic("boom") }, "it panicked: boom"},
}

func TestHK03_AFailingHookThatWatchesIsLogged(t *testing.T) {
	each(t, false, func(t *testing.T, p point) {
		for name, way := range ways {
			var log bytes.Buffer
			told := false
			chain := hook.NewChain(slog.New(slog.NewTextHandler(&log, nil)), hookAt(p, "memory", 1, way.do),
				hookAt(p, "next", 2, func(text string) (string, error) { told = true; return text, nil }))
			if got, err := p.call(t.Context(), chain, "x"); got != "x" || err != nil || !told {
				t.Errorf("%s: got %q, %v; the next one was told: %v", name, got, err, told)
			}
			for _, want := range []string{"level=WARN", "hook=memory", "point=" + p.name, way.want} {
				if !strings.Contains(log.String(), want) {
					t.Errorf("%s: the log does not hold %q: %s", name, want, &log)
				}
			}
			if n := strings.Count(log.String(), "\n"); n != 1 {
				t.Errorf("%s: %d lines are logged", name, n)
			}
		}
	})
}

func TestHK03_AFailingHookThatAltersIsNamed(t *testing.T) {
	each(t, true, func(t *testing.T, p point) {
		for name, way := range ways {
			chain := hook.NewChain(
				quiet,
				hookAt(p, "before", 1, func(text string) (string, error) { return text + "!", nil }),
				hookAt(p, "memory", 2, way.do),
				hookAt(p, "next", 3, func(text string) (string, error) { t.Errorf("%s: the next one is asked", name); return text, nil }),
			)
			got, err := p.call(t.Context(), chain, "x")
			want := `hook "memory" failed in ` + p.name + ": " + way.want
			var failure *hook.FailedError
			if !errors.As(err, &failure) || failure.Hook != "memory" || failure.Point != p.name || err.Error() != want {
				t.Errorf("%s: got %v, want %s", name, err, want)
			}
			if name == "error" && !errors.Is(err, errBroken) {
				t.Error("what it failed with is lost")
			}
			if got != "x" {
				t.Errorf("%s: it returns %q, not what it was given", name, got)
			}
		}
	})
}

func TestHK03_ARefusalIsNoFailure(t *testing.T) {
	refuse := hook.Hook{Name: "policy", PreActing: func(_ context.Context, call message.Call) (message.Call, error) {
		return call, &hook.Refused{Reason: "not on Fridays"}
	}}
	next := hook.Hook{Name: "next", PreActing: func(_ context.Context, call message.Call) (message.Call, error) {
		t.Error("the next one is asked about a call that is refused")
		return call, nil
	}}
	given := callOf("x")
	call, err := hook.NewChain(quiet, refuse, next).PreActing(t.Context(), given)
	var refused *hook.Refused
	var failure *hook.FailedError
	if !errors.As(err, &refused) || errors.As(err, &failure) || err.Error() != `hook "policy" refused the call: not on Fridays` {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(given, call); diff != "" {
		t.Errorf("the call changed (-want +got):\n%s", diff)
	}
}

func TestHK03_OnlyArgumentsOfACallMayChange(t *testing.T) {
	given := message.Call{ID: "c1", Name: "shell", Arguments: json.RawMessage(`{"a":1}`), Raw: "raw"}
	malformed := message.Call{ID: "c1", Name: "shell", Raw: `{"a":`}
	for name, test := range map[string]struct {
		given  message.Call
		change func(call *message.Call)
		want   string // the arguments
		err    string
	}{
		"nothing":                {given, func(*message.Call) {}, `{"a":1}`, ""},
		"nothing of a malformed": {malformed, func(*message.Call) {}, "", ""},
		"arguments":              {given, func(c *message.Call) { c.Arguments = json.RawMessage(" {\"b\":2}\n") }, " {\"b\":2}\n", ""},
		"mended":                 {malformed, func(c *message.Call) { c.Arguments = json.RawMessage(`{}`) }, `{}`, ""},
		"what the model wrote":   {given, func(c *message.Call) { c.Raw, c.Repaired = "", true }, `{"a":1}`, ""},
		"the tool":               {given, func(c *message.Call) { c.Name = "write_file" }, "", `made write_file "c1" of the call shell "c1"`},
		"the id":                 {given, func(c *message.Call) { c.ID = "c2" }, "", `made shell "c2" of the call shell "c1"`},
		"no arguments":           {given, func(c *message.Call) { c.Arguments = nil }, "", "for shell are not a JSON object"},
		"a list":                 {given, func(c *message.Call) { c.Arguments = json.RawMessage(`[{}]`) }, "", "not a JSON object"},
		"cut JSON":               {given, func(c *message.Call) { c.Arguments = json.RawMessage(`{"a":`) }, "", "not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			h := hook.Hook{Name: "h", PreActing: func(_ context.Context, call message.Call) (message.Call, error) {
				test.change(&call)
				return call, nil
			}}
			got, err := hook.NewChain(quiet, h).PreActing(t.Context(), test.given)
			want := test.given
			if test.err == "" && test.want != "" {
				want.Arguments = json.RawMessage(test.want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("call (-want +got):\n%s", diff)
			}
			var failure *hook.FailedError
			if errors.As(err, &failure) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("got %v, want %q", err, test.err)
			}
		})
	}
}

func TestHK03_AReplyHasCallsWithJSONOnly(t *testing.T) {
	for arguments, ok := range map[string]bool{"": true, `{"a":1}`: true, `{`: false, `"a"`: false} {
		reply := hook.Reply{Calls: []message.Call{{Name: "shell"}}}
		if arguments != "" {
			reply.Calls[0].Arguments = json.RawMessage(arguments)
		}
		h := hook.Hook{Name: "h", PostReasoning: func(context.Context, hook.Reply) (hook.Reply, error) { return reply, nil }}
		_, err := hook.NewChain(quiet, h).PostReasoning(t.Context(), hook.Reply{})
		if (err == nil) != ok {
			t.Errorf("arguments %q: %v", arguments, err)
		}
	}
}
