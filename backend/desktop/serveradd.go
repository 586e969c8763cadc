package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/host"
	"fairlead/backend/mcp/install"
	"fairlead/backend/mcp/remote"
	"fairlead/backend/message"
)

// ServerText is what the user gives of servers to add: what another client has as its settings, or a
// command line, or an address.
type ServerText struct {
	JSON    string `json:"json"`
	Command string `json:"command"`
	Address string `json:"address"`
	// Name is that of the server, where the text has none.
	Name string `json:"name"`
}

// ServerValue is a variable or a header of a server.
type ServerValue struct {
	Name string `json:"name"`
	// Given reports whether the text has a value for it, which is not shown.
	Given bool `json:"given"`
}

// FoundServer is a server of such a text, which is not added yet.
type FoundServer struct {
	Name string   `json:"name"`
	Kind mcp.Kind `json:"kind"`
	// Runs is its command line, or its address, hidden characters visible.
	Runs      string        `json:"runs"`
	Variables []ServerValue `json:"variables"`
	Headers   []ServerValue `json:"headers"`
	// Hash is what adding it is bound to.
	Hash string `json:"hash"`
	// Fetches reports whether it has to be installed.
	Fetches bool `json:"fetches"`
	// Replaces reports whether there is a server of this name, in whose place it is added.
	Replaces bool `json:"replaces"`
	// Nearby reports whether its address is one of this computer or of a private network, which is reached
	// only where the user agrees to it; empty for any other.
	Nearby string `json:"nearby"`
	// Needs, NotTaken and Refused are those of mcp.Pasted.
	Needs    []string `json:"needs"`
	NotTaken []string `json:"notTaken"`
	Refused  string   `json:"refused"`
}

// FoundServers are all servers of a text. ID names what was read, for the calls that follow.
type FoundServers struct {
	ID      string        `json:"id"`
	Servers []FoundServer `json:"servers"`
}

// pastedServers is the text with servers that was read last. Its values stay here: the page is shown
// none of them.
type pastedServers struct {
	mu     sync.Mutex
	count  int
	found  []mcp.Pasted
	offers map[string]*install.Offer
}

// set keeps what was read, in place of what was before, and returns its id.
func (p *pastedServers) set(found []mcp.Pasted) (id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	p.found, p.offers = found, map[string]*install.Offer{}
	return strconv.Itoa(p.count)
}

// find returns a server of what was read, with what was offered to install for it; nil for nothing.
func (p *pastedServers) find(id, name string) (mcp.Pasted, *install.Offer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id == strconv.Itoa(p.count) {
		for _, one := range p.found {
			if one.Definition.Name == name && one.Refused == nil {
				return one, p.offers[name], nil
			}
		}
	}
	return mcp.Pasted{}, nil, changedServer(name)
}

// offer keeps what was offered to install for a server of what was read.
func (p *pastedServers) offer(id, name string, offer *install.Offer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id == strconv.Itoa(p.count) {
		p.offers[name] = offer
	}
}

// maxServerText is how long a text with servers may be, in bytes.
const maxServerText = 1 << 20

// readServerText reads a text with servers that the page sends. Nothing is added, and nothing is
// asked over the network but what the names of addresses lead to.
func (w *Window) readServerText(request *http.Request) (any, error) {
	content, err := io.ReadAll(http.MaxBytesReader(nil, request.Body, maxServerText))
	if err != nil {
		return nil, fmt.Errorf("read the text with servers: %w", err)
	}
	var text ServerText
	if err := json.Unmarshal(content, &text); err != nil {
		return nil, invalidServer(errors.New("the page sent no text with servers"))
	}
	found, err := text.parse()
	if err != nil {
		return nil, invalidServer(err)
	}
	all, err := w.backend.Servers.Registry.Servers()
	if err != nil {
		return nil, err
	}
	shown := FoundServers{Servers: make([]FoundServer, len(found))}
	var looking sync.WaitGroup
	for i, one := range found {
		for _, value := range slices.Concat(valuesOf(one.Values), valuesOf(one.HeaderValues)) {
			w.backend.Redactor.Add(value)
		}
		server := &shown.Servers[i]
		*server = foundServer(one)
		server.Replaces = isReplaced(all, server.Name)
		if server.Kind != mcp.KindStdio && server.Refused == "" {
			looking.Go(func() { server.lookNearby(request.Context(), one.Definition.URL) })
		}
	}
	looking.Wait()
	shown.ID = w.pasted.set(found)
	return shown, nil
}

