package catalog

import (
	"encoding/json"
	"maps"
	"strings"

	"fairlead/backend/llm"
)

// Family is a line of models that behave alike, wherever they are served (SPEC MOD-02).
type Family struct {
	// Name is what the settings file calls it; empty for models of no known family.
	Name string
	// Title is what the user reads.
	Title string
	// words are what a name of its models has at the beginning of a word, one of them.
	words []string
	// Echo is set where its models get their reasoning back with the calls it led to, in the
	// form of the server; Tags where it goes back inside their text if the server has no
	// form for it.
	Echo, Tags bool
	// Efforts are how much its models can be asked to reason; 0 where they can only be
	// told to reason or not, or nothing is known.
	Efforts llm.Efforts
	// Marks are those of its own form that leak into the text of its replies.
	Marks llm.Marks
	// Window is how many tokens its models take at once where nobody else says.
	Window int
	// Maker is the provider that makes its models, and Protocol how these are asked there;
	// empty where they are asked as everywhere.
	Maker    string
	Protocol llm.Protocol
}

// families are tried in order: the first of which the name of a model has a word is the
// model's. Efforts and windows are those that the makers document, marks those of the chat
// templates that the makers publish.
var families = []Family{
	{
		Name: "gpt-oss", Title: "gpt-oss", words: []string{"gpt-oss", "gptoss"}, Echo: true, Window: 131_072,
		Efforts: llm.EffortSet(llm.EffortLow, llm.EffortMedium, llm.EffortHigh), Marks: llm.MarkHarmony,
	},
	{
		Name: "gpt-codex", Title: "GPT Codex", words: []string{"gpt-5-codex", "gpt-5.1-codex", "gpt-5.2-codex", "gpt-5.3-codex", "codex"}, Window: 400_000,
		Efforts: llm.EffortSet(llm.EffortLow, llm.EffortMedium, llm.EffortHigh, llm.EffortXHigh),
		Maker:   "openai", Protocol: llm.Responses,
	},
	{
		Name: "gpt-5.2", Title: "GPT-5.2 and later", Window: 400_000,
		words:   []string{"gpt-5.2", "gpt-5.3", "gpt-5.4", "gpt-5.5", "gpt-5.6", "gpt-5.7", "gpt-5.8", "gpt-5.9", "gpt-6"},
		Efforts: llm.EffortSet(llm.EffortOff, llm.EffortLow, llm.EffortMedium, llm.EffortHigh, llm.EffortXHigh),
		Maker:   "openai", Protocol: llm.Responses,
	},
	{
		Name: "gpt-5.1", Title: "GPT-5.1", words: []string{"gpt-5.1"}, Window: 400_000,
		Efforts: llm.EffortSet(llm.EffortOff, llm.EffortLow, llm.EffortMedium, llm.EffortHigh),
		Maker:   "openai", Protocol: llm.Responses,
	},
	{
		Name: "gpt-5", Title: "GPT-5", words: []string{"gpt-5"}, Window: 400_000,
		Efforts: llm.EffortSet(llm.EffortMinimal, llm.EffortLow, llm.EffortMedium, llm.EffortHigh),
		Maker:   "openai", Protocol: llm.Responses,
	},
	{
		Name: "o-series", Title: "OpenAI o1, o3 and o4", words: []string{"o1", "o3", "o4"}, Window: 200_000,
		Efforts: llm.EffortSet(llm.EffortLow, llm.EffortMedium, llm.EffortHigh),
		Maker:   "openai", Protocol: llm.Responses,
	},
	{
		Name: "claude", Title: "Claude", words: []string{"claude"}, Window: 200_000,
		Efforts: llm.EffortSet(llm.EffortOff, llm.EffortLow, llm.EffortMedium, llm.EffortHigh, llm.EffortMax),
		Maker:   "anthropic", Protocol: llm.Messages,
	},
	{Name: "gemini", Title: "Gemini", words: []string{"gemini"}, Window: 1_048_576},
	{
		Name: "deepseek-r1", Title: "DeepSeek R1", words: []string{"deepseek-r1", "deepseek-reasoner"}, Window: 131_072,
		Marks: llm.MarkThink | llm.MarkDeepSeek,
	},
	{
		Name: "deepseek-v4", Title: "DeepSeek V4", words: []string{"deepseek-v4", "deepseek-4"}, Echo: true, Window: 1_048_576,
		Efforts: llm.EffortSet(llm.EffortOff, llm.EffortHigh, llm.EffortMax), Marks: llm.MarkThink | llm.MarkDeepSeek | llm.MarkDSML,
	},
	{
		Name: "deepseek-v3", Title: "DeepSeek V3", words: []string{"deepseek"}, Echo: true, Window: 131_072,
		Marks: llm.MarkThink | llm.MarkDeepSeek | llm.MarkDSML,
	},
	{
		Name: "qwen-coder", Title: "Qwen Coder", words: []string{"qwen3-coder", "qwen2.5-coder", "qwen-coder", "qwen3.5-coder"}, Window: 262_144,
		Marks: llm.MarkToolCall | llm.MarkFunction,
	},
	{
		Name: "qwen", Title: "Qwen", words: []string{"qwen", "qwq"}, Echo: true, Window: 131_072,
		Marks: llm.MarkThink | llm.MarkToolCall | llm.MarkFunction,
	},
	{Name: "kimi", Title: "Kimi", words: []string{"kimi"}, Echo: true, Window: 262_144, Marks: llm.MarkThink | llm.MarkKimi},
	{
		Name: "glm-5", Title: "GLM-5", words: []string{"glm-5", "glm5"}, Echo: true, Window: 202_752,
		Efforts: llm.EffortSet(llm.EffortOff, llm.EffortLow, llm.EffortHigh, llm.EffortMax), Marks: llm.MarkThink | llm.MarkToolCall,
	},
	{Name: "glm", Title: "GLM-4", words: []string{"glm"}, Echo: true, Window: 131_072, Marks: llm.MarkThink | llm.MarkToolCall},
	{
		Name: "minimax", Title: "MiniMax M2", words: []string{"minimax"}, Echo: true, Tags: true, Window: 204_800,
		Marks: llm.MarkThink | llm.MarkMiniMax,
	},
	{
		Name: "mistral", Title: "Mistral and Magistral", Echo: true, Window: 131_072,
		words: []string{"mistral", "magistral", "ministral", "mixtral", "devstral", "codestral", "pixtral"}, Marks: llm.MarkMistral,
	},
	{Name: "grok", Title: "Grok", words: []string{"grok"}, Window: 131_072},
	{Name: "gemma", Title: "Gemma", words: []string{"gemma"}, Window: 131_072, Marks: llm.MarkGemma},
	{Name: "seed", Title: "Seed", words: []string{"seed", "doubao"}, Echo: true, Window: 262_144, Marks: llm.MarkThink | llm.MarkSeed},
	{Name: "llama", Title: "Llama", words: []string{"llama", "llama3", "llama4"}, Window: 131_072, Marks: llm.MarkPython | llm.MarkFunction},
}

