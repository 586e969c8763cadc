package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// group is the set of tools that these are switched with.
const group = "mcp"

// Record notes what changes in the workspace while a call of a server runs that may change it. end
// is to be called once, when the call has ended: it returns the changes, and a line about them for
// the model. The error is why they cannot be taken back.
type Record func(ctx context.Context, callID string) (end func(ctx context.Context) (changes []message.Change, told string), err error)

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
	// Draft says that the servers were started in a draft, so that what they change is there.
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
	catalogue := strings.Join(lines, "\n")
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

// maxCatalogueLine is how many characters the model is told of one server: 20 servers and both
// tools are at most 600 tokens, whatever the names are.
const maxCatalogueLine = 44

// catalogueLine is what the model is told of a server before it asks.
func catalogueLine(s Status) string {
	name := s.Definition.Name
	if s.Agreed == nil {
		return name + ": no tools agreed to"
	}
	line := fmt.Sprintf("%s: %d tools", name, len(s.Agreed.Tools))
	for i, t := range s.Agreed.Tools {
		more := ", " + t.Name
		if utf8.RuneCountInString(line+more) > maxCatalogueLine {
			if i > 0 {
				line += ", …"
			}
			break
		}
		line += more
	}
	return line
}
