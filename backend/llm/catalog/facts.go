package catalog

import (
	"slices"
	"sync"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// Facts are what is known of a model beforehand. What is 0, nil or empty is not
// known.
type Facts struct {
	// Window is how many tokens it takes at once, MaxOutput how many a reply of it
	// usually has at most.
	Window, MaxOutput int
	// Price is what its tokens cost. On this computer they cost nothing.
	Price *message.Price
	// Reasons says that it can reason before it answers.
	Reasons bool
	// Efforts are how much it can be asked to reason, least first.
	Efforts []llm.Effort
}

// Facts returns what is known of the endpoint's model; false where nothing is. The
// first call for a known provider reads the public list of models, which takes some
// 10 ms; for a server on this computer, one's own provider, or an endpoint without a
// name it is never read.
func (e Endpoint) Facts() (Facts, bool) {
	var facts Facts
	found := false
	switch name := e.Provider.Name; {
	case e.Provider.Own || e.Provider.Local || name == "":
	case windows[name] != nil:
		facts.Window, found = windows[name][e.Model]
	default:
		facts, found = listed()[name][e.Model]
	}
	if e.Provider.Window > 0 {
		facts.Window, found = e.Provider.Window, true
	}
	if e.BaseURL != "" && e.Loopback() {
		facts.Price, found = &message.Price{}, true
		return facts, found // its server says what window it has loaded the model with
	}
	if window := FamilyOf(e.Model).Window; facts.Window == 0 && window > 0 {
		facts.Window, found = window, true
	}
	return facts, found
}

// listed is the public list of models, as far as it is of use: facts by provider and
// model.
var listed = sync.OnceValue(func() map[string]map[string]Facts {
	all := map[string]map[string]Facts{}
	for _, provider := range embedded.GetAll() {
		name := string(provider.ID)
		if !slices.ContainsFunc(known, func(p Provider) bool { return p.Name == name }) {
			continue
		}
		all[name] = make(map[string]Facts, len(provider.Models))
		for _, model := range provider.Models {
			all[name][model.ID] = Facts{
				Window: int(model.ContextWindow), MaxOutput: int(model.DefaultMaxTokens), Price: priceOf(model),
				Reasons: model.CanReason, Efforts: knownEfforts(model.ReasoningLevels),
			}
		}
	}
	return all
})

// priceOf returns what a model's tokens cost; nil where the list does not say.
func priceOf(model catwalk.Model) *message.Price {
	if model.CostPer1MIn <= 0 || model.CostPer1MOut <= 0 {
		return nil
	}
	price := message.Price{Prompt: model.CostPer1MIn, Completion: model.CostPer1MOut, Cached: model.CostPer1MIn}
	// What is read from the cache is in either of two fields; the other one, where it
	// is given, is for writing the cache, which is no cheaper than no cache.
	for _, cached := range []float64{model.CostPer1MInCached, model.CostPer1MOutCached} {
		if cached > 0 {
			price.Cached = min(price.Cached, cached)
		}
	}
	return &price
}

func knownEfforts(levels []string) []llm.Effort {
	var known llm.Efforts
	for _, level := range levels {
		if level == "none" {
			level = string(llm.EffortOff)
		}
		known |= llm.EffortSet(llm.Effort(level))
	}
	return known.List()
}

// windows are the context windows, in tokens, of well-known models whose providers
// are not in the public list, as the providers document them.
var windows = map[string]map[string]int{
	"moonshot": {
		"kimi-k2-0711-preview": 131_072, "kimi-k2-0905-preview": 262_144, "kimi-k2-turbo-preview": 262_144,
		"kimi-k2-thinking": 262_144, "kimi-k2-thinking-turbo": 262_144, "kimi-k2.5": 262_144,
		"moonshot-v1-8k": 8_192, "moonshot-v1-32k": 32_768, "moonshot-v1-128k": 131_072,
	},
	"dashscope": {
		"qwen3-max": 262_144, "qwen3-coder-plus": 1_000_000, "qwen3-coder-flash": 1_000_000,
	},
	"mistral": {
		"mistral-large-2411": 131_072, "mistral-medium-2505": 131_072, "mistral-medium-2508": 131_072,
		"mistral-small-2506": 131_072, "devstral-medium-2507": 131_072, "devstral-small-2507": 131_072,
	},
}
