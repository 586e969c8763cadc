package tool

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// maxFaults is how many faults of one call are named.
const maxFaults = 20

// faultList says where a value does not fit its schema, and how.
type faultList []string

// add adds a fault. place is where it is, as a JSON pointer.
func (f *faultList) add(place, text string) {
	switch {
	case len(*f) < maxFaults:
		if place == "" {
			place = "/"
		}
		*f = append(*f, shortenText(fmt.Sprintf("at %s: %s", place, text)))
	case len(*f) == maxFaults:
		*f = append(*f, "and more")
	}
}

// compare adds the faults of a value by what most schemas of tools consist of: types,
// properties and items. What else a schema demands is left to the library.
func (f *faultList) compare(schema *jsonschema.Schema, value any, place string) {
	if schema == nil {
		return
	}
	if wanted := typesOf(schema); len(wanted) > 0 && !slices.ContainsFunc(wanted, func(name string) bool { return isOfType(value, name) }) {
		f.add(place, fmt.Sprintf("got %s, want %s", typeOf(value), strings.Join(wanted, " or ")))
		return
	}
	switch value := value.(type) {
	case map[string]any:
		f.compareObject(schema, value, place)
	case []any:
		for i, item := range value {
			f.compare(schema.Items, item, place+"/"+strconv.Itoa(i))
		}
	}
}

func (f *faultList) compareObject(schema *jsonschema.Schema, object map[string]any, place string) {
	missing := slices.DeleteFunc(slices.Clone(schema.Required), func(name string) bool {
		_, ok := object[name]
		return ok
	})
	switch len(missing) {
	case 0:
	case 1:
		f.add(place, "missing property "+quoteNames(missing))
	default:
		f.add(place, "missing properties "+quoteNames(missing))
	}
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		property, known := schema.Properties[name]
		if known {
			f.compare(property, object[name], place+"/"+pointer.Replace(name))
		} else if len(schema.PatternProperties) == 0 {
			unknown = append(unknown, name)
		}
	}
	switch rest := schema.AdditionalProperties; {
	case rest == nil || len(unknown) == 0:
	case refusesAll(rest):
		f.add(place, "additional properties "+quoteNames(unknown)+" not allowed")
	default:
		for _, name := range unknown {
			f.compare(rest, object[name], place+"/"+pointer.Replace(name))
		}
	}
}

// pointer writes a name as a part of a JSON pointer (RFC 6901).
var pointer = strings.NewReplacer("~", "~0", "/", "~1")

// quoteNames are names in quotes, with commas between them.
func quoteNames(names []string) string { return "'" + strings.Join(names, "', '") + "'" }

// refusesAll reports whether a schema is false, which no value fits.
func refusesAll(schema *jsonschema.Schema) bool {
	text, err := schema.MarshalJSON()
	return err == nil && string(text) == "false"
}

// typesOf are the types that a schema takes; none where it takes all.
func typesOf(schema *jsonschema.Schema) []string {
	if schema.Type != "" {
		return []string{schema.Type}
	}
	return schema.Types
}

// isOfType reports whether a value is of the type of that name.
func isOfType(value any, name string) bool {
	number, ok := value.(float64)
	if !ok || name != "integer" {
		return typeOf(value) == name
	}
	return number == math.Trunc(number)
}

// typeOf names the type of a value as encoding/json decodes it.
func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}
