package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxPasted  = 256 << 10
	maxServers = 50
)

// Pasted is a server of a text that other clients have as their settings.
type Pasted struct {
	Definition Definition
	// Values are those of variables, and HeaderValues those of headers, that the text has. They are
	// secrets: they are not part of the definition.
	Values, HeaderValues map[string]string
	// Needs are the variables and headers without a value, and places in the definition that other
	// clients would fill in, as the user is shown them.
	Needs []string
	// NotTaken are the fields of the text that mean nothing here, sorted: what they would allow by
	// themselves is not allowed.
	NotTaken []string
	// Refused is why the server cannot be used; nil where it can.
	Refused error
}

// Parse reads the servers of a text: what clients have under mcpServers, servers, mcp or
// context_servers, a map of servers by name, or one server, whose name the caller gives.
func Parse(text, name string) ([]Pasted, error) {
	if len(text) > maxPasted || !utf8.ValidString(text) {
		return nil, fmt.Errorf("the text is longer than %d KiB, or no UTF-8", maxPasted>>10)
	}
	plain := strings.TrimSpace(string(plainJSON([]byte(text))))
	if strings.HasPrefix(plain, `"`) {
		plain = "{" + strings.TrimSuffix(plain, ",") + "}" // a part of such settings
	}
	top, err := readObject(json.RawMessage(plain))
	if err != nil {
		return nil, fmt.Errorf("the text is no JSON that names servers: %w", err)
	}
	if isServer(top) {
		return []Pasted{readServer(name, top)}, nil
	}
	servers := serversIn(top)
	if len(servers) == 0 {
		return nil, errors.New("the text names no server: paste what another client has under mcpServers or servers, or one server with a command or a url")
	}
	if len(servers) > maxServers {
		return nil, fmt.Errorf("the text names more than %d servers", maxServers)
	}
	var found []Pasted
	taken := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(servers)) {
		one := readServer(key, servers[key])
		if taken[one.Definition.Name] {
			one.Refused = fmt.Errorf("two servers of the text are called %s", one.Definition.Name)
		}
		taken[one.Definition.Name] = true
		found = append(found, one)
	}
	return found, nil
}

// object is a JSON object whose names count to the letter.
type object map[string]json.RawMessage

func readObject(text json.RawMessage) (object, error) {
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, err
	}
	if o == nil {
		return nil, errors.New("it is no object")
	}
	return o, nil
}

// isServer reports whether an object is a server, and not a map of some.
func isServer(o object) bool {
	for _, field := range append([]string{"command"}, addressFields...) {
		if value, ok := o[field]; ok && !strings.HasPrefix(strings.TrimSpace(string(value)), "{") {
			return true
		}
	}
	return false
}

// What clients call the address, and the values of variables and headers.
var (
	addressFields  = []string{"url", "serverUrl", "httpUrl"}
	variableFields = []string{"env", "environment"}
	headerFields   = []string{"headers"}
)

// serversIn are the servers of settings, by name.
func serversIn(top object) map[string]object {
	named, _ := namedIn(top)
	return objectsIn(named)
}

// namedIn is the map of servers in settings; where no field holds one, it can be the settings
// themselves.
func namedIn(top object) (named object, isField bool) {
	for _, field := range []string{"mcpServers", "servers", "context_servers", "mcp"} {
		inner, err := readObject(top[field])
		if err != nil || isServer(inner) {
			continue
		}
		if field == "mcp" {
			inner, _ = namedIn(inner)
		}
		return inner, true
	}
	return top, false
}

// objectsIn are the servers of a map; nil where something else stands in it.
func objectsIn(named object) map[string]object {
	servers := make(map[string]object, len(named))
	for name, value := range named {
		inner, err := readObject(value)
		if err != nil || !isServer(inner) {
			return nil
		}
		servers[name] = inner
	}
	return servers
}

