package tool

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fairlead/backend/message"
)

// Dispatcher checks calls and runs them. It always returns a Result.
type Dispatcher struct {
	bound   map[string]*bound
	offer   []Definition
	limits  Limits
	objects []any
	// off are the groups that the user switched off.
	off []string
}

// bound is a tool with what the dispatcher knows of it.
type bound struct {
	tool Tool
	// definition is what the model is offered: without the parameters that presets
	// hide. The arguments are checked against the tool's own.
	definition Definition
	allowed    bool
	presets    presets
	arguments  validator
}

// Options say how a dispatcher treats the tools of its registry.
type Options struct {
	// Allow names the tools that may be called: nil allows all, an empty list none.
	Allow []string
	// Limits are the time limits of calls.
	Limits Limits
	// Presets are values of the host for parameters, by tool and parameter.
	Presets map[string]map[string]Preset
	// Objects are what the host lends to the tools, no two of one type: see Object.
	Objects []any
}

// Limits are the time limits of calls.
type Limits struct {
	// Default is the limit of tools that name none of their own.
	Default time.Duration
	// Binding makes Default an upper bound for the others too.
	Binding bool
}

// NewDispatcher returns a dispatcher of the registry's tools. A tool or a parameter
// in the options that does not exist, and a preset that does not fit its schema, is
// a *message.Refusal with INVALID_PARAMS.
func NewDispatcher(registry *Registry, options Options) (*Dispatcher, error) {
	if err := distinct(options.Objects); err != nil {
		return nil, err
	}
	d := &Dispatcher{bound: map[string]*bound{}, limits: options.Limits, objects: options.Objects}
	for _, definition := range registry.Definitions() {
		b := &bound{
			tool: registry.tools[definition.Name], definition: definition,
			allowed: options.Allow == nil || slices.Contains(options.Allow, definition.Name),
			presets: options.Presets[definition.Name], arguments: validator{schema: definition.Parameters},
		}
		if err := b.presets.fit(definition); err != nil {
			return nil, err
		}
		b.definition.Parameters = b.presets.hide(definition.Parameters)
		d.bound[definition.Name] = b
		if b.allowed {
			d.offer = append(d.offer, b.definition)
		}
	}
	for _, name := range options.Allow {
		if d.bound[name] == nil {
			return nil, d.unknown("allow tool", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(options.Presets)) {
		if d.bound[name] == nil {
			return nil, d.unknown("preset parameters of tool", name)
		}
	}
	return d, nil
}

// unknown refuses an option about a tool that does not exist.
func (d *Dispatcher) unknown(option, name string) error {
	known := strings.Join(slices.Sorted(maps.Keys(d.bound)), ", ")
	return &message.Refusal{
		Code: message.InvalidParams, Message: fmt.Sprintf("%s %q: there is no such tool; there are %s", option, name, known),
	}
}

// Definitions lists the tools that may be called, sorted by name.
func (d *Dispatcher) Definitions() []Definition { return d.offer }

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
		s.preview, s.err = previewer.Preview(ctx, d.input(call))
	}()
	s, settled := wait(ctx, done)
	if !settled {
		return message.Preview{}, context.Cause(ctx)
	}
	return s.preview, s.err
}

// Asks says whether a person has to decide about a checked call.
func (d *Dispatcher) Asks(call message.Call) bool {
	b := d.bound[call.Name]
	if !b.definition.Confirm {
		return false
	}
	questioner, ok := b.tool.(Questioner)
	return !ok || questioner.Asks(d.input(call))
}

// Limit is the time limit of a checked call.
func (d *Dispatcher) Limit(call message.Call) time.Duration {
	limiter, ok := d.bound[call.Name].tool.(Limiter)
	if !ok {
		return d.limits.Default
	}
	limit := limiter.Limit(d.input(call))
	if d.limits.Binding {
		limit = min(limit, d.limits.Default)
	}
	return limit
}

// Polls says whether a call looks at something that still goes on, so that asking
// again is no loop (SPEC DOOM-01). The call need not be checked.
func (d *Dispatcher) Polls(call message.Call) bool {
	b := d.bound[call.Name]
	if b == nil || !b.definition.Polls {
		return false
	}
	poller, ok := b.tool.(Poller)
	return !ok || poller.Lives(d.input(call))
}

// input is what a tool is given of a call that shows nothing while it is looked at.
func (d *Dispatcher) input(call message.Call) Input {
	return Input{CallID: call.ID, Arguments: call.Arguments, Progress: func(string) {}, objects: d.objects}
}

// Run runs a checked call until it returns or ctx ends. A call that ctx ended
// fails with TOOL_TIMEOUT when the cause is ErrTimeout, else with CANCELLED and
// the cause's words; what it had put out by then is kept. progress takes live output,
// none of it empty and none after Run has returned.
func (d *Dispatcher) Run(ctx context.Context, call message.Call, fingerprint string, progress func(string)) message.Result {
	started := time.Now()
	in := d.input(call)
	output := &live{out: progress}
	defer output.close()
	in.Fingerprint, in.Progress = fingerprint, output.send
	done := make(chan message.Result, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				done <- message.Result{Error: panicked(call.Name, fault)}
			}
		}()
		done <- d.bound[call.Name].tool.Run(ctx, in)
	}()
	result, _ := wait(ctx, done)
	result.Duration = time.Since(started)
	nothing := result.Error == nil && len(result.Content) == 0 && result.Data == nil && result.Changes == nil
	switch {
	case ctx.Err() != nil && (nothing || result.Error != nil):
		result = ended(ctx, result)
	case nothing:
		result.Error = &message.ToolError{
			Code: message.ExecutionError, Message: fmt.Sprintf("the tool %s returned nothing", call.Name),
		}
	}
	result.Content = result.Content.Map(func(text string) string { return strings.ToValidUTF8(text, "\uFFFD") })
	return result
}
