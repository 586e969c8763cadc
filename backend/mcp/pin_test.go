package mcp

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/google/go-cmp/cmp"
)

// pinOf pins tools as a server lists them.
func pinOf(t *testing.T, listed ...*sdk.Tool) (*Pin, []LeftOut) {
	t.Helper()
	pin, left, err := readTools(func(string) (*sdk.ListToolsResult, error) { return &sdk.ListToolsResult{Tools: listed}, nil })
	if err != nil {
		t.Fatal(err)
	}
	return pin, left
}

func schema(more string, value any) map[string]any {
	return map[string]any{"type": "object", more: value}
}

func TestEXT02_ToolsThatCannotBeUsedAreLeftOut(t *testing.T) {
	good := &sdk.Tool{Name: "a.b/c-D_1", InputSchema: schema("x", 1.0)}
	pin, left := pinOf(t, good, nil,
		&sdk.Tool{Name: "a b", InputSchema: schema("x", 1.0)},
		&sdk.Tool{Name: "re\u200bad", InputSchema: schema("x", 1.0)},
		&sdk.Tool{Name: strings.Repeat("a", 65), InputSchema: schema("x", 1.0)},
		&sdk.Tool{Name: "twice", InputSchema: schema("x", 1.0)},
		&sdk.Tool{Name: "twice", InputSchema: schema("x", 1.0)},
		&sdk.Tool{Name: "none"},
		&sdk.Tool{Name: "text", InputSchema: map[string]any{"type": "string"}},
		&sdk.Tool{Name: "self", InputSchema: schema("$ref", "#")},
		&sdk.Tool{Name: "large", InputSchema: schema("description", strings.Repeat("x", maxSchema))},
		&sdk.Tool{Name: "results", InputSchema: schema("x", 1.0), OutputSchema: schema("description", strings.Repeat("x", maxSchema))},
		&sdk.Tool{Name: "title", Title: strings.Repeat("x", maxTitle+1), InputSchema: schema("x", 1.0)},
	)
	var names []string
	for _, one := range pin.Tools {
		names = append(names, one.Name)
	}
	if diff := cmp.Diff([]string{"a.b/c-D_1", "twice"}, names); diff != "" {
		t.Error(diff)
	}
	want := []LeftOut{
		{`"a b"`, "its name is not"},
		{`"re\u{200b}ad"`, "its name is not"},
		{`"` + strings.Repeat("a", 65) + `"`, "its name is not"},
		{`"twice"`, "another tool has the same name"},
		{`"none"`, "no JSON object"},
		{`"text"`, "not that of an object"},
		{`"self"`, "too much time"},
		{`"large"`, "more than 64 KiB"},
		{`"results"`, "more than 64 KiB"},
		{`"title"`, "longer than 256 bytes"},
	}
	if len(left) != len(want) {
		t.Fatalf("%d are left out: %v", len(left), left)
	}
	for i, one := range left {
		if one.Name != want[i].Name || !strings.Contains(one.Reason, want[i].Reason) {
			t.Errorf("left out %v, want %v", one, want[i])
		}
	}
}

func TestEXT02_LongDescriptionsCountAsAWhole(t *testing.T) {
	long := strings.Repeat("é", maxDescription/2)
	first, _ := pinOf(t, &sdk.Tool{Name: "a", Description: long + "x", InputSchema: schema("x", 1.0)})
	other, _ := pinOf(t, &sdk.Tool{Name: "a", Description: long + "y", InputSchema: schema("x", 1.0)})
	if got := first.Tools[0]; got.Description != long || got.Cut != 1 {
		t.Errorf("kept %d bytes, cut %d", len(got.Description), got.Cut)
	}
	difference := Compare(first, other)
	if difference == nil || len(difference.Changed) != 1 || difference.Changed[0].Old == difference.Changed[0].New || !strings.Contains(difference.Changed[0].New, "1 more bytes") {
		t.Errorf("a change beyond what is kept is shown as %+v", difference)
	}
}

func TestEXT02_PinIsTheSameForTheSameTools(t *testing.T) {
	a := func() *sdk.Tool {
		return &sdk.Tool{Name: "a", InputSchema: map[string]any{"type": "object", "x": 1.0, "b": "<"}}
	}
	b := &sdk.Tool{Name: "b", InputSchema: schema("x", 1.0)}
	first, _ := pinOf(t, a(), b)
	second, _ := pinOf(t, b, a())
	if first.Hash != second.Hash || Compare(first, second) != nil {
		t.Error("the order of tools counts")
	}
	third, _ := pinOf(t, a())
	if Compare(first, third) == nil || Compare(nil, third) == nil || Compare(nil, third).String() != "new: a" {
		t.Error("a difference is not seen")
	}
}

func TestEXT01_ReasonOfTheStarterIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		servers := NewServers(Options{Starter: func(context.Context, Definition, Grant) (*Connection, error) {
			return nil, errors.New("npx\u202e was not found in the PATH /usr/bin: install Node.js")
		}})
		defer servers.Close()
		if err := servers.Put(Entry{Definition: filesDefinition}); err != nil {
			t.Fatal(err)
		}
		server := servers.Server("files")
		server.Start()
		settle(server)
		wantReason(t, server, StateFailed, `the server files cannot be used: npx\u{202e} was not found in the PATH /usr/bin: install Node.js`)
	})
}

func TestStarterThatHangsHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		servers := NewServers(Options{Starter: func(context.Context, Definition, Grant) (*Connection, error) {
			<-release
			return nil, errors.New("late")
		}})
		if err := servers.Put(Entry{Definition: filesDefinition}); err != nil {
			t.Fatal(err)
		}
		server := servers.Server("files")
		server.Start()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := callIt(ctx, server, "a", `{}`); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		began := time.Now()
		servers.Close()
		if time.Since(began) > closeTime {
			t.Errorf("closed after %v", time.Since(began))
		}
		close(release)
	})
}
