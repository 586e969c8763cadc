package tool_test

import (
	"testing"

	"fairlead/backend/tool"
)

// polling is a tool that polls.
type polling struct{ scripted }

func (p polling) Definition() tool.Definition {
	d := p.scripted.Definition()
	d.Polls = true
	return d
}

// watching is one whose calls come to an end.
type watching struct {
	polling
	lives string
}

func (w watching) Lives(in tool.Input) bool { return string(in.Arguments) == w.lives }

// unmarked has the method, but is not marked.
type unmarked struct{ scripted }

func (unmarked) Lives(tool.Input) bool { return true }

func TestDOOM01_APollLivesAsLongAsWhatItLooksAt(t *testing.T) {
	d := dispatcher(t, nil, scripted{name: "plain"}, polling{scripted{name: "always"}},
		watching{polling{scripted{name: "watching"}}, `{"path":"p"}`}, unmarked{scripted{name: "unmarked"}})
	for _, test := range []struct {
		name, arguments string
		want            bool
	}{
		{"plain", `{"path":"p"}`, false},
		{"always", `{"path":"p"}`, true},
		{"watching", `{"path":"p"}`, true},
		{"watching", `{"path":"ended"}`, false},
		{"unmarked", `{"path":"p"}`, false},
	} {
		if got := d.Polls(call(test.name, test.arguments)); got != test.want {
			t.Errorf("%s %s: got %v", test.name, test.arguments, got)
		}
	}
}
