package mcp

import (
	"cmp"
	"context"
	_ "embed" // the description
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// callLimit is how long one call may take, with what the user is asked in between.
const callLimit = 5 * time.Minute

//go:embed mcp_call.md
var callDescription string

// callSchema leaves the arguments open: what fits is the other tool's schema.
const callSchema = `{"type":"object","properties":{"server":{"type":"string"},"tool":{"type":"string"},` +
	`"arguments":{"type":"object","additionalProperties":true}},"required":["server","tool","arguments"],"additionalProperties":false}`

// caller is the tool mcp_call.
type caller struct{ *switchedOn }

type callArguments struct {
	Server    string          `json:"server"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// Definition implements tool.Tool.
func (c *caller) Definition() tool.Definition {
	return tool.Definition{
		Name: "mcp_call", Description: strings.TrimSpace(callDescription), Parameters: json.RawMessage(callSchema),
		Confirm: true, Effect: message.EffectCommand, Group: group,
		Display: message.Display{
			Title: "Call a server's tool", Icon: message.IconTerminal,
			Subject: message.Subject{Arguments: []string{"tool"}, Kind: message.SubjectText},
		},
	}
}

// Prepare implements tool.Tool. It waits for a server that is being started.
func (c *caller) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	arguments, err := tool.Arguments[callArguments](in.Arguments)
	if err != nil {
		return tool.Plan{}, err
	}
	if arguments.Server == "" || arguments.Tool == "" || !strings.HasPrefix(strings.TrimSpace(string(arguments.Arguments)), "{") {
		return tool.Plan{}, &message.ToolError{Code: message.InvalidArguments, Message: "server and tool are names, and arguments is an object"}
	}
	server := c.server(arguments.Server)
	if server == nil {
		return tool.Plan{}, notFound("there is no server %q switched on", arguments.Server, c.names)
	}
	if _, err := server.use(ctx); err != nil {
		return tool.Plan{}, toolError(ctx, err)
	}
	status := server.Status()
	called := status.Agreed.find(arguments.Tool)
	if called == nil {
		var names []string
		for _, t := range status.Agreed.Tools {
			names = append(names, t.Name)
		}
		return tool.Plan{}, notFound("the server "+arguments.Server+" has no tool %q", arguments.Tool, names)
	}
	if err := checkArguments(called, arguments); err != nil {
		return tool.Plan{}, err
	}
	preview := c.preview(ctx, status, called, arguments)
	return tool.Plan{
		Preview: preview, Asks: !passesUnasked(status, called), Limit: callLimit,
		Check: func(context.Context) error { return c.recheck(server, status) },
		Run: func(ctx context.Context, progress func(string)) tool.Outcome {
			return tool.Outcome{Result: c.call(ctx, in.CallID, server, status, arguments, progress)}
		},
	}, nil
}

// notFound is the error of a name that nothing has; it names a near one.
func notFound(format, name string, names []string) *message.ToolError {
	shown, _ := cutText(name, maxTitle)
	text := fmt.Sprintf(format, shown)
	if near := tool.Nearest(name, names); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else {
		text += "; mcp_find shows what there is"
	}
	return &message.ToolError{Code: message.ToolNotFound, Message: text}
}

// checkArguments names every place where the arguments do not fit the tool.
func checkArguments(called *Tool, a callArguments) error {
	schema, err := tool.ReadForeignSchema(called.Input)
	var faults []string
	if err == nil {
		faults, err = schema.Faults(a.Arguments)
	}
	if err != nil {
		return &message.ToolError{Code: message.InvalidArguments, Message: fmt.Sprintf("the arguments of %s/%s cannot be checked: %s", a.Server, a.Tool, err)}
	}
	if len(faults) > 0 {
		return &message.ToolError{Code: message.InvalidArguments, Message: fmt.Sprintf("the arguments of %s/%s do not fit: %s", a.Server, a.Tool, strings.Join(faults, "; "))}
	}
	return nil
}

// passesUnasked reports whether nobody is asked about a call: the server is confined, changes
// nothing here, tells nobody, and says of the tool that it changes nothing (SPEC EXT-03).
func passesUnasked(s Status, called *Tool) bool {
	return s.Definition.Kind == KindStdio && s.Level == message.LevelFull && len(s.Grant.Hosts) == 0 &&
		s.Grant.Folder != FolderWrite && called.ReadOnly()
}

// preview is what the user is shown. A server that may change the folder is asked about as a
// command is, with the network as a question of its own; one that only reaches hosts as a request,
// whose address alone would hide what is sent.
func (c *caller) preview(ctx context.Context, s Status, called *Tool, a callArguments) message.Preview {
	reaches := s.Definition.Kind != KindStdio || len(s.Grant.Hosts) > 0
	preview := message.Preview{
		Effect: message.EffectCommand, Level: s.Level, Confinement: confinement(s), Draft: c.Draft,
		ServerCall:  serverCall(s, called, a),
		Fingerprint: hashOf("call", []any{s.Definition.Hash(), s.Agreed.Hash, s.Grant.Hash(), s.Level, called.Name, string(a.Arguments)}),
	}
	switch {
	case s.Grant.Folder == FolderWrite:
		preview.Network = reaches
		if c.Undo != nil {
			preview.Undo = c.Undo(ctx)
		}
	case reaches:
		preview.Effect = message.EffectNetwork
	}
	return preview
}

// serverCall is what the user is shown of a call.
func serverCall(s Status, called *Tool, a callArguments) *message.ServerCall {
	shown := &message.ServerCall{
		Server: s.Definition.Name, Tool: called.Name, Title: message.Inline(called.Title),
		Arguments: shownJSON(a.Arguments), Runs: s.Definition.String(), Elsewhere: s.Definition.Kind != KindStdio,
		Folder: string(cmp.Or(s.Grant.Folder, FolderNone)), Variables: s.Grant.Variables, Grant: s.Grant.String(), ReadOnly: called.ReadOnly(),
	}
	for _, host := range s.Grant.Hosts {
		shown.Hosts = append(shown.Hosts, host.String())
	}
	return shown
}

// confinement says in a sentence what the system holds the server to.
func confinement(s Status) string {
	switch {
	case s.Definition.Kind != KindStdio:
		return "The server is not on this computer: it is sent the arguments."
	case s.Level == message.LevelFull:
		return "The system holds the server to this: it " + s.Grant.String() + "."
	}
	return "The system does not hold the server to its grant (it " + s.Grant.String() + "): it runs with more rights."
}

// recheck returns an error where the server is not as it was when a call was prepared.
func (c *caller) recheck(server *Server, was Status) error {
	now := server.Status()
	switch {
	case c.server(was.Definition.Name) != server:
		return fmt.Errorf("the server %s was removed or changed", was.Definition.Name)
	case now.State == StateSuspended || now.State == StateStopped:
		return fmt.Errorf("%s", now.Reason)
	case now.Agreed.Hash != was.Agreed.Hash || now.Level != was.Level:
		return fmt.Errorf("the server %s is not as it was", was.Definition.Name)
	}
	return nil
}

// call carries a call out, and records what changes meanwhile where the server may change the folder.
func (c *caller) call(ctx context.Context, callID string, server *Server, was Status, a callArguments, progress func(string)) message.Result {
	if c.Protect != nil && (was.Grant.Folder == FolderRead || was.Grant.Folder == FolderWrite) {
		c.Protect(ctx)
	}
	var end func(context.Context) Recorded
	var unrecorded error
	if was.Grant.Folder == FolderWrite && c.Record != nil {
		end, unrecorded = c.Record(ctx, callID)
	}
	answer, err := server.CallTool(ctx, Request{Tool: a.Tool, Arguments: a.Arguments, Pin: was.Agreed.Hash, Level: was.Level}, progress)
	var result message.Result
	if err != nil {
		result = tool.Failure(err)
	} else {
		result = answer.Result(ctx, callID, c.Rendering)
	}
	result.Level = was.Level
	if unrecorded != nil {
		result.Content = result.Content.After("(what this call changes cannot be taken back: " + unrecorded.Error() + ")")
	}
	if end != nil {
		recorded := end(ctx)
		result.Changes, result.Notices = recorded.Changes, recorded.Notices
		if recorded.Told != "" {
			result.Content = result.Content.After(recorded.Told)
		}
	}
	return result
}