// readServer reads one server. What is wrong with it is in the result.
func readServer(name string, fields object) Pasted {
	r := reader{fields: fields, left: maps.Clone(fields)}
	p := Pasted{Definition: Definition{Name: plainName(name)}}
	d := &p.Definition
	words := r.words("command")
	if len(words) > 0 {
		d.Kind, d.Command = KindStdio, words[0]
		d.Args = append(words[1:], r.words("args")...)
	} else if len(r.words("args")) > 0 {
		r.fail("it has args and no command")
	}
	for _, field := range addressFields {
		if address := r.text(field); address != "" {
			d.URL = address
		}
	}
	kind := r.kind()
	if d.URL != "" {
		d.Kind = kind
		if kind == "" || kind == KindStdio {
			d.Kind = KindHTTP
		}
	} else if kind == KindHTTP || kind == KindSSE {
		r.fail("it has no url")
	}
	p.Values, p.HeaderValues = r.named(variableFields), r.named(headerFields)
	d.Variables, d.Headers = slices.Sorted(maps.Keys(p.Values)), slices.Sorted(maps.Keys(p.HeaderValues))
	p.Needs = append(placesToFill(d), dropReferences("variable", p.Values)...)
	p.Needs = append(p.Needs, dropReferences("header", p.HeaderValues)...)
	if folder := r.text("cwd"); folder != "" && !slices.Contains(workspaceFolders, strings.TrimRight(folder, "/")) {
		r.fail(fmt.Sprintf("it wants to start in %s: servers start in the workspace", shownText(folder)))
	}
	for field := range r.left {
		p.NotTaken = append(p.NotTaken, shownText(field))
	}
	slices.Sort(p.NotTaken)
	switch err := d.Check(); {
	case r.fault != "":
		p.Refused = fmt.Errorf("the server %s cannot be used: %s", d.Name, r.fault)
	case err != nil && len(placesToFill(d)) == 0:
		p.Refused = err
	}
	return p
}

// workspaceFolders are what clients call the folder that is open.
var workspaceFolders = []string{".", "${workspaceFolder}", "${workspaceRoot}", "${workspace}"}

// plainName is a name in the letters that one may have.
func plainName(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	plain = strings.Trim(plain, "-")
	return plain[:min(len(plain), 32)]
}

// placesToFill are the references in a definition.
func placesToFill(d *Definition) []string {
	var places []string
	for _, text := range append([]string{d.Command, d.URL}, d.Args...) {
		for _, found := range reference().FindAllString(text, -1) {
			places = append(places, "a value for "+shownText(found))
		}
	}
	return places
}

// dropReferences takes out the values that other clients would fill in, and says which.
func dropReferences(what string, values map[string]string) []string {
	var needs []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] == "" || reference().MatchString(values[name]) {
			needs = append(needs, "the "+what+" "+shownText(name))
			delete(values, name)
		}
	}
	return needs
}

// reader takes fields of a server, and remembers those that it has not taken.
type reader struct {
	fields, left object
	fault        string
}

func (r *reader) fail(fault string) {
	if r.fault == "" {
		r.fault = fault
	}
}

// take decodes a field, and reports whether there is one.
func (r *reader) take(field string, into any) bool {
	value, ok := r.fields[field]
	delete(r.left, field)
	if !ok {
		return false
	}
	if err := json.Unmarshal(value, into); err != nil {
		r.fail(fmt.Sprintf("its %s is not what it should be", field))
	}
	return true
}

func (r *reader) text(field string) (text string) {
	r.take(field, &text)
	return text
}

// words are the texts of a list, or one text.
func (r *reader) words(field string) (words []string) {
	if strings.HasPrefix(strings.TrimSpace(string(r.fields[field])), `"`) {
		return []string{r.text(field)}
	}
	r.take(field, &words)
	return words
}

// named are texts by name; numbers and the like count as such.
func (r *reader) named(names []string) map[string]string {
	all := map[string]string{}
	for _, field := range names {
		var values map[string]any
		r.take(field, &values)
		for name, value := range values {
			switch value := value.(type) {
			case nil:
				all[name] = ""
			case string:
				all[name] = value
			case bool, float64:
				all[name] = fmt.Sprint(value)
			default:
				r.fail(fmt.Sprintf("its %s has %s, which is no text", field, shownText(name)))
			}
		}
	}
	return all
}

// kind is what the text says of how the server is reached; empty where it says nothing.
func (r *reader) kind() Kind {
	said := r.text("type")
	if other := r.text("transport"); said == "" {
		said = other
	}
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(said)) {
	case "":
		return ""
	case "stdio", "local":
		return KindStdio
	case "http", "streamablehttp", "remote":
		return KindHTTP
	case "sse":
		return KindSSE
	}
	r.fail(fmt.Sprintf("%s is no way to reach a server: there are stdio, http and sse", shownText(said)))
	return ""
}
