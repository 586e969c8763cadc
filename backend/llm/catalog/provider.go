// Package catalog knows the providers of models by name: where they are reached,
// which environment variable holds their key, what they need that others do not,
// and what is known of their models. A Catalog's Choose turns what the user asked
// for into the endpoint to talk to, and decides which keys may go there.
package catalog

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"fairlead/backend/llm"
)

// Provider is a place where models are reached.
type Provider struct {
	// Name is what the user types; empty for an endpoint that is none of these.
	Name string
	// Title is what the user reads.
	Title string
	// Aliases are what else people call it, in Chinese or by its models.
	Aliases []string
	// BaseURL is the address before /chat/completions; empty for the tour.
	BaseURL string
	// Others are further addresses of the same provider, such as those for other
	// regions. Its key may go there too.
	Others []string
	// KeyEnv is the environment variable that holds the key by custom; empty
	// where no key is needed.
	KeyEnv string
	// KeyPrefixes are how its keys begin, where that tells them from those of all
	// others.
	KeyPrefixes []string
	// Dialect is what it wants of a request, whichever the model.
	Dialect llm.Dialect
	// Speaks is the known provider of whose models it is true what is true of some
	// models only; empty means Name.
	Speaks string
	// Header goes with every request; {key} in a value stands for the key.
	Header http.Header
	// ListHeader is in place of the key where the models are listed; nil where they are
	// like everything else.
	ListHeader http.Header
	// Body are fields for every chat request.
	Body map[string]json.RawMessage
	// Protocol is how requests to it are written; empty leaves that to the family of the
	// model.
	Protocol llm.Protocol
	// Family is the name of the family of all its models; empty leaves that to their names.
	Family string
	// Window is how many tokens its models take at once; 0 where that is not said for
	// all of them.
	Window int
	// Local says that BaseURL, or the tour, is on this computer.
	Local bool
	// Own says that the user named it in the settings file.
	Own bool
}

// Demo is the name of the guided tour.
const Demo = "demo"

const ollama = "ollama"

// Catalog is the providers to choose from. The zero Catalog is those that are
// known.
type Catalog struct {
	own []Provider
}

// With returns the known providers and those that a user named.
func With(own []Provider) Catalog { return Catalog{own: slices.Clone(own)} }

// Providers returns all providers in the order in which they are shown: the
// user's own first, the tour last.
func (c Catalog) Providers() []Provider { return slices.Concat(c.own, known) }

// Find returns the provider with that name, however it is capitalised. A name
// that is none gives a *UsageError which suggests the nearest.
func (c Catalog) Find(name string) (Provider, error) {
	wanted := strings.ToLower(strings.TrimSpace(name))
	providers := c.Providers()
	names := make([]string, len(providers))
	for i, p := range providers {
		if p.Name == wanted {
			return p, nil
		}
		names[i] = p.Name
	}
	hint := "give one of " + strings.Join(names, ", ") + ", or any other endpoint with --base-url"
	if near := nearestName(wanted, names); near != "" {
		hint = fmt.Sprintf("did you mean %s? Else %s", near, hint)
	}
	return Provider{}, &UsageError{Message: fmt.Sprintf("unknown provider %q", name), Hint: hint}
}

// Knows reports whether a clean base URL is that of one of the providers.
func (c Catalog) Knows(baseURL string) bool {
	return slices.ContainsFunc(c.Providers(), func(p Provider) bool { return slices.Contains(p.allAddresses(), baseURL) })
}

// OfKey returns the provider that a key surely belongs to, by how it begins; false
// where that says nothing. The longest beginning decides.
func (c Catalog) OfKey(key string) (Provider, bool) {
	var found Provider
	longest := 0
	for _, p := range c.Providers() {
		for _, prefix := range p.KeyPrefixes {
			if len(prefix) > longest && strings.HasPrefix(key, prefix) {
				found, longest = p, len(prefix)
			}
		}
	}
	return found, longest > 0
}

// providerAt returns the provider whose host an address names, or one without a name. Of
// several at one host it is the one with that very address, else the first.
func (c Catalog) providerAt(baseURL string) Provider {
	found := Provider{Title: hostPort(baseURL)}
	// Those known come first: the user's own is found by its name.
	for _, p := range slices.Concat(known, c.own) {
		switch {
		case slices.Contains(p.allAddresses(), baseURL):
			return p
		case found.Name == "" && p.servesHost(baseURL):
			found = p
		}
	}
	return found
}

func (p Provider) allAddresses() []string { return append([]string{p.BaseURL}, p.Others...) }

// servesHost reports whether an address is at a host of this provider.
func (p Provider) servesHost(baseURL string) bool {
	return slices.ContainsFunc(p.allAddresses(), func(own string) bool { return sameHost(own, baseURL) })
}

// nearestName returns the name with the smallest edit distance to wanted, or nothing
// where even that one shares less than half of its letters.
func nearestName(wanted string, names []string) string {
	best, least := "", len(wanted)
	for _, name := range names {
		if d := levenshtein.ComputeDistance(wanted, name); d < least && 2*d <= len(name) {
			best, least = name, d
		}
	}
	return best
}
