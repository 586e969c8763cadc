package tool

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"fairlead/backend/message"
)

// Dispatcher checks calls and prepares them.
type Dispatcher struct {
	bound map[string]*bound
	offer []Definition
	// timeout is that of every call; 0 leaves each tool its own.
	timeout time.Duration
	objects []any
	// off are the groups that the user switched off.
	off []string
	// few says that only what is essential may be called.
	few bool
}

// bound is a tool with what the dispatcher knows of it.
type bound struct {
	tool Tool
	// definition is what the model is offered: without the parameters that presets
	// hide. The arguments are checked against the tool's own.
	definition Definition
	allowed    bool
	// essential says that a model with a small window may call it too.
	essential bool
	presets   presets
	arguments validator
}

// Options say how a dispatcher treats the tools of its registry.
type Options struct {
	// Allow names the tools that may be called: nil allows all, an empty list none.
	Allow []string
	// Timeout is the time limit of every call; 0 leaves each tool its own, and
	// DefaultTimeout to those that have none.
	Timeout time.Duration
	// Presets are values of the host for parameters, by tool and parameter.
	Presets map[string]map[string]Preset
	// Objects are what the host lends to the tools, no two of one type: see Object.
	Objects []any
}

// DefaultTimeout is the time limit of calls that have none of their own.
const DefaultTimeout = 60 * time.Second

// NewDispatcher returns a dispatcher of the registry's tools. A tool or a parameter
// in the options that does not exist, and a preset that does not fit its schema, is
// a *message.Refusal with INVALID_PARAMS.
func NewDispatcher(registry *Registry, options Options) (*Dispatcher, error) {
	d, err := bind(registry, options)
	if err != nil {
		return nil, err
	}
	if err := d.requireNamed(options); err != nil {
		return nil, err
	}
	return d, nil
}

// bind is NewDispatcher, which leaves open whether all tools exist that the options name.
func bind(registry *Registry, options Options) (*Dispatcher, error) {
	if err := distinct(options.Objects); err != nil {
		return nil, err
	}
	d := &Dispatcher{bound: map[string]*bound{}, timeout: options.Timeout, objects: options.Objects}
	for _, definition := range registry.Definitions() {
		b := &bound{
			tool: registry.tools[definition.Name], definition: definition,
			allowed:   options.Allow == nil || slices.Contains(options.Allow, definition.Name),
			essential: options.Allow != nil || definition.Essential,
			presets:   options.Presets[definition.Name], arguments: validator{schema: definition.Parameters},
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
	return d, nil
}

// requireNamed refuses options that name a tool that does not exist.
func (d *Dispatcher) requireNamed(options Options) error {
	for _, name := range options.Allow {
		if d.bound[name] == nil {
			return d.unknownTool("allow tool", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(options.Presets)) {
		if d.bound[name] == nil {
			return d.unknownTool("preset parameters of tool", name)
		}
	}
	return nil
}

// unknownTool refuses an option about a tool that does not exist.
func (d *Dispatcher) unknownTool(option, name string) error {
	known := strings.Join(slices.Sorted(maps.Keys(d.bound)), ", ")
	return &message.Refusal{
		Code: message.InvalidParams, Message: fmt.Sprintf("%s %q: there is no such tool; there are %s", option, name, known),
	}
}

// Definitions lists the tools that may be called, sorted by name.
func (d *Dispatcher) Definitions() []Definition { return d.offer }

// Display says how calls to the tool of this name are shown; nil where there is none.
// The result is shared: nobody changes it.
func (d *Dispatcher) Display(name string) *message.Display {
	if b := d.bound[name]; b != nil && b.definition.Title != "" {
		return &b.definition.Display
	}
	return nil
}

// Polls reports whether a call looks at something that still goes on, so that asking
// again is no loop (SPEC DOOM-01). The call need not be checked.
func (d *Dispatcher) Polls(call message.Call) bool {
	b := d.bound[call.Name]
	if b == nil || !b.definition.Polls {
		return false
	}
	poller, ok := b.tool.(Poller)
	return !ok || poller.Lives(d.newInput(call))
}

// newInput is what a tool is given of a call.
func (d *Dispatcher) newInput(call message.Call) Input {
	return Input{CallID: call.ID, Arguments: call.Arguments, objects: d.objects}
}
