package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// group is the set of tools that these are switched with.
const group = "mcp"

// Record notes what changes in the workspace while a call of a server runs that may change it. end
// is to be called once, when the call has ended. The error is why the changes cannot be taken back.
type Record func(ctx context.Context, callID string) (end func(ctx context.Context) Recorded, err error)

// Recorded is what has changed in the workspace while a call ran.
type Recorded struct {
	Changes []message.Change
	// Told is a line about them for the model, empty for none.
	Told string
	// Notices are what the user should know of them.
	Notices []message.Notice
}

// ToolsetOptions say how a conversation uses the servers of its workspace.
type ToolsetOptions struct {
	Servers *Servers
	// On returns the names of the servers that are switched on.
	On func() []string
	// Rendering makes results of answers.
	Rendering Rendering
	// Record notes what calls change; nil records nothing. Undo is how far that could be taken back;
	// nil says nothing.
	Record Record
	Undo   func(ctx context.Context) *message.Undo
	// Protect keeps from servers what has come to hold keys, or to be acted on by other programs. It
	// is called before each call of one that sees the workspace; nil where nothing is kept from them.
	Protect func(ctx context.Context)
	// Draft reports whether the servers were started in a draft, so that what they change is there.
	Draft bool
}

// NewToolset returns the tools mcp_find and mcp_call, or none while no server is switched on. They
// stay the same to the byte as long as what was agreed to does.
func NewToolset(o ToolsetOptions) tool.Toolset { return &toolset{ToolsetOptions: o} }

type toolset struct {
	ToolsetOptions
	mu sync.Mutex
	// names and catalogue are what the tools were made for.
	names     []string
	catalogue string
	tools     []tool.Tool
}

// Name implements tool.Toolset.
func (t *toolset) Name() string { return "MCP servers" }

// Tools implements tool.Toolset.
func (t *toolset) Tools(context.Context) ([]tool.Tool, error) {
	var names, lines []string
	for _, name := range slices.Sorted(slices.Values(t.On())) {
		if server := t.Servers.Server(name); server != nil && !slices.Contains(names, name) {
			names = append(names, name)
			lines = append(lines, catalogueLine(server.Status()))
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	catalogue := joinCatalogue(lines)
	if slices.Equal(names, t.names) && catalogue == t.catalogue {
		return t.tools, nil
	}
	t.names, t.catalogue, t.tools = names, catalogue, nil
	if len(names) > 0 {
		on := &switchedOn{ToolsetOptions: t.ToolsetOptions, names: names}
		t.tools = []tool.Tool{&finder{switchedOn: on, catalogue: catalogue}, &caller{on}}
	}
	return t.tools, nil
}

// switchedOn are the servers of a run.
type switchedOn struct {
	ToolsetOptions
	names []string
}

// server returns a server that is switched on; nil for any other.
func (o *switchedOn) server(name string) *Server {
	if !slices.Contains(o.names, name) {
		return nil
	}
	return o.Servers.Server(name)
}

const (
	// lineTokens is how many tokens the model is told of a server, as far as its name leaves them,
	// and lineTools how many tools by name: 20 servers with both tools are at most 600 tokens.
	lineTokens = 20
	lineTools  = 3
)

// catalogueLine is what the model is told of a server before it asks.
func catalogueLine(s Status) string {
	name := s.Definition.Name
	if s.Agreed == nil {
		return name + ": no tools agreed to"
	}
	line := fmt.Sprintf("%s: %d tools", name, len(s.Agreed.Tools))
	for i, t := range s.Agreed.Tools {
		if more := line + ", " + t.Name; i < lineTools && guessTokens(more) < lineTokens {
			line = more
			continue
		}
		return line + ", …"
	}
	return line
}

// joinCatalogue joins the lines as far as their tokens go, where names are long.
func joinCatalogue(lines []string) string {
	left := (lineTokens + 1) * max(len(lines), 20)
	for i, line := range lines {
		if left -= guessTokens(line); left < 0 {
			return strings.Join(lines[:i], "\n") + fmt.Sprintf("\nand %d more servers", len(lines)-i)
		}
	}
	return strings.Join(lines, "\n")
}

// guessTokens is about how many tokens a line of ASCII takes, or more than that: up to four
// letters or three digits in a row are one, and so is any other character but a space.
func guessTokens(line string) int {
	tokens, run := 0, 0
	var before rune
	for _, r := range line {
		longest := 1
		switch {
		case r == ' ':
			before = r
			continue
		case r >= '0' && r <= '9':
			longest, r = 3, '0'
		case r >= 'a' && r <= 'z':
			longest, r = 4, 'a'
		}
		if run++; r != before || run > longest {
			tokens, run = tokens+1, 1
		}
		before = r
	}
	return tokens
}