func valuesOf(named map[string]string) (values []string) {
	for _, value := range named {
		values = append(values, value)
	}
	return values
}

// parse reads the servers of the text.
func (t ServerText) parse() ([]mcp.Pasted, error) {
	switch {
	case t.JSON != "":
		return mcp.Parse(t.JSON, t.Name)
	case t.Command != "":
		words, err := splitWords(t.Command)
		if err != nil {
			return nil, err
		}
		t.JSON = encodeText(map[string]any{"command": words})
	default:
		t.JSON = encodeText(map[string]any{"url": strings.TrimSpace(t.Address)})
	}
	return mcp.Parse(t.JSON, t.Name)
}

// encodeText is a value as JSON.
func encodeText(value any) string {
	text, _ := json.Marshal(value) // texts always encode
	return string(text)
}

// splitWords splits a command line into words, at white space that is not in quotes. All else stands
// for itself: no shell reads it.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	var quote rune
	begun := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case strings.ContainsRune(" \t\r\n", r):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the command has a %c that nothing closes", quote)
	}
	if begun {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return words, nil
}

// foundServer is a server that was read, without its values.
func foundServer(p mcp.Pasted) FoundServer {
	d := p.Definition
	shown := FoundServer{
		Name: d.Name, Kind: d.Kind, Runs: d.String(), Hash: d.Hash(),
		Variables: givenValues(d.Variables, p.Values), Headers: givenValues(d.Headers, p.HeaderValues),
		Needs: append([]string{}, p.Needs...), NotTaken: append([]string{}, p.NotTaken...),
	}
	_, shown.Fetches = d.Fetches()
	if p.Refused != nil {
		shown.Refused = p.Refused.Error()
	}
	return shown
}

// lookNearby looks where the address of the server is.
func (s *FoundServer) lookNearby(ctx context.Context, address string) {
	nearby, err := remote.Nearby(ctx, address)
	if s.Nearby = nearby; err != nil {
		s.Refused = err.Error()
	}
}

func givenValues(names []string, values map[string]string) []ServerValue {
	all := []ServerValue{}
	for _, name := range names {
		_, given := values[name]
		all = append(all, ServerValue{name, given})
	}
	return all
}

// ServerOffer is what would be installed for a server.
type ServerOffer struct {
	// Hash is what a yes is bound to.
	Hash string `json:"hash"`
	// Packages are those of the definition, each with its exact version.
	Packages []string `json:"packages"`
	// Integrity is the hash of the first one.
	Integrity string `json:"integrity"`
	// Registry is where it was looked up, and OtherHosts are further hosts that packages come from.
	Registry   string   `json:"registry"`
	OtherHosts []string `json:"otherHosts"`
	// Count is how many packages there are in all, and Scripts are those with install scripts.
	Count   int      `json:"count"`
	Scripts []string `json:"scripts"`
	// Bytes is the size of the first one when unpacked; 0 where the registry does not say it.
	Bytes int64 `json:"bytes"`
}

