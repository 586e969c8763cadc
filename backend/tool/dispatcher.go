package tool

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"fairlead/backend/message"
)

// settleTime is how long a tool may take to return after its context ended. One
// that takes longer, stuck in the operating system, is left behind, so that a
// cancel always ends the run in time (SPEC CAN-01).
const settleTime = 300 * time.Millisecond

// Dispatcher checks calls and runs them. It always returns a Result.
type Dispatcher struct {
	bound map[string]*bound
	offer []Definition
	limit time.Duration
	bind  bool
}

// bound is a tool with what the dispatcher knows of it.
type bound struct {
	tool       Tool
	definition Definition
	allowed    bool
	arguments  validator
}

// Limits are the time limits of calls.
type Limits struct {
	// Default is the limit of tools that name none of their own.
	Default time.Duration
	// Binding makes Default an upper bound for the others too.
	Binding bool
}

// NewDispatcher returns a dispatcher of the registry's tools. Of these the names
// in allow may be called: nil allows all, an empty list none. A name in allow
// that no tool has is a *message.Refusal with INVALID_PARAMS.
func NewDispatcher(registry *Registry, allow []string, limits Limits) (*Dispatcher, error) {
	d := &Dispatcher{bound: map[string]*bound{}, limit: limits.Default, bind: limits.Binding}
	for _, definition := range registry.Definitions() {
		allowed := allow == nil || slices.Contains(allow, definition.Name)
		d.bound[definition.Name] = &bound{
			tool: registry.tools[definition.Name], definition: definition, allowed: allowed,
			arguments: validator{schema: definition.Parameters},
		}
		if allowed {
			d.offer = append(d.offer, definition)
		}
	}
	for _, name := range allow {
		if d.bound[name] == nil {
			known := strings.Join(slices.Sorted(maps.Keys(d.bound)), ", ")
			return nil, &message.Refusal{
				Code: message.InvalidParams, Message: fmt.Sprintf("allow tool %q: there is no such tool; there are %s", name, known),
			}
		}
	}
	return d, nil
}

// Definitions lists the tools that may be called, sorted by name.
func (d *Dispatcher) Definitions() []Definition { return d.offer }

// Check finds the tool of a call and tests the allow-list and the arguments
// against its schema. It returns a nil error exactly when the call may go on.
func (d *Dispatcher) Check(call message.Call) (Definition, *message.ToolError) {
	b := d.bound[call.Name]
	switch {
	case b == nil:
		return Definition{}, d.notFound(call.Name)
	case !b.allowed:
		return b.definition, &message.ToolError{
			Code:    message.ToolNotAllowed,
			Message: fmt.Sprintf("the tool %q is not allowed in this run", call.Name),
		}
	case call.Arguments == nil:
		return b.definition, &message.ToolError{
			Code: message.InvalidArguments,
			Message: fmt.Sprintf("the arguments of %s are not a JSON object: %s; call it again with valid JSON",
				call.Name, shorten(call.Raw)),
		}
	}
	return b.definition, b.arguments.check(call)
}

// Preview says what a checked call would do. A tool without a preview of its own
// yields one that holds only its effect. A *message.ToolError says that the call
// cannot succeed. A preview that does not return soon after ctx ended is left
// behind, with the cause as the error.
func (d *Dispatcher) Preview(ctx context.Context, call message.Call) (message.Preview, error) {
	b := d.bound[call.Name]
	previewer, ok := b.tool.(Previewer)
	if !ok {
		return message.Preview{Effect: b.definition.Effect}, nil
	}
	type shown struct {
		preview message.Preview
		err     error
	}
	done := make(chan shown, 1)
	go func() {
		var s shown
		defer func() {
			if fault := recover(); fault != nil {
				s = shown{err: panicked(call.Name, fault)}
			}
			done <- s
		}()
		s.preview, s.err = previewer.Preview(ctx, Input{CallID: call.ID, Arguments: call.Arguments, Progress: func(string) {}})
	}()
	s, settled := wait(ctx, done)
	if !settled {
		return message.Preview{}, context.Cause(ctx)
	}
	return s.preview, s.err
}

