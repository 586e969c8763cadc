package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"fairlead/backend/message"
)

// Preset is a value of the host for a parameter of a tool (SPEC INJ-01).
type Preset struct {
	// Value is JSON that fits the parameter's schema.
	Value json.RawMessage
	// Overridable makes the value a default: the model sees the parameter, and its
	// own value wins. Any other preset binds: the model does not see the parameter,
	// and cannot give it another value.
	Overridable bool
}

// presets are those of one tool, by parameter.
type presets map[string]Preset

// binds reports whether only the host decides about a parameter.
func (p presets) binds(name string) bool {
	preset, ok := p[name]
	return ok && !preset.Overridable
}

// has reports whether a parameter has a preset of whatever kind.
func (p presets) has(name string) bool {
	_, ok := p[name]
	return ok
}

// names are the parameters, sorted.
func (p presets) names() []string { return slices.Sorted(maps.Keys(p)) }

// complete adds the presets to the arguments of a call: first what the model wrote,
// in its order, then the rest by name. A parameter that is bound has the bytes of the
// host even where the model wrote the same; another value is a fault, which does not
// tell the model what the host's is. Arguments that are no object stay as they are,
// for the schema to refuse.
func (p presets) complete(arguments json.RawMessage) (completed json.RawMessage, faults []string) {
	if len(p) == 0 {
		return arguments, nil
	}
	written, ok := readOrdered(arguments)
	if !ok {
		return arguments, nil
	}
	var all ordered
	for _, m := range written {
		if p.binds(m.name) {
			if !same(m.value, p[m.name].Value) {
				faults = append(faults, fmt.Sprintf("at /%s: the value is fixed: leave it out", m.name))
			}
			if all.get(m.name) != nil {
				continue // Several values would be joined when they are decoded.
			}
			m.value = p[m.name].Value
		}
		all = append(all, m)
	}
	for _, name := range p.names() {
		if all.get(name) == nil {
			all = append(all, member{name, p[name].Value})
		}
	}
	return all.text(), faults
}

// same compares JSON values; the order of members and the form of numbers do not
// matter. Huge numbers that are near each other count as one: what runs has the
// host's anyway.
func same(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	return reflect.DeepEqual(x, y)
}

// hide returns the schema that the model is offered: without the parameters that are
// bound, and with none required that has a preset.
func (p presets) hide(schema json.RawMessage) json.RawMessage {
	if len(p) == 0 {
		return schema
	}
	offered, _ := readOrdered(schema)
	properties, _ := readOrdered(offered.get("properties"))
	offered = offered.with("properties", properties.without(p.binds).text())
	var required []string
	_ = json.Unmarshal(offered.get("required"), &required) // Without a list, nothing is required.
	required = slices.DeleteFunc(required, p.has)
	if len(required) == 0 {
		return offered.without(isRequired).text()
	}
	list, _ := json.Marshal(required) // names always have a form in JSON
	return offered.with("required", list).text()
}

func isRequired(name string) bool { return name == "required" }

// fit refuses presets for parameters that the tool does not have, and values that
// its schema does not take.
func (p presets) fit(definition Definition) error {
	if len(p) == 0 {
		return nil
	}
	schema, _ := readOrdered(definition.Parameters)
	properties, _ := readOrdered(schema.get("properties"))
	for _, name := range p.names() {
		switch {
		case properties.get(name) == nil:
			return refuse(definition, fmt.Sprintf("there is no parameter %q", name))
		case !json.Valid(p[name].Value):
			return refuse(definition, fmt.Sprintf("the value of %q is not JSON", name))
		}
	}
	// The presets need not be all that a call must have.
	partly := validator{schema: schema.without(isRequired).text()}
	alone, _ := p.complete(json.RawMessage("{}"))
	unfit, err := partly.findFaults(alone)
	switch {
	case err != nil:
		return fmt.Errorf("preset parameters of tool %q: %w", definition.Name, err)
	case len(unfit) > 0:
		return refuse(definition, strings.Join(unfit, "; "))
	}
	return nil
}

func refuse(definition Definition, text string) error {
	return &message.Refusal{
		Code: message.InvalidParams, Message: fmt.Sprintf("preset parameters of tool %q: %s", definition.Name, text),
	}
}
