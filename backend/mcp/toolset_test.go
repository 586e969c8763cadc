package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/approve"
	"fairlead/backend/llm/tokens"
	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/tooltest"
)

// tools are mcp_call and mcp_find of a toolset.
func tools(t *testing.T, o ToolsetOptions) (find, call tool.Tool) {
	t.Helper()
	if o.Rendering.Shorten == nil {
		o.Rendering = plainRendering
	}
	all, err := NewToolset(o).Tools(t.Context())
	if err != nil || len(all) != 2 {
		t.Fatalf("%d tools, %v", len(all), err)
	}
	return all[0], all[1]
}

func on(names ...string) func() []string { return func() []string { return names } }

func input(arguments string) tool.Input {
	return tool.Input{CallID: "call-1", Arguments: json.RawMessage(arguments)}
}

func TestTOOL06_Conformance(t *testing.T) {
	long := strings.Repeat("line é 目 🙂 ", 20_000)
	s := &script{level: message.LevelNone, on: map[string]func(*running, incoming){"tools/call": func(r *running, m incoming) {
		var p struct {
			Arguments struct{ Path string }
		}
		_ = json.Unmarshal(m.Params, &p)
		said := map[string]string{"huge": long, "crlf": "a\r\nb\r\n", "unicode": "a é 目 🙂"}[p.Arguments.Path]
		if p.Arguments.Path == "slow" {
			return
		}
		text, _ := json.Marshal(said)
		r.reply(m, fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, text))
	}}}
	var many []string
	for i := range 150 {
		many = append(many, aTool(fmt.Sprintf("read_%d", i), "reads "+strings.Repeat("the file é 目 🙂 ", 100)))
	}
	s.setTools(append(many, aTool("a", "lists"))...)
	server := open(t, s, nil)
	servers := NewServers(Options{Starter: s.start})
	servers.named["files"] = server
	find, call := tools(t, ToolsetOptions{Servers: servers, On: on("files")})
	one := func(path string) string {
		return fmt.Sprintf(`{"server":"files","tool":"a","arguments":{"path":%q}}`, path)
	}
	tooltest.Conform(t, tooltest.Case{
		Tool: call, Good: one("x"), Slow: one("slow"), Huge: one("huge"),
		CRLF: tooltest.Probe{Arguments: one("crlf"), Want: "a\r\nb"}, Unicode: tooltest.Probe{Arguments: one("unicode"), Want: "a é 目 🙂"},
	}, tooltest.Case{
		Tool: find, Good: `{"query":"lists"}`, Huge: `{"query":"read"}`,
		CRLF: tooltest.Probe{Arguments: `{"query":"lists\r\n"}`, Want: "tool: a"}, Unicode: tooltest.Probe{Arguments: `{"query":"目"}`, Want: "目 🙂"},
	})
}

func TestEXT03_ToolsAreThereWhileAServerIsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := answering(`{"content":[]}`)
		servers := openAll(t, s, nil, Entry{Definition: filesDefinition})
		names := []string(nil)
		set := NewToolset(ToolsetOptions{Servers: servers, On: func() []string { return names }, Rendering: plainRendering})
		ask := func() []tool.Tool {
			all, err := set.Tools(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		if all := ask(); len(all) != 0 {
			t.Error("tools without a server")
		}
		names = []string{"unknown"}
		if all := ask(); len(all) != 0 {
			t.Error("tools for a server that does not exist")
		}
		names = []string{"files", "files"}
		before := ask()
		if text := before[0].Definition().Description; !strings.HasSuffix(text, "\nfiles: no tools agreed to") {
			t.Error(text)
		}
		agree(t, servers.Server("files"))
		after := ask()
		if text := after[0].Definition().Description; !strings.HasSuffix(text, "\nfiles: 1 tools, a") {
			t.Error(text)
		}
		again := ask()
		if after[0] == before[0] || again[0] != after[0] || again[1] != after[1] {
			t.Error("the tools are others without a reason, or the same ones in spite of one")
		}
	})
}