// Limit is the time limit of a checked call.
func (d *Dispatcher) Limit(call message.Call) time.Duration {
	limiter, ok := d.bound[call.Name].tool.(Limiter)
	if !ok {
		return d.limit
	}
	limit := limiter.Limit(Input{CallID: call.ID, Arguments: call.Arguments})
	if d.bind {
		limit = min(limit, d.limit)
	}
	return limit
}

// Run runs a checked call until it returns or ctx ends. A call that ctx ended
// fails with TOOL_TIMEOUT when the cause is ErrTimeout, else with CANCELLED and
// the cause's words; what it had put out by then is kept.
func (d *Dispatcher) Run(ctx context.Context, call message.Call, fingerprint string, progress func(string)) message.Result {
	started := time.Now()
	done := make(chan message.Result, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				done <- message.Result{Error: panicked(call.Name, fault)}
			}
		}()
		done <- d.bound[call.Name].tool.Run(ctx, Input{
			CallID: call.ID, Arguments: call.Arguments, Fingerprint: fingerprint, Progress: progress,
		})
	}()
	result, _ := wait(ctx, done)
	result.Duration = time.Since(started)
	nothing := result.Error == nil && result.Content == "" && result.Data == nil && result.Changes == nil
	switch {
	case ctx.Err() != nil && (nothing || result.Error != nil):
		result = ended(ctx, result)
	case nothing:
		result.Error = &message.ToolError{
			Code: message.ExecutionError, Message: fmt.Sprintf("the tool %s returned nothing", call.Name),
		}
	}
	result.Content = strings.ToValidUTF8(result.Content, "\uFFFD")
	return result
}

// wait takes what the tool gives, or says that it did not settle in time.
func wait[T any](ctx context.Context, done <-chan T) (given T, settled bool) {
	select {
	case given = <-done:
		return given, true
	case <-ctx.Done():
	}
	settle := time.NewTimer(settleTime)
	defer settle.Stop()
	select {
	case given = <-done:
		return given, true
	case <-settle.C:
		return given, false
	}
}

// ended replaces the tool's own words for an ended context by the cause.
func ended(ctx context.Context, result message.Result) message.Result {
	cause := context.Cause(ctx)
	code, text := message.Cancelled, cause.Error()
	if errors.Is(cause, ErrTimeout) {
		code = message.ToolTimeout
	}
	seconds := result.Duration.Seconds()
	result.Error = &message.ToolError{Code: code, Message: fmt.Sprintf("%s after %.1f s", text, seconds)}
	return result
}

func panicked(name string, fault any) *message.ToolError {
	return &message.ToolError{
		Code:    message.ExecutionError,
		Message: fmt.Sprintf("the tool %s failed inside: %v (%s)", name, fault, faultLine()),
	}
}

// faultLine names the line that panicked, so that a report can be acted on.
func faultLine() string {
	lines := strings.Split(string(debug.Stack()), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") && i+3 < len(lines) {
			path, _, _ := strings.Cut(strings.TrimSpace(lines[i+3]), " ")
			return path[strings.LastIndexByte(path, '/')+1:]
		}
	}
	return "unknown line"
}

func (d *Dispatcher) notFound(name string) *message.ToolError {
	text := fmt.Sprintf("there is no tool %q", shorten(name))
	if near := nearest(name, d.names()); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return &message.ToolError{Code: message.ToolNotFound, Message: text}
}

// names lists the tools that may be called.
func (d *Dispatcher) names() []string {
	names := make([]string, 0, len(d.offer))
	for _, definition := range d.offer {
		names = append(names, definition.Name)
	}
	return names
}

func shorten(text string) string {
	const most = 300
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
