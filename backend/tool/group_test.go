package tool_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// grouped is a tool of a group.
type grouped struct {
	scripted
	group string
}

func (g grouped) Definition() tool.Definition {
	d := g.scripted.Definition()
	d.Group = g.group
	return d
}

func groups(t *testing.T, allow []string) *tool.Dispatcher {
	t.Helper()
	var tools []tool.Tool
	for name, group := range map[string]string{"write": "file", "edit": "file", "shell": "shell", "read": "file", "get": "web"} {
		tools = append(tools, grouped{scripted{name, answer(name)}, group})
	}
	return dispatcher(t, allow, tools...)
}

func offered(d *tool.Dispatcher) string {
	var names []string
	for _, definition := range d.Definitions() {
		names = append(names, definition.Name)
	}
	return strings.Join(names, " ")
}

func TestGRP01_GroupsAreThoseOfTheAllowedTools(t *testing.T) {
	for name, test := range map[string]struct {
		allow []string
		want  []tool.Group
	}{
		"all":  {nil, []tool.Group{{"file", []string{"edit", "read", "write"}}, {"shell", []string{"shell"}}, {"web", []string{"get"}}}},
		"some": {[]string{"get", "write"}, []tool.Group{{"file", []string{"write"}}, {"web", []string{"get"}}}},
		"none": {[]string{}, []tool.Group{}},
	} {
		if diff := cmp.Diff(test.want, groups(t, test.allow).Groups()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestGRP01_AGroupIsSwitchedOff(t *testing.T) {
	for name, test := range map[string]struct {
		allow  []string
		off    []string
		offer  string
		refuse map[string]string // what a call is told
	}{
		"nothing":      {nil, nil, "edit get read shell write", nil},
		"one":          {nil, []string{"file"}, "get shell", map[string]string{"edit": `user switched off the group "file"`, "read": `"file"`}},
		"two":          {nil, []string{"web", "shell"}, "edit read write", map[string]string{"get": `"web"`, "shell": `"shell"`}},
		"unknown":      {nil, []string{"memory"}, "edit get read shell write", nil},
		"not allowed":  {[]string{"get"}, []string{"file"}, "get", map[string]string{"edit": "not allowed in this run"}},
		"all that are": {[]string{"get"}, []string{"web"}, "", map[string]string{"get": `"web"`}},
	} {
		t.Run(name, func(t *testing.T) {
			whole := groups(t, test.allow)
			before := offered(whole)
			view := whole.Without(test.off)
			if got := offered(view); got != test.offer {
				t.Errorf("offered: %s, want %s", got, test.offer)
			}
			for _, one := range strings.Fields(test.offer) {
				if _, fault := view.Check(call(one, `{"path":"p"}`)); fault != nil {
					t.Errorf("%s: %v", one, fault)
				}
			}
			for one, want := range test.refuse {
				_, fault := view.Check(call(one, `{"path":"p"}`))
				if fault == nil || fault.Code != message.ToolNotAllowed || !strings.Contains(fault.Message, want) {
					t.Errorf("%s: got %v, want %q", one, fault, want)
				}
			}
			if offered(whole) != before {
				t.Errorf("the dispatcher itself offers %s", offered(whole))
			}
		})
	}
}

func TestGRP01_AViewIsADispatcher(t *testing.T) {
	whole := groups(t, nil)
	view := whole.Without([]string{"file"}).Without([]string{"web"})
	if diff := cmp.Diff([]tool.Group{{Name: "shell", Tools: []string{"shell"}}}, view.Groups()); diff != "" {
		t.Errorf("groups of the view (-want +got):\n%s", diff)
	}
	if got := run(t.Context(), view, call("shell", `{"path":"p"}`)).Content.Text(); got != "shell" {
		t.Errorf("ran to %q", got)
	}
	if _, fault := view.Check(call("writ", `{}`)); fault == nil || strings.Contains(fault.Message, "did you mean") {
		t.Errorf("a tool that is switched off is named: %v", fault)
	}
	if _, fault := whole.Check(call("read", `{"path":"p"}`)); fault != nil {
		t.Errorf("a view changed the dispatcher: %v", fault)
	}
}
