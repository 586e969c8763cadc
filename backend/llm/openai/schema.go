package openai

import (
	"encoding/json"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
)

// plainKeywords are the keywords of JSON Schema that every server takes.
var plainKeywords = map[string]bool{
	"type": true, "description": true, "properties": true, "required": true, "items": true, "enum": true, "anyOf": true,
}

// toolSchema returns a tool's schema as the endpoint takes it.
func (c *Client) toolSchema(parameters json.RawMessage, dialect llm.Dialect) json.RawMessage {
	if !dialect.PlainSchemas {
		return parameters
	}
	key := string(parameters)
	if known, ok := c.schemas.Load(key); ok {
		return known.(json.RawMessage)
	}
	var schema any
	if json.Unmarshal(parameters, &schema) != nil {
		return parameters // the endpoint will say what is wrong with it
	}
	plain := protocol.MustEncode(plainSchema(schema))
	c.schemas.Store(key, plain)
	return plain
}

// plainSchema returns a schema without the keywords that some servers refuse. What a
// dropped one demanded is still checked before a call runs.
func plainSchema(schema any) any {
	object, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	plain := map[string]any{}
	for keyword, value := range object {
		if !plainKeywords[keyword] {
			continue
		}
		switch keyword {
		case "properties":
			value = plainEach(value)
		case "items":
			value = plainSchema(value)
		case "anyOf":
			value = plainAll(value)
		case "type":
			value = oneType(value)
		}
		plain[keyword] = value
	}
	return plain
}

func plainEach(value any) any {
	properties, ok := value.(map[string]any)
	if !ok {
		return value
	}
	plain := make(map[string]any, len(properties))
	for name, schema := range properties {
		plain[name] = plainSchema(schema)
	}
	return plain
}

func plainAll(value any) any {
	schemas, ok := value.([]any)
	if !ok {
		return value
	}
	plain := make([]any, len(schemas))
	for i, schema := range schemas {
		plain[i] = plainSchema(schema)
	}
	return plain
}

// oneType is the first type of several that is not null.
func oneType(value any) any {
	types, ok := value.([]any)
	if !ok {
		return value
	}
	for _, each := range types {
		if each != "null" {
			return each
		}
	}
	return value
}
