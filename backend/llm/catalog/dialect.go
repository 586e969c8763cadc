package catalog

import (
	"slices"
	"strings"

	"fairlead/backend/llm"
)

// fixed are the models that take no temperature, by provider and by how their names
// begin.
var fixed = map[string][]string{
	"openai": {"gpt-5", "o1", "o3", "o4"},
	// They reason by themselves, and then insist on a temperature of 1.
	"moonshot": {"kimi-k2-thinking", "kimi-k2.", "kimi-thinking"},
}

// dialectFor returns what the provider wants of a request to one of its models.
func (p Provider) dialectFor(model string) llm.Dialect {
	dialect := p.Dialect
	speaks := p.Speaks
	if speaks == "" {
		speaks = p.Name
	}
	begins := func(name string) bool { return strings.HasPrefix(model, name) }
	if slices.ContainsFunc(fixed[speaks], begins) {
		dialect.FixedTemperature = true
	}
	return dialect
}
