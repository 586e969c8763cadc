package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// script is a server of a test, which says what it likes: it writes lines, without the SDK.
type script struct {
	// on answers requests and notifications by their method, in place of what an honest server does.
	on map[string]func(r *running, m incoming)
	// begin is called when it has started; nil for nothing.
	begin func(r *running)
	// stderr is what it writes beside messages.
	stderr string
	// level is how far it is said to be confined.
	level message.Level

	mu    sync.Mutex
	tools []string
	// starts counts the processes, and alive those that have not ended.
	starts, alive atomic.Int64
}

// incoming is a message that a server is sent.
type incoming struct {
	ID     json.RawMessage
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// running is one process of a server.
type running struct {
	*script
	out    io.Writer
	closed chan struct{}
	end    func()
}

func (s *script) setTools(tools ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools = tools
}

func (s *script) listed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return `{"tools":[` + strings.Join(s.tools, ",") + `]}`
}

// start is a Starter.
func (s *script) start(context.Context, Definition, Grant) (*Connection, error) {
	fromServer, output := io.Pipe()
	input, toServer := io.Pipe()
	errors, stderr := io.Pipe()
	r := &running{script: s, out: output, closed: make(chan struct{})}
	var once sync.Once
	r.end = func() {
		once.Do(func() {
			close(r.closed)
			_ = output.Close()
			_ = input.Close()
			_ = stderr.Close()
		})
	}
	s.starts.Add(1)
	s.alive.Add(1)
	var parts sync.WaitGroup
	parts.Go(func() { _, _ = io.WriteString(stderr, s.stderr) })
	parts.Go(func() { r.serve(input) })
	go func() {
		parts.Wait()
		s.alive.Add(-1)
	}()
	return &Connection{
		Transport: PipeTransport(fromServer, toServer), Stderr: errors, Level: s.level, Done: r.closed,
		Close: func() error { r.end(); return nil },
	}, nil
}

func (r *running) serve(input io.Reader) {
	defer r.end()
	if r.begin != nil {
		r.begin(r)
	}
	lines := bufio.NewReader(input)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var m incoming
		if err := json.Unmarshal(line, &m); err != nil {
			return
		}
		if do, ok := r.on[m.Method]; ok {
			do(r, m)
			continue
		}
		r.behave(m)
	}
}

// behave is what an honest server does.
func (r *running) behave(m incoming) {
	switch m.Method {
	case "initialize":
		r.reply(m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"s","version":"1"}}`)
	case "tools/list":
		r.reply(m, r.listed())
	case "tools/call":
		r.reply(m, `{"content":[{"type":"text","text":"done"}]}`)
	case "ping":
		r.reply(m, `{}`)
	case "":
	default:
		if m.ID != nil {
			r.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
		}
	}
}

func (r *running) reply(m incoming, result string) {
	r.write(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// write writes one line; it fails when nobody reads any more.
func (r *running) write(format string, values ...any) {
	_, _ = fmt.Fprintf(r.out, format+"\n", values...)
}

// silent does nothing.
func silent(*running, incoming) {}

// aTool is a tool as a server lists it, with one text argument.
func aTool(name, description string) string {
	said, _ := json.Marshal(description)
	return fmt.Sprintf(`{"name":%q,"description":%s,"inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}`, name, said)
}

// readOnly is a tool that says it changes nothing.
func readOnly(name string) string {
	return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`, name)
}

var filesDefinition = Definition{Name: "files", Kind: KindStdio, Command: "files-server"}

// open returns a server that is a script, whose tools are agreed to as they are unless it fails.
func open(t *testing.T, s *script, asks Elicitor) *Server {
	t.Helper()
	servers := openAll(t, s, asks, Entry{Definition: filesDefinition})
	server := servers.Server("files")
	agree(t, server)
	return server
}

func openAll(t *testing.T, s *script, asks Elicitor, entries ...Entry) *Servers {
	t.Helper()
	servers := NewServers(Options{Starter: s.start, Elicitor: asks, Version: "test"})
	t.Cleanup(func() { closeAll(t, s, servers) })
	for _, e := range entries {
		if err := servers.Put(e); err != nil {
			t.Fatal(err)
		}
	}
	return servers
}

// closeAll closes the servers, of which nothing is left then.
func closeAll(t *testing.T, s *script, servers *Servers) {
	t.Helper()
	servers.Close()
	deadline := time.After(time.Second)
	for s.alive.Load() > 0 {
		select {
		case <-time.After(time.Millisecond):
		case <-deadline:
			t.Fatal("a server lives on")
		}
	}
}

// agree starts a server and agrees to its tools.
func agree(t *testing.T, server *Server) {
	t.Helper()
	server.Start()
	settle(server)
	if found := server.Status().Found; found != nil {
		if _, err := server.Agree(found.Hash); err != nil {
			t.Fatal(err)
		}
		settle(server)
	}
}

// settle waits until a start has ended.
func settle(server *Server) {
	for {
		server.mu.Lock()
		attempt := server.attempt
		server.mu.Unlock()
		if attempt == nil {
			return
		}
		<-attempt
	}
}

// callIt calls a tool of a server as it is now.
func callIt(ctx context.Context, server *Server, name, arguments string) (message.Result, error) {
	status := server.Status()
	r := Request{Tool: name, Arguments: json.RawMessage(arguments), Level: status.Level}
	if status.Agreed != nil {
		r.Pin = status.Agreed.Hash
	}
	answer, err := server.CallTool(ctx, r, func(string) {})
	if err != nil {
		return message.Result{}, err
	}
	return answer.Result(ctx, "call-1", plainRendering), nil
}

// plainRendering shortens to 32,000 bytes.
var plainRendering = Rendering{Shorten: func(_, text string) (string, bool) {
	if len(text) > 32_000 {
		return validText(text[:16_000]) + "\n[…]\n" + validText(text[len(text)-15_000:]), true
	}
	return text, false
}}

// wantReason checks the state and words of the reason, which is one sentence.
func wantReason(t *testing.T, server *Server, state State, words string) {
	t.Helper()
	status := server.Status()
	if status.State != state || !strings.Contains(status.Reason, words) {
		t.Errorf("state %s, %q, want %s, %q", status.State, status.Reason, state, words)
	}
	if strings.ContainsAny(status.Reason, "\n\u200b") || strings.HasSuffix(status.Reason, ".") || len(status.Reason) > 800 {
		t.Errorf("%q is not one sentence", status.Reason)
	}
}

func noEvent(event.Data) {}
