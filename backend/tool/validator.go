package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxFaults is how many faults of one call are named.
const maxFaults = 20

// validator checks arguments against a schema, which it compiles when the first
// call comes: most runs use few of the tools.
type validator struct {
	schema  json.RawMessage
	compile sync.Once
	ready   *jsonschema.Schema
	err     error
}

// faults names every place where the arguments do not fit. An error says that the
// schema itself is broken.
func (v *validator) faults(arguments json.RawMessage) ([]string, error) {
	v.compile.Do(func() { v.ready, v.err = compile(v.schema) })
	if v.err != nil {
		return nil, v.err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err == nil {
		err = v.ready.Validate(value)
	}
	if err == nil {
		return nil, nil
	}
	return faultsIn(err), nil
}

func compile(text json.RawMessage) (*jsonschema.Schema, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("arguments.json", value); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	schema, err := compiler.Compile("arguments.json")
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return schema, nil
}

// faultsIn lists every fault with the place it is at.
func faultsIn(err error) []string {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []string{err.Error()}
	}
	var list []string
	for _, unit := range invalid.BasicOutput().Errors {
		if unit.Error == nil {
			continue
		}
		place := unit.InstanceLocation
		if place == "" {
			place = "/"
		}
		list = append(list, shorten(fmt.Sprintf("at %s: %s", place, unit.Error)))
		if len(list) == maxFaults {
			list = append(list, "and more")
			break
		}
	}
	return list
}
