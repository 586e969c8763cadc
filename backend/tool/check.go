package tool

import (
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/message"
)

// Definition is that of a tool that may be called by this name; ok is false where there is
// none.
func (d *Dispatcher) Definition(name string) (definition Definition, ok bool) {
	b := d.bound[name]
	if b == nil || !b.allowed || slices.Contains(d.off, b.definition.Group) || d.leavesOut(b) {
		return Definition{}, false
	}
	return b.definition, true
}

// Check finds the tool of a call and tests the allow-list, the groups, and the
// arguments against the tool's presets and schema. It returns a nil error exactly
// when the call may go on, and the call as it will run: what is previewed, decided on
// and run has its arguments, to which the presets were added. With an error it
// returns the call as it is.
func (d *Dispatcher) Check(call message.Call) (message.Call, *message.ToolError) {
	b := d.bound[call.Name]
	switch {
	case b == nil:
		return call, d.notFound(call.Name)
	case !b.allowed:
		return call, &message.ToolError{
			Code:    message.ToolNotAllowed,
			Message: fmt.Sprintf("the tool %q is not allowed in this run", call.Name),
		}
	case slices.Contains(d.off, b.definition.Group):
		return call, &message.ToolError{
			Code: message.ToolNotAllowed,
			Message: fmt.Sprintf("the tool %q is not allowed: the user switched off the group %q that it belongs to",
				call.Name, b.definition.Group),
		}
	case d.leavesOut(b):
		return call, &message.ToolError{
			Code:    message.ToolNotAllowed,
			Message: fmt.Sprintf("the tool %q is not allowed in this run: the model's context window is too small for more than the essential tools", call.Name),
		}
	case call.Arguments == nil:
		return call, &message.ToolError{
			Code: message.InvalidArguments,
			Message: fmt.Sprintf("the arguments of %s are not a JSON object: %s; call it again with valid JSON",
				call.Name, shortenText(call.Raw)),
		}
	}
	return b.completeCall(call)
}

// leavesOut reports whether a tool may not be called because the model's window is small.
func (d *Dispatcher) leavesOut(b *bound) bool { return d.few && !b.essential }

// completeCall adds the presets to a call and checks its arguments, naming every fault.
func (b *bound) completeCall(call message.Call) (message.Call, *message.ToolError) {
	arguments, faults := b.presets.complete(call.Arguments)
	unfit, err := b.arguments.findFaults(arguments)
	if err != nil {
		return call, &message.ToolError{Code: message.ExecutionError, Message: err.Error()}
	}
	if faults = append(faults, unfit...); len(faults) > 0 {
		return call, &message.ToolError{
			Code:    message.InvalidArguments,
			Message: fmt.Sprintf("the arguments of %s do not fit: %s", call.Name, strings.Join(faults, "; ")),
		}
	}
	call.Arguments = arguments
	return call, nil
}

func (d *Dispatcher) notFound(name string) *message.ToolError {
	text := fmt.Sprintf("there is no tool %q", shortenText(name))
	if near := Nearest(name, d.allowedNames()); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return &message.ToolError{Code: message.ToolNotFound, Message: text}
}

// allowedNames lists the tools that may be called.
func (d *Dispatcher) allowedNames() []string {
	names := make([]string, 0, len(d.offer))
	for _, definition := range d.offer {
		names = append(names, definition.Name)
	}
	return names
}

func shortenText(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
