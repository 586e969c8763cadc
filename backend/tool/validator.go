package tool

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// validator checks arguments against a schema, which it reads when the first call comes:
// most runs use few of the tools.
type validator struct {
	schema json.RawMessage
	read   sync.Once
	ready  *jsonschema.Resolved
	err    error
}

// findFaults names every place where the arguments do not fit. An error says that the
// schema itself is broken.
func (v *validator) findFaults(arguments json.RawMessage) ([]string, error) {
	v.read.Do(func() { v.ready, v.err = readSchema(v.schema) })
	if v.err != nil {
		return nil, v.err
	}
	var value any
	if err := json.Unmarshal(arguments, &value); err != nil {
		return []string{shortenText(err.Error())}, nil
	}
	err := v.ready.Validate(value)
	if err == nil {
		return nil, nil
	}
	// The library names the first fault alone, and is the one that decides.
	var found faultList
	found.compare(v.ready.Schema(), value, "")
	if len(found) == 0 {
		found.add("", err.Error())
	}
	return found, nil
}

func readSchema(text json.RawMessage) (*jsonschema.Resolved, error) {
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	if err := checkTypes(&schema); err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	ready, err := schema.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return ready, nil
}

// checkTypes refuses the name of a type that does not exist, which no value would fit and
// the library takes.
func checkTypes(schema *jsonschema.Schema) error {
	if schema == nil {
		return nil
	}
	for _, name := range typesOf(schema) {
		if !slices.Contains([]string{"null", "boolean", "integer", "number", "string", "array", "object"}, name) {
			return fmt.Errorf("there is no type %q", name)
		}
	}
	inner := slices.Concat(schema.AllOf, schema.AnyOf, schema.OneOf, []*jsonschema.Schema{schema.Items, schema.AdditionalProperties})
	for _, properties := range []map[string]*jsonschema.Schema{schema.Properties, schema.Defs, schema.Definitions} {
		inner = slices.AppendSeq(inner, maps.Values(properties))
	}
	for _, part := range inner {
		if err := checkTypes(part); err != nil {
			return err
		}
	}
	return nil
}
