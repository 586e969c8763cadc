package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxChecks is how many pairs of a schema and a value are looked at for one call, and
	// maxCheckBytes the same times the bytes of the schema, which faults quote.
	maxChecks     = 200_000
	maxCheckBytes = 256 << 20
	// maxCheckDepth is how deep such pairs lie in each other.
	maxCheckDepth = 400
	// maxSchemaDepth is how deep the parts of a foreign schema lie in each other.
	maxSchemaDepth = 64
)

// ForeignSchema is the JSON Schema of a tool that somebody else wrote. The library checks values
// without bounds: a schema that refers to itself overflows the stack, which ends the program, and
// one that doubles at every level takes years. So each check is counted before it is made.
type ForeignSchema struct {
	validator validator
	root      map[string]any
}

// ReadForeignSchema reads the schema of an object. The error says why arguments cannot be checked
// against it.
func ReadForeignSchema(text json.RawMessage) (*ForeignSchema, error) {
	s := &ForeignSchema{validator: validator{schema: text}}
	if err := json.Unmarshal(text, &s.root); err != nil || s.root == nil {
		return nil, errors.New("the schema is no JSON object")
	}
	if s.root["type"] != "object" {
		return nil, errors.New("the schema is not that of an object")
	}
	if err := s.checkPart(s.root, 0); err != nil {
		return nil, err
	}
	if _, err := s.Faults(json.RawMessage("{}")); err != nil {
		return nil, err
	}
	return s, nil
}

// Faults names every place where arguments do not fit. The error says that they cannot be checked.
func (s *ForeignSchema) Faults(arguments json.RawMessage) ([]string, error) {
	var value any
	if err := json.Unmarshal(arguments, &value); err == nil {
		checks := min(maxChecks, maxCheckBytes/len(s.validator.schema))
		if !s.countChecks(s.root, value, 0, &checks) {
			return nil, errors.New("the schema takes too much time to check these arguments")
		}
	}
	return s.validator.findFaults(arguments)
}

// Keywords of a schema by what stands at them.
var (
	oneSchema = []string{
		"not", "if", "then", "else", "items", "additionalItems", "contains", "unevaluatedItems",
		"additionalProperties", "unevaluatedProperties", "propertyNames",
	}
	listsOfSchemas = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	mapsOfSchemas  = []string{"properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"}
	// references other than $ref lead where only the library knows.
	unreadReferences = []string{"$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"}
)

// checkPart refuses what countChecks could not follow.
func (s *ForeignSchema) checkPart(part map[string]any, depth int) error {
	if depth > maxSchemaDepth {
		return fmt.Errorf("the schema is nested deeper than %d levels", maxSchemaDepth)
	}
	for _, keyword := range unreadReferences {
		if part[keyword] != nil {
			return fmt.Errorf("the schema has %s, which is not supported", keyword)
		}
	}
	if depth > 0 && part["$id"] != nil {
		return errors.New("a part of the schema has a $id, which is not supported")
	}
	if reference, ok := part["$ref"]; ok {
		if _, found := s.resolve(reference); !found {
			return fmt.Errorf("the schema refers to %.100q, which is not in it", fmt.Sprint(reference))
		}
	}
	for _, inner := range partsOf(part) {
		if err := s.checkPart(inner, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// partsOf are the schemas that stand in a schema.
func partsOf(schema map[string]any) []map[string]any {
	var parts []map[string]any
	for _, keyword := range oneSchema {
		parts = appendSchema(parts, schema[keyword])
	}
	for _, keyword := range listsOfSchemas {
		parts = appendSchemas(parts, schema[keyword])
	}
	for _, keyword := range mapsOfSchemas {
		named, _ := schema[keyword].(map[string]any)
		for _, inner := range named {
			parts = appendSchema(parts, inner)
		}
	}
	return parts
}

func appendSchema(to []map[string]any, value any) []map[string]any {
	if schema, ok := value.(map[string]any); ok {
		return append(to, schema)
	}
	return to
}

func appendSchemas(to []map[string]any, value any) []map[string]any {
	list, _ := value.([]any)
	for _, each := range list {
		to = appendSchema(to, each)
	}
	return to
}

// resolve finds what a reference of the form #/a/b leads to.
func (s *ForeignSchema) resolve(reference any) (target map[string]any, found bool) {
	text, _ := reference.(string)
	path, ok := strings.CutPrefix(text, "#")
	if !ok || path != "" && path[0] != '/' {
		return nil, false
	}
	var at any = s.root
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch parent := at.(type) {
		case map[string]any:
			at = parent[name]
		case []any:
			index, err := strconv.Atoi(name)
			if err != nil || index < 0 || index >= len(parent) {
				return nil, false
			}
			at = parent[index]
		default:
			return nil, false
		}
	}
	target, ok = at.(map[string]any)
	return target, ok
}

// countChecks counts what the library would look at, or more than that, off the checks that are
// left. It reports whether they suffice.
func (s *ForeignSchema) countChecks(schema map[string]any, value any, depth int, left *int) bool {
	if *left--; *left < 0 || depth > maxCheckDepth {
		return false
	}
	here, below, named := s.appliedTo(schema)
	for _, each := range here {
		if !s.countChecks(each, value, depth+1, left) {
			return false
		}
	}
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			for _, each := range below {
				if !s.countChecks(each, item, depth+1, left) {
					return false
				}
			}
		}
	case map[string]any:
		for name, property := range value {
			if own := named[name]; own != nil && !s.countChecks(own, property, depth+1, left) {
				return false
			}
			for _, each := range below {
				if !s.countChecks(each, property, depth+1, left) {
					return false
				}
			}
		}
	}
	return true
}

// appliedTo are the parts of a schema that apply to the value itself, those that may apply to
// anything in it, and those that apply to its property of a name.
func (s *ForeignSchema) appliedTo(schema map[string]any) (here, below []map[string]any, named map[string]map[string]any) {
	if target, ok := s.resolve(schema["$ref"]); ok {
		here = append(here, target)
	}
	for _, keyword := range oneSchema {
		if slices.Contains([]string{"not", "if", "then", "else"}, keyword) {
			here = appendSchema(here, schema[keyword])
		} else {
			below = appendSchema(below, schema[keyword])
		}
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		here = appendSchemas(here, schema[keyword])
	}
	for _, keyword := range []string{"prefixItems", "items"} {
		below = appendSchemas(below, schema[keyword])
	}
	for _, keyword := range []string{"dependentSchemas", "dependencies", "patternProperties", "properties"} {
		parts, _ := schema[keyword].(map[string]any)
		for name, part := range parts {
			inner, ok := part.(map[string]any)
			switch {
			case !ok:
			case keyword == "patternProperties":
				below = append(below, inner)
			case keyword == "properties":
				if named == nil {
					named = make(map[string]map[string]any, len(parts))
				}
				named[name] = inner
			default:
				here = append(here, inner)
			}
		}
	}
	return here, below, named
}
