package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns the JSON Schema of an arguments struct: property names from the
// json tags, required unless omitempty, descriptions from the jsonschema tags,
// no other properties allowed. It panics when T cannot be described, because
// that is a fault of the program, not of its input. It is worked out once; nobody changes
// the result.
func Schema[T any]() json.RawMessage {
	known, ok := schemas.Load(reflect.TypeFor[T]())
	if !ok {
		known, _ = schemas.LoadOrStore(reflect.TypeFor[T](), describe[T]())
	}
	return known.(json.RawMessage)
}

// schemas are those that were worked out, by the type of the arguments.
var schemas sync.Map

func describe[T any]() json.RawMessage {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Sprintf("describe %T: %v", *new(T), err))
	}
	plainTypes(schema)
	text, err := json.Marshal(schema)
	if err != nil {
		panic(fmt.Sprintf("describe %T: %v", *new(T), err))
	}
	return text
}

// plainTypes turns ["null","array"] and the like into the plain type: several
// servers refuse a list of types.
func plainTypes(schema *jsonschema.Schema) {
	if schema == nil {
		return
	}
	if len(schema.Types) == 2 && schema.Types[0] == "null" {
		schema.Type, schema.Types = schema.Types[1], nil
	}
	plainTypes(schema.Items)
	for _, property := range schema.Properties {
		plainTypes(property)
	}
}

// Decode reads arguments that fit the schema of T into a T.
func Decode[T any](arguments json.RawMessage) (T, error) {
	var value T
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&value)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		// The schema takes 10.0 for an integer, Go does not.
		return value, fmt.Errorf("at %s: write %s without a point or an exponent", wrong.Field, wrong.Value)
	}
	if err != nil {
		return value, fmt.Errorf("decode arguments: %w", err)
	}
	return value, nil
}
