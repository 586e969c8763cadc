package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"fairlead/backend/message"
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

// check returns INVALID_ARGUMENTS with every fault named, or nil.
func (v *validator) check(call message.Call) *message.ToolError {
	v.compile.Do(func() { v.ready, v.err = compile(v.schema) })
	if v.err != nil {
		return &message.ToolError{Code: message.ExecutionError, Message: v.err.Error()}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(call.Arguments))
	if err == nil {
		err = v.ready.Validate(value)
	}
	if err == nil {
		return nil
	}
	return &message.ToolError{
		Code:    message.InvalidArguments,
		Message: fmt.Sprintf("the arguments of %s do not fit: %s", call.Name, faults(err)),
	}
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

// faults lists every fault with the place it is at, in one line.
func faults(err error) string {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err.Error()
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
	return strings.Join(list, "; ")
}