// Twenty servers with thirty tools each cost at most 600 tokens, whatever they are called.
func TestEXT03_CatalogueIsShort(t *testing.T) {
	usual := []string{"read_file", "write_file", "list_directory", "search", "get_status"}
	for name, each := range map[string]func(server, tool int) (string, string){
		"usual": func(server, i int) (string, string) {
			return []string{"filesystem", "github", "postgres", "memory", "browser"}[server%5] + fmt.Sprint("-", server), fmt.Sprint(usual[i%5], "_", i)
		},
		"long": func(server, i int) (string, string) {
			return fmt.Sprintf("xq%02d-zvk9-w7q_3jx-p0q8-zz-k4-vv", server), fmt.Sprintf("%02dQ-zX9_vK.w7/q3Jx-P0q8_Zz.k4/Vv", i) + strings.Repeat("qZ9-", 8)
		},
		"short": func(server, i int) (string, string) { return fmt.Sprintf("%d", server), fmt.Sprintf("%d", i) },
	} {
		servers := NewServers(Options{})
		var names []string
		for server := range 20 {
			var listed []Tool
			for i := range 30 {
				_, toolName := each(server, i)
				listed = append(listed, Tool{Name: toolName, Hash: "h"})
			}
			called, _ := each(server, 0)
			names = append(names, called)
			if err := servers.Put(Entry{Definition: Definition{Name: called, Kind: KindStdio, Command: "x"}, Pin: newPin(listed)}); err != nil {
				t.Fatal(err)
			}
		}
		find, call := tools(t, ToolsetOptions{Servers: servers, On: on(names...)})
		n := 0
		for _, one := range []tool.Tool{find, call} {
			d := one.Definition()
			text, _ := json.Marshal(map[string]any{"type": "function", "function": map[string]any{"name": d.Name, "description": d.Description, "parameters": d.Parameters}})
			n += tokens.Count(string(text))
		}
		t.Logf("%s: %d tokens", name, n)
		if n > 600 {
			t.Errorf("%s: %d tokens\n%s", name, n, find.Definition().Description)
		}
		servers.Close()
	}
}

func TestDSP03_CallsThatCannotSucceed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{}
		s.setTools(aTool("read_file", ""))
		servers := openAll(t, s, nil, Entry{Definition: filesDefinition}, Entry{Definition: Definition{Name: "new", Kind: KindStdio, Command: "x"}})
		agree(t, servers.Server("files"))
		_, call := tools(t, ToolsetOptions{Servers: servers, On: on("files", "new")})
		for arguments, want := range map[string]struct {
			code  message.ToolCode
			words string
		}{
			`{"server":"file","tool":"read_file","arguments":{}}`:          {message.ToolNotFound, `there is no server "file" switched on; did you mean "files"?`},
			`{"server":"off","tool":"read_file","arguments":{}}`:           {message.ToolNotFound, `there is no server "off" switched on`},
			`{"server":"files","tool":"readfile","arguments":{}}`:          {message.ToolNotFound, `the server files has no tool "readfile"; did you mean "read_file"?`},
			`{"server":"files","tool":"zebra","arguments":{}}`:             {message.ToolNotFound, "mcp_find shows what there is"},
			`{"server":"files","tool":"read_file","arguments":{"path":1}}`: {message.InvalidArguments, "the arguments of files/read_file do not fit: at /path: got number, want string"},
			`{"server":"files","tool":"read_file","arguments":{}}`:         {message.InvalidArguments, "missing property 'path'"},
			`{"server":"files","tool":"read_file","arguments":"path"}`:     {message.InvalidArguments, "arguments is an object"},
			`{"server":"new","tool":"read_file","arguments":{"path":"a"}}`: {message.ExecutionError, "nobody has agreed to the tools of the server new yet"},
		} {
			_, err := call.Prepare(t.Context(), input(arguments))
			var failure *message.ToolError
			if !errors.As(err, &failure) || failure.Code != want.code || !strings.Contains(failure.Message, want.words) {
				t.Errorf("%s: %v, want %s %q", arguments, err, want.code, want.words)
			}
		}
	})
}