// FamilyOf returns the family of a model by its name. What stands behind the last slash
// decides, else the whole: the names of gateways and files begin with those of makers.
func FamilyOf(model string) Family {
	model = strings.ToLower(model)
	for _, name := range []string{model[strings.LastIndexByte(model, '/')+1:], model} {
		for _, family := range families {
			if family.names(name) {
				return family
			}
		}
	}
	return Family{}
}

// familyOf returns the family of one of the provider's models.
func (p Provider) familyOf(model string) Family {
	for _, family := range families {
		if p.Family != "" && family.Name == p.Family {
			return family
		}
	}
	return FamilyOf(model)
}

// openRouter is the gateway that keeps Claude's prompts in the cache where it is asked to.
const openRouter = "openrouter"

// bodyFor returns the fields of every request for one of the provider's models of a family.
func (p Provider) bodyFor(family Family) map[string]json.RawMessage {
	if p.Name != openRouter && p.Speaks != openRouter || family.Name != "claude" {
		return p.Body
	}
	body := maps.Clone(p.Body)
	if body == nil {
		body = map[string]json.RawMessage{}
	}
	if body["cache_control"] == nil {
		body["cache_control"] = json.RawMessage(`{"type":"ephemeral"}`)
	}
	return body
}

// protocolFor returns how requests to the provider's models of a family are written: at
// the hosts of its maker as the family wants it, elsewhere as nearly every server knows it.
func (p Provider) protocolFor(family Family, baseURL string) llm.Protocol {
	switch {
	case p.Protocol != "":
		return p.Protocol
	case family.Maker != "" && family.Maker == p.Name && p.servesHost(baseURL):
		return family.Protocol
	}
	return llm.ChatCompletions
}

// names reports whether a name in lower case is that of a model of the family.
func (f Family) names(name string) bool {
	for _, word := range f.words {
		for at := 0; ; at++ {
			next := strings.Index(name[at:], word)
			if next < 0 {
				break
			}
			if at += next; at == 0 || !isLetterOrDigit(name[at-1]) {
				return true
			}
		}
	}
	return false
}

func isLetterOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
