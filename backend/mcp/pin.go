package mcp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

const (
	// maxTools is how many tools a server may have, and maxPages on how many pages it may list them.
	maxTools = 200
	maxPages = 100
	// maxDescription is how many bytes of a description are kept.
	maxDescription = 16 << 10
	// maxTitle is how many bytes a title may have.
	maxTitle = 256
	// maxSchema is how many bytes a schema may have, and maxSchemas all of a server.
	maxSchema  = 64 << 10
	maxSchemas = 2 << 20
)

// toolName is a name that the protocol allows and every provider takes in an argument.
var toolName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./-]{1,64}$`) })

// Tool is what a server says of one of its tools.
type Tool struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	// Cut is how many bytes of the description are left out.
	Cut int `json:"cut,omitempty"`
	// Input is the JSON Schema of the arguments, and Output that of structured results, which may
	// be nil. Both are in one form for all that mean the same.
	Input       json.RawMessage      `json:"inputSchema"`
	Output      json.RawMessage      `json:"outputSchema,omitempty"`
	Annotations *sdk.ToolAnnotations `json:"annotations,omitempty"`
	// Hash names all of this, with what was left out: SHA-256 in hex.
	Hash string `json:"hash"`
}

// ReadOnly reports whether the server says that the tool changes nothing. It is the server's word.
func (t Tool) ReadOnly() bool { return t.Annotations != nil && t.Annotations.ReadOnlyHint }

// LeftOut is a tool that cannot be used.
type LeftOut struct {
	// Name is in quotes, hidden characters visible.
	Name string `json:"name"`
	// Reason says why.
	Reason string `json:"reason"`
}

// Pin is the whole set of a server's tools, to which the user agrees. A rename would defeat pins
// of single tools.
type Pin struct {
	// Hash names the set: SHA-256 in hex.
	Hash string `json:"hash"`
	// Tools are sorted by name.
	Tools []Tool `json:"tools"`
}

// newPin pins tools.
func newPin(tools []Tool) *Pin {
	tools = slices.SortedFunc(slices.Values(tools), func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	hashes := make([]string, len(tools))
	for i := range tools {
		hashes[i] = tools[i].Hash
	}
	return &Pin{Hash: hashOf("tools", hashes), Tools: tools}
}

// find returns a tool by its name; nil where there is none.
func (p *Pin) find(name string) *Tool {
	if p == nil {
		return nil
	}
	at, ok := slices.BinarySearchFunc(p.Tools, name, func(t Tool, name string) int { return cmp.Compare(t.Name, name) })
	if !ok {
		return nil
	}
	return &p.Tools[at]
}

// toolReader reads the tools of a server within bounds.
type toolReader struct {
	tools   []Tool
	left    []LeftOut
	names   map[string]bool
	schemas int
}

// answerError is what a server has answered that is not taken, as the end of a sentence about it.
type answerError string

func (e answerError) Error() string { return string(e) }

// readTools reads all pages of a listing. An error is a answerError, or that of list.
func readTools(list func(cursor string) (*sdk.ListToolsResult, error)) (*Pin, []LeftOut, error) {
	r := toolReader{names: map[string]bool{}}
	cursors := map[string]bool{}
	for cursor := ""; ; {
		page, err := list(cursor)
		if err != nil {
			return nil, nil, err
		}
		for _, one := range page.Tools {
			if err := r.add(one); err != nil {
				return nil, nil, err
			}
		}
		cursor = page.NextCursor
		cursors[cursor] = true
		switch {
		case cursor == "":
			return newPin(r.tools), r.left, nil
		case len(cursors) >= maxPages:
			return nil, nil, answerError(fmt.Sprintf("it lists its tools on more than %d pages, or on the same ones again", maxPages))
		}
	}
}

// add takes a tool, or leaves it out. An error ends the listing.
func (r *toolReader) add(listed *sdk.Tool) error {
	if listed == nil {
		return nil
	}
	if len(r.tools)+len(r.left) >= maxTools {
		return answerError(fmt.Sprintf("it has more than %d tools", maxTools))
	}
	t, size, err := readTool(listed)
	if r.schemas += size; r.schemas > maxSchemas {
		return answerError(fmt.Sprintf("the schemas of its tools have more than %d MiB", maxSchemas>>20))
	}
	if err == nil && r.names[t.Name] {
		err = errors.New("another tool has the same name")
	}
	if err != nil {
		r.left = append(r.left, LeftOut{Name: shownText(listed.Name), Reason: err.Error()})
		return nil
	}
	r.names[t.Name] = true
	r.tools = append(r.tools, t)
	return nil
}

// readTool reads a tool, and how many bytes its schemas have. An error is why it is left out.
func readTool(listed *sdk.Tool) (t Tool, size int, err error) {
	t = Tool{
		Name: listed.Name, Title: validText(listed.Title), Description: validText(listed.Description), Annotations: listed.Annotations,
	}
	if t.Input, err = json.Marshal(listed.InputSchema); err != nil {
		return t, 0, errors.New("its schema cannot be written")
	}
	if listed.OutputSchema != nil {
		if t.Output, err = json.Marshal(listed.OutputSchema); err != nil {
			return t, len(t.Input), errors.New("the schema of its results cannot be written")
		}
	}
	size = len(t.Input) + len(t.Output)
	switch {
	case !toolName().MatchString(t.Name):
		return t, size, errors.New("its name is not made of up to 64 letters of ASCII, digits, _, ., / and -")
	case len(t.Title) > maxTitle:
		return t, size, fmt.Errorf("its title is longer than %d bytes", maxTitle)
	case len(t.Input) > maxSchema || len(t.Output) > maxSchema:
		return t, size, fmt.Errorf("a schema of it has more than %d KiB", maxSchema>>10)
	}
	if _, err := tool.ReadForeignSchema(t.Input); err != nil {
		return t, size, fmt.Errorf("its arguments cannot be checked: %w", err)
	}
	if t.Annotations != nil {
		own := *t.Annotations
		own.Title = validText(own.Title)
		t.Annotations = &own
	}
	t.Hash = hashOf("tool", t)
	t.Description, t.Cut = cutText(t.Description, maxDescription)
	return t, size, nil
}

// validText is a text in UTF-8.
func validText(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// cutText is the beginning of a text, of so many bytes at most, and how many are left out.
func cutText(text string, most int) (kept string, cut int) {
	if len(text) <= most {
		return text, 0
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most], len(text) - most
}

// String is what the user is shown of a tool, hidden characters visible.
func (t Tool) String() string {
	var text strings.Builder
	line := func(format string, values ...any) { fmt.Fprintf(&text, format+"\n", values...) }
	line("%s", t.Name)
	if t.Title != "" {
		line("title: %s", message.Inline(t.Title))
	}
	if t.Description != "" {
		line("description: %s", message.Visible(t.Description))
	}
	if t.Cut > 0 {
		line("(%d more bytes of the description are not kept; with them the tool is %s)", t.Cut, t.Hash)
	}
	if t.Annotations != nil {
		line("annotations: %s", shownJSON(t.Annotations))
	}
	line("arguments: %s", shownJSON(t.Input))
	if t.Output != nil {
		line("results: %s", shownJSON(t.Output))
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// shownJSON is a value as indented JSON, hidden characters visible.
func shownJSON(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return message.Visible(err.Error())
	}
	return message.Visible(strings.TrimSuffix(text.String(), "\n"))
}