// A call passes without a question only of a server that is confined, changes nothing, tells nobody,
// and says so of the tool.
func TestEXT03_WhichCallsAreAskedAbout(t *testing.T) {
	hosts := []Host{{Name: "a.org", Port: 443}}
	remote := Definition{Name: "files", Kind: KindHTTP, URL: "https://example.org/mcp"}
	all := []approve.Mode{approve.Ask, approve.Preview, approve.Draft, approve.Writes, approve.All}
	for name, test := range map[string]struct {
		definition Definition
		grant      Grant
		level      message.Level
		tool       string
		asks       bool
		effect     message.Effect
		network    bool
		// passes are the modes that let it pass where it asks.
		passes []approve.Mode
	}{
		"nothing":      {filesDefinition, Grant{}, message.LevelFull, "look", false, message.EffectCommand, false, all},
		"reads":        {filesDefinition, Grant{Folder: FolderRead}, message.LevelFull, "look", false, message.EffectCommand, false, all},
		"not its word": {filesDefinition, Grant{}, message.LevelFull, "do", true, message.EffectCommand, false, []approve.Mode{approve.All}},
		"limited":      {filesDefinition, Grant{}, message.LevelLimited, "look", true, message.EffectCommand, false, []approve.Mode{approve.All}},
		"unconfined":   {filesDefinition, Grant{}, message.LevelNone, "look", true, message.EffectCommand, false, []approve.Mode{approve.All}},
		"writes":       {filesDefinition, Grant{Folder: FolderWrite}, message.LevelFull, "look", true, message.EffectCommand, false, []approve.Mode{approve.All}},
		"a host":       {filesDefinition, Grant{Hosts: hosts}, message.LevelFull, "look", true, message.EffectNetwork, false, nil},
		"both":         {filesDefinition, Grant{Folder: FolderWrite, Hosts: hosts}, message.LevelFull, "look", true, message.EffectCommand, true, []approve.Mode{approve.All}},
		"elsewhere":    {remote, Grant{}, "", "look", true, message.EffectNetwork, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{level: test.level}
				s.setTools(readOnly("look"), `{"name":"do","inputSchema":{"type":"object"}}`)
				servers := openAll(t, s, nil, Entry{Definition: test.definition, Grant: test.grant})
				agree(t, servers.Server("files"))
				_, call := tools(t, ToolsetOptions{Servers: servers, On: on("files")})
				plan, err := call.Prepare(t.Context(), input(`{"server":"files","tool":"`+test.tool+`","arguments":{}}`))
				if err != nil {
					t.Fatal(err)
				}
				if p := plan.Preview; plan.Asks != test.asks || p.Effect != test.effect || p.Network != test.network || p.Level != test.level || p.Copied || p.URL != "" || p.ServerCall.Runs != test.definition.String() {
					t.Errorf("asks %v, %+v", plan.Asks, p)
				}
				if !plan.Asks {
					return
				}
				for _, mode := range all {
					gate := approve.Gate{Broker: approve.NewBroker(), Mode: func() approve.Mode { return mode }, Publish: noEvent, Timeout: time.Minute}
					ctx, cancel := context.WithCancel(t.Context())
					cancel() // nobody answers
					decision := gate.Ask(ctx, message.Call{Name: "mcp_call"}, message.AskBefore(plan.Preview, nil), func() {})
					passes := decision.Verdict == message.Approve
					if want := slices.Contains(test.passes, mode) && !test.network; passes != want {
						t.Errorf("mode %s: %s", mode, decision.Verdict)
					}
				}
			})
		})
	}
}

func TestHITL02_PreviewShowsServerToolArgumentsAndGrant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{level: message.LevelFull}
		s.setTools(`{"name":"do","title":"Do\u202e it","inputSchema":{"type":"object"}}`)
		definition := filesDefinition
		definition.Args = []string{"--root", "a b"}
		grant := Grant{Folder: FolderWrite, Hosts: []Host{{Name: "a.org", Port: 443}}}
		servers := openAll(t, s, nil, Entry{Definition: definition, Grant: grant})
		agree(t, servers.Server("files"))
		undo := &message.Undo{Quality: message.UndoCompared}
		_, call := tools(t, ToolsetOptions{Servers: servers, On: on("files"), Undo: func(context.Context) *message.Undo { return undo }})
		prepare := func(arguments string) message.Preview {
			plan, err := call.Prepare(t.Context(), input(`{"server":"files","tool":"do","arguments":`+arguments+`}`))
			if err != nil {
				t.Fatal(err)
			}
			return plan.Preview
		}
		got := prepare("{\"b\":\"<x>\u200b\",\"a\":[1]}")
		want := message.Preview{
			Effect: message.EffectCommand, Level: message.LevelFull, Network: true, Undo: undo,
			Confinement: "The system holds the server to this: it reads and changes the folder; reaches a.org:443.",
			ServerCall: &message.ServerCall{
				Server: "files", Tool: "do", Title: `Do\u{202e} it`, Runs: "files-server --root 'a b'", Grant: "reads and changes the folder; reaches a.org:443",
				Folder: "write", Hosts: []string{"a.org:443"},
				Arguments: "{\n  \"b\": \"<x>\\u{200b}\",\n  \"a\": [\n    1\n  ]\n}",
			},
			Fingerprint: got.Fingerprint,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if got.Fingerprint == "" || got.Fingerprint == prepare(`{}`).Fingerprint || got.Fingerprint != prepare("{\"b\":\"<x>\u200b\",\"a\":[1]}").Fingerprint {
			t.Error("the fingerprint does not name the call")
		}
	})
}

