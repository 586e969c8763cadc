package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// changing is a toolset whose answer is set from outside.
type changing struct {
	name string
	ask  func(ctx context.Context) ([]tool.Tool, error)
}

func (c *changing) Name() string { return c.name }

func (c *changing) Tools(ctx context.Context) ([]tool.Tool, error) { return c.ask(ctx) }

// give has the toolset have these tools from now on.
func (c *changing) give(tools ...tool.Tool) {
	c.ask = func(context.Context) ([]tool.Tool, error) { return tools, nil }
}

func (c *changing) fail(err error) {
	c.ask = func(context.Context) ([]tool.Tool, error) { return nil, err }
}

// named are tools that can be compared, as those are that do not change.
func named(names ...string) []tool.Tool {
	tools := make([]tool.Tool, len(names))
	for i, name := range names {
		tools[i] = &scripted{name: name, run: answer(name)}
	}
	return tools
}

func openSets(t *testing.T, options tool.Options, sets ...tool.Toolset) *tool.Toolsets {
	t.Helper()
	opened, err := tool.OpenToolsets(t.Context(), options, sets...)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// tools are the names of a run's tools, and which toolsets it has to do without.
func toolsOf(t *testing.T, sets *tool.Toolsets) (names, missing string) {
	t.Helper()
	d, without := sets.ForRun(t.Context())
	for _, m := range without {
		missing += fmt.Sprintf("%s: %v;", m.Toolset, m.Err)
	}
	return offered(d), missing
}

func TestTOOL08_ToolsetsAreAskedForEachRun(t *testing.T) {
	own, server := &changing{name: "own"}, &changing{name: "server"}
	own.give(named("read", "write")...)
	server.give(named("tidy")...)
	sets := openSets(t, tool.Options{}, own, server)
	expect := func(want, wantMissing string) {
		t.Helper()
		if names, missing := toolsOf(t, sets); names != want || missing != wantMissing {
			t.Errorf("tools %q, missing %q, want %q, %q", names, missing, want, wantMissing)
		}
	}
	expect("read tidy write", "")
	server.give(named("rename", "tidy")...)
	expect("read rename tidy write", "")
	server.fail(errors.New("the server is gone"))
	expect("read write", "server: the server is gone;")
	expect("read write", "server: the server is gone;")
	server.ask = func(context.Context) ([]tool.Tool, error) { panic("oh") }
	if names, missing := toolsOf(t, sets); names != "read write" || !strings.Contains(missing, "oh") {
		t.Errorf("after a panic: tools %q, missing %q", names, missing)
	}
	server.give(named("read")...)
	expect("read write", `server: register tool "read": the name is taken;`)
	server.give()
	expect("read write", "")
}

func TestTOOL08_ToolsThatStayCostNothingAndAreTheSameToTheByte(t *testing.T) {
	server := &changing{name: "server"}
	server.give(named("tidy")...)
	sets := openSets(t, tool.Options{}, tool.Fixed{Label: "own", Each: named("write", "read")}, server)
	first, _ := sets.ForRun(t.Context())
	again, _ := sets.ForRun(t.Context())
	if first != again {
		t.Error("the dispatcher was made anew though no tool changed")
	}
	server.give(named("tidy")...) // other values of the same description
	anew, _ := sets.ForRun(t.Context())
	if first == anew {
		t.Error("other tools have the dispatcher of those before")
	}
	if diff := cmp.Diff(written(t, first), written(t, anew)); diff != "" {
		t.Errorf("the model is offered something else:\n%s", diff)
	}
}

func written(t *testing.T, d *tool.Dispatcher) string {
	t.Helper()
	text, err := json.Marshal(d.Definitions())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTOOL08_OneThatDoesNotAnswerIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &changing{name: "server"}
		server.give(named("tidy")...)
		sets := openSets(t, tool.Options{}, tool.Fixed{Label: "own", Each: named("read")}, server)
		release := make(chan struct{})
		server.ask = func(context.Context) ([]tool.Tool, error) {
			<-release
			return nil, nil
		}
		began := time.Now()
		names, missing := toolsOf(t, sets)
		if took := time.Since(began); names != "read" || missing != "server: it did not answer in 10s;" || took > 11*time.Second {
			t.Errorf("after %v: tools %q, missing %q", took, names, missing)
		}
		close(release)
		synctest.Wait()
	})
}

func TestTOOL08_BadOptionsAreRefusedAtTheOpening(t *testing.T) {
	server := &changing{name: "server"}
	server.give(named("tidy")...)
	own := tool.Fixed{Label: "own", Each: named("read")}
	preset := func(name, value string) tool.Options {
		return tool.Options{Presets: map[string]map[string]tool.Preset{name: {"limit": {Value: json.RawMessage(value)}}}}
	}
	for name, options := range map[string]tool.Options{
		"no such tool":            {Allow: []string{"read", "raed"}},
		"a preset for none":       preset("raed", "7"),
		"a preset that fits none": preset("tidy", `"seven"`),
	} {
		var refusal *message.Refusal
		if _, err := tool.OpenToolsets(t.Context(), options, own, server); !errors.As(err, &refusal) || refusal.Code != message.InvalidParams {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := tool.OpenToolsets(t.Context(), tool.Options{}, own, own); err == nil {
		t.Error("two tools of one name are taken")
	}

	// What is named may come with a toolset that fails now, and go with one that changes.
	server.fail(errors.New("not yet"))
	sets := openSets(t, tool.Options{Allow: []string{"tidy"}}, own, server)
	server.give(named("tidy")...)
	if names, missing := toolsOf(t, sets); names != "tidy" || missing != "" {
		t.Errorf("tools %q, missing %q", names, missing)
	}
	sets = openSets(t, preset("tidy", "7"), own, server)
	server.give(&scripted{name: "other"})
	if names, missing := toolsOf(t, sets); names != "other read" || missing != "" {
		t.Errorf("tools %q, missing %q", names, missing)
	}
}

func BenchmarkToolsetsForRun(b *testing.B) {
	sets, err := tool.OpenToolsets(b.Context(), tool.Options{}, tool.Fixed{Label: "own", Each: named("read", "write", "edit", "list", "shell")})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		sets.ForRun(b.Context())
	}
}
