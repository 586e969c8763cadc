// Package catalog knows the providers of models by name: where they are reached,
// which environment variable holds their key, and what they need that others do
// not. Choose turns what a person asked for into the endpoint to talk to, and
// decides which keys may go there.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Provider is a place where models are reached.
type Provider struct {
	// Name is what a person types; empty for an endpoint that is none of these.
	Name string
	// Title is what a person reads.
	Title string
	// BaseURL is the address before /chat/completions; empty for the tour.
	BaseURL string
	// KeyEnv is the environment variable that holds the key by custom; empty
	// where no key is needed.
	KeyEnv string
	// EchoReasoning says that reasoning is sent back with the calls it led to.
	// Some providers demand it, others refuse it.
	EchoReasoning bool
	// Local says that BaseURL, or the tour, is on this computer.
	Local bool
}

// Demo is the name of the guided tour.
const Demo = "demo"

const ollama = "ollama"

var providers = []Provider{
	{Name: "openai", Title: "OpenAI", BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY"},
	{
		Name: "deepseek", Title: "DeepSeek", BaseURL: "https://api.deepseek.com", KeyEnv: "DEEPSEEK_API_KEY",
		EchoReasoning: true,
	},
	{Name: ollama, Title: "Ollama", BaseURL: "http://localhost:11434/v1", Local: true},
	{Name: "openrouter", Title: "OpenRouter", BaseURL: "https://openrouter.ai/api/v1", KeyEnv: "OPENROUTER_API_KEY"},
	{Name: Demo, Title: "Guided tour", Local: true},
}

// Providers returns all providers in the order in which they are shown.
func Providers() []Provider { return slices.Clone(providers) }

// Find returns the provider with that name, however it is capitalised. A name
// that is none gives a *UsageError which suggests the nearest.
func Find(name string) (Provider, error) {
	wanted := strings.ToLower(strings.TrimSpace(name))
	names := make([]string, len(providers))
	for i, p := range providers {
		if p.Name == wanted {
			return p, nil
		}
		names[i] = p.Name
	}
	hint := "give one of " + strings.Join(names, ", ") + ", or any other endpoint with --base-url"
	if near := nearest(wanted, names); near != "" {
		hint = fmt.Sprintf("did you mean %s? Else %s", near, hint)
	}
	return Provider{}, &UsageError{Message: fmt.Sprintf("unknown provider %q", name), Hint: hint}
}

// nearest returns the name with the smallest edit distance to wanted, or nothing
// where even that one shares less than half of its letters.
func nearest(wanted string, names []string) string {
	best, least := "", len(wanted)
	for _, name := range names {
		if d := levenshtein.ComputeDistance(wanted, name); d < least && 2*d <= len(name) {
			best, least = name, d
		}
	}
	return best
}