func TestHITL09_PlanIsForTheServerThatWasShown(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, s *script, servers *Servers){
		"suspended": func(_ *testing.T, s *script, servers *Servers) {
			s.setTools(aTool("a", "other"))
			servers.Server("files").noteStale(servers.Server("files").session)
			time.Sleep(2 * time.Second) //nolint:forbidigo // virtual time
		},
		"agreed to others": func(t *testing.T, s *script, servers *Servers) {
			s.setTools(aTool("a", "other"))
			servers.Server("files").noteStale(servers.Server("files").session)
			time.Sleep(2 * time.Second) //nolint:forbidigo // virtual time
			agree(t, servers.Server("files"))
		},
		"removed": func(_ *testing.T, _ *script, servers *Servers) { servers.Remove("files") },
		"another grant": func(t *testing.T, _ *script, servers *Servers) {
			if err := servers.Put(Entry{Definition: filesDefinition, Grant: Grant{Folder: FolderWrite}}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				called := false
				s := &script{on: map[string]func(*running, incoming){"tools/call": func(r *running, m incoming) {
					called = true
					r.behave(m)
				}}}
				s.setTools(aTool("a", ""))
				servers := openAll(t, s, nil, Entry{Definition: filesDefinition})
				agree(t, servers.Server("files"))
				_, call := tools(t, ToolsetOptions{Servers: servers, On: on("files")})
				plan, err := call.Prepare(t.Context(), input(`{"server":"files","tool":"a","arguments":{"path":"x"}}`))
				if err != nil || plan.Check(t.Context()) != nil {
					t.Fatal(err)
				}
				change(t, s, servers)
				if plan.Check(t.Context()) == nil {
					t.Error("the plan still holds")
				}
				if result := plan.Run(t.Context(), func(string) {}).Result; result.Success() || called {
					t.Errorf("called: %s", result.Text())
				}
			})
		})
	}
}

func TestCHG03_CallsThatMayChangeTheFolderAreRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, test := range map[string]struct {
			folder Folder
			err    error
			want   string
		}{
			"reads":  {FolderRead, nil, marked + "done"},
			"writes": {FolderWrite, nil, "(changed in the folder: created x)\n" + marked + "done"},
			"cannot": {FolderWrite, errors.New("no space"), "(what this call changes cannot be taken back: no space)\n" + marked + "done"},
		} {
			s := &script{level: message.LevelFull}
			s.setTools(aTool("a", ""))
			servers := openAll(t, s, nil, Entry{Definition: filesDefinition, Grant: Grant{Folder: test.folder}})
			agree(t, servers.Server("files"))
			_, call := tools(t, ToolsetOptions{Servers: servers, On: on("files"), Record: func(_ context.Context, callID string) (func(context.Context) Recorded, error) {
				if callID != "call-1" {
					t.Error(callID)
				}
				if test.err != nil {
					return nil, test.err
				}
				return func(context.Context) Recorded {
					return Recorded{Changes: []message.Change{{Path: "x", Kind: "created"}}, Told: "(changed in the folder: created x)"}
				}, nil
			}})
			result := tooltest.Run(t.Context(), call, input(`{"server":"files","tool":"a","arguments":{"path":"x"}}`))
			if result.Text() != test.want || (len(result.Changes) == 1) != (name == "writes") || result.Level != message.LevelFull {
				t.Errorf("%s: %q, %v", name, result.Text(), result.Changes)
			}
		}
	})
}
