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

// dialectFor returns what the provider wants of a request to one of its models, which is
// of this family.
func (p Provider) dialectFor(model string, family Family) llm.Dialect {
	dialect := p.Dialect
	speaks := p.Speaks
	if speaks == "" {
		speaks = p.Name
	}
	begins := func(name string) bool { return strings.HasPrefix(model, name) }
	if slices.ContainsFunc(fixed[speaks], begins) {
		dialect.FixedTemperature = true
	}
	dialect.Marks, dialect.Efforts = family.Marks, family.Efforts
	if dialect.Echo == llm.EchoNone {
		dialect.Echo = family.echoAt(speaks, p.Name == "" || p.Own && p.Speaks == "")
	}
	switch {
	case family.Efforts == 0:
	case dialect.Effort == llm.EffortNone:
		dialect.Effort = llm.EffortField // what most servers know
	default:
		dialect.EffortBeside = dialect.Effort != llm.EffortField && dialect.Effort != llm.EffortObject
	}
	return dialect
}

// echoAt is the form in which a provider's models of the family get their reasoning back.
// unknown is set where the server software is not known.
func (f Family) echoAt(provider string, unknown bool) llm.Echo {
	switch {
	case f.Name == "claude" && unknown:
		return llm.EchoBlocks // a proxy, most likely LiteLLM
	case !f.Echo:
		return llm.EchoNone
	case f.Tags:
		return llm.EchoTags
	case f.Name == "mistral" && provider == "mistral":
		return llm.EchoParts
	case slices.Contains([]string{ollama, "vllm", "groq", "cerebras"}, provider):
		return llm.EchoReasoning
	}
	return llm.EchoContent
}