// readServerOffer asks the registry of packages what would be installed for a server.
func (w *Window) readServerOffer(request *http.Request) (any, error) {
	id, name := request.URL.Query().Get("id"), request.URL.Query().Get("name")
	pasted, _, err := w.pasted.find(id, name)
	if err != nil {
		return nil, err
	}
	offer, err := w.backend.Servers.Offer(request.Context(), pasted.Definition)
	if err != nil {
		return nil, err
	}
	if offer == nil {
		return nil, invalidServer(fmt.Errorf("nothing is to be installed for the server %s", name))
	}
	w.pasted.offer(id, name, offer)
	shown := ServerOffer{
		Hash: offer.LockHash(), Packages: []string{}, Integrity: offer.Integrity, Registry: offer.Registry, Count: offer.Count, Bytes: offer.Bytes,
		OtherHosts: append([]string{}, offer.OtherHosts...), Scripts: append([]string{}, offer.Scripts...),
	}
	for _, one := range offer.Packages {
		shown.Packages = append(shown.Packages, one.String())
	}
	return shown, nil
}

// AddedServer is a server to add, as it was shown.
type AddedServer struct {
	// ID and Name name it among what was read, and Hash is that of its definition.
	ID   string `json:"id"`
	Name string `json:"name"`
	Hash string `json:"hash"`
	// Offer is the hash of what is installed for it, and Scripts reports whether install scripts run;
	// empty for a server that is not installed.
	Offer   string `json:"offer"`
	Scripts bool   `json:"scripts"`
	// Private reports whether the user agreed to an address of this computer or of a private network.
	Private bool `json:"private"`
	// Values are those of variables and headers that the user typed, by name.
	Values map[string]string `json:"values"`
	Grant  ServerGrant       `json:"grant"`
}

// Add adds a server and lets it run for the open folder. What is not as it was shown gives
// INVALID_STATE, and nothing is added. It takes as long as the install does.
func (s *Servers) Add(added AddedServer) (KeptValue, error) {
	return changeServer(s, func(ctx context.Context, servers *host.Workspace, folder string) (KeptValue, error) {
		s.changing.Lock()
		defer s.changing.Unlock()
		w := s.window
		pasted, offer, err := w.pasted.find(added.ID, added.Name)
		if err != nil {
			return KeptValue{}, err
		}
		definition := pasted.Definition
		_, fetches := definition.Fetches()
		if definition.Hash() != added.Hash || fetches && (offer == nil || offer.LockHash() != added.Offer) {
			return KeptValue{}, changedServer(added.Name)
		}
		grant, err := added.Grant.read(definition)
		if err != nil {
			return KeptValue{}, err
		}
		values, err := w.serverValues(pasted, added.Values)
		if err != nil {
			return KeptValue{}, err
		}
		if err := w.agreeReach(definition, grant); err != nil {
			return KeptValue{}, err
		}
		if !fetches {
			offer = nil
		}
		unsaved, err := w.backend.Servers.Add(ctx, host.Addition{
			Definition: definition, Values: values, Offer: offer, Scripts: added.Scripts, Private: added.Private,
		})
		if err != nil {
			return KeptValue{}, err
		}
		if err := w.backend.Servers.Grant(ctx, folder, added.Name, grant); err != nil {
			return unsavedValue(unsaved), err
		}
		startGranted(servers, added.Name)
		return unsavedValue(unsaved), nil
	})
}

// serverValues are the values that were typed, and those of the text where none was.
func (w *Window) serverValues(pasted mcp.Pasted, typed map[string]string) (map[string]string, error) {
	names := slices.Concat(pasted.Definition.Variables, pasted.Definition.Headers)
	values := map[string]string{}
	for name, value := range typed {
		if !slices.Contains(names, name) {
			return nil, invalidServer(fmt.Errorf("%s is no variable or header of the server %s", message.Inline(name), pasted.Definition.Name))
		}
		if value != "" {
			w.backend.Redactor.Add(value)
			values[name] = value
		}
	}
	for _, name := range names {
		if values[name] != "" {
			continue
		}
		if value := pasted.Values[name] + pasted.HeaderValues[name]; value != "" {
			values[name] = value
		}
	}
	return values, nil
}
