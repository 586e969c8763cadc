package mcp

import (
	"cmp"
	"context"
	_ "embed" // the description
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

const (
	// maxFound is how many tools one search returns, and maxFoundText how many characters.
	maxFound     = 10
	maxFoundText = 12_000
	// maxFoundDescription is how many bytes of a description a search returns.
	maxFoundDescription = 2000
)

//go:embed mcp_find.md
var findDescription string

// finder is the tool mcp_find.
type finder struct {
	*switchedOn
	catalogue string
}

type findArguments struct {
	Query string `json:"query"`
}

// Definition implements tool.Tool.
func (f *finder) Definition() tool.Definition {
	return tool.Definition{
		Name: "mcp_find", Description: strings.TrimSpace(findDescription) + "\n" + f.catalogue,
		Parameters: tool.Schema[findArguments](), Effect: message.EffectNone, Group: group,
		Display: message.Display{
			Title: "Find tools of servers", Verb: message.VerbSearch, Icon: message.IconSearch,
			Subject: message.Subject{Arguments: []string{"query"}, Kind: message.SubjectText},
		},
	}
}

// Prepare implements tool.Tool.
func (f *finder) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	arguments, err := tool.Arguments[findArguments](in.Arguments)
	if err != nil {
		return tool.Plan{}, err
	}
	words := searchWords(arguments.Query)
	if len(words) == 0 {
		return tool.Plan{}, &message.ToolError{Code: message.InvalidArguments, Message: "query has no words: say what the tool should do"}
	}
	return tool.Plan{Run: func(context.Context, func(string)) tool.Outcome {
		return tool.Outcome{Result: f.find(words)}
	}}, nil
}

// candidate is a tool that may be meant.
type candidate struct {
	server string
	tool   *Tool
	score  int
}

// find looks for tools in what servers list that can be called now.
func (f *finder) find(words []string) message.Result {
	var found []candidate
	var missing, names []string
	for _, name := range f.names {
		server := f.server(name)
		if server == nil {
			missing = append(missing, name+" (removed)")
			continue
		}
		status := server.Status()
		if status.State != StateReady {
			server.Start()
			missing = append(missing, fmt.Sprintf("%s (%s)", name, cmp.Or(status.Reason, string(StateStarting))))
		}
		if status.State == StateSuspended || status.State == StateStopped || status.Agreed == nil {
			continue
		}
		names = append(names, name)
		for i := range status.Agreed.Tools {
			t := &status.Agreed.Tools[i]
			if score := scoreTool(words, name, t); score > 0 {
				found = append(found, candidate{name, t, score})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return b.score - a.score })
	text, shortened := describeFound(found)
	if len(found) == 0 {
		text = "no tool of " + cmp.Or(strings.Join(names, ", "), "any server") + " matches: try other words, one will do"
	}
	var notices []string
	if len(missing) > 0 {
		notices = append(notices, "not ready: "+strings.Join(missing, "; "))
	}
	if shortened {
		notices = append(notices, fmt.Sprintf("%d tools match, not all of which are shown: use more words", len(found)))
	}
	return message.Result{
		Content: message.Text(tool.WithNotices(text, notices...)), Truncated: shortened,
		Data: &message.ResultData{Matches: len(found)},
	}
}

// describeFound describes the best candidates as far as there is space.
func describeFound(found []candidate) (text string, shortened bool) {
	var out strings.Builder
	size := 0
	for i, c := range found {
		described := c.describe()
		size += utf8.RuneCountInString(described)
		if i == maxFound || i > 0 && size > maxFoundText-1000 {
			return out.String(), true
		}
		if size > maxFoundText-1000 {
			described = fmt.Sprintf("%s\n%s/%s: its schema is too long to be shown; call it, and the faults of the arguments are named\n", foreignLine(c.server), c.server, c.tool.Name)
		}
		out.WriteString(described)
	}
	return out.String(), false
}

// describe is what the model is told of a tool.
func (c candidate) describe() string {
	said, cut := cutText(c.tool.Description, maxFoundDescription)
	if cut += c.tool.Cut; cut > 0 {
		said += fmt.Sprintf(" [… %d more bytes]", cut)
	}
	text := fmt.Sprintf("%s\nserver: %s\ntool: %s\n", foreignLine(c.server), c.server, c.tool.Name)
	if c.tool.Title != "" {
		text += "title: " + message.Inline(c.tool.Title) + "\n"
	}
	return text + fmt.Sprintf("description: %s\narguments: %s\n\n", message.Visible(said), message.Visible(string(c.tool.Input)))
}

// scoreTool says how well a tool fits the words; 0 for not at all.
func scoreTool(words []string, server string, t *Tool) int {
	name, title, said := searchWords(t.Name), searchWords(t.Title), searchWords(t.Description)
	score := 0
	for _, word := range words {
		score += max(12*fitWord(word, name), 8*fitWord(word, title), 4*fitWord(word, said), 3*fitWord(word, searchWords(server)))
	}
	return score
}

// fitWord is 4 for a word that is among others, 2 for one that one of them begins with or the other
// way round, and 0 for none.
func fitWord(word string, others []string) int {
	const shortest = 3
	fit := 0
	for _, other := range others {
		switch {
		case other == word:
			return 4
		case len(word) >= shortest && strings.HasPrefix(other, word), len(other) >= shortest && strings.HasPrefix(word, other):
			fit = 2
		}
	}
	return fit
}

// maxSearchWords is how many words of a text are looked at.
const maxSearchWords = 2000

// searchWords are the words of a text in small letters: parts of names too, and of what is written
// without spaces (Chinese, Japanese) each two characters in a row.
func searchWords(text string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 && len(words) < maxSearchWords {
			words = append(words, strings.ToLower(string(word)))
		}
		word = nil
	}
	var before rune
	for _, r := range text {
		wide := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		switch {
		case wide:
			if len(word) > 0 {
				if !unicode.In(before, unicode.Han, unicode.Hiragana, unicode.Katakana) {
					end()
				} else if len(word) == 2 {
					end()
					word = append(word, before)
				}
			}
			word = append(word, r)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if unicode.In(before, unicode.Han, unicode.Hiragana, unicode.Katakana) || unicode.IsUpper(r) && unicode.IsLower(before) {
				end()
			}
			word = append(word, r)
		default:
			end()
		}
		before = r
	}
	end()
	return words
}
