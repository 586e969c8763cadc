package tool_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

type account struct{ name string }

func (a *account) String() string { return a.name }

// looking is a tool that looks at the objects when it prepares a call.
type looking struct {
	scripted
	look func(in tool.Input)
}

func (l looking) Prepare(ctx context.Context, in tool.Input) (tool.Plan, error) {
	l.look(in)
	return l.scripted.Prepare(ctx, in)
}

func TestINJ01_ObjectsAreFoundByType(t *testing.T) {
	lent := &account{"lent"}
	looks := 0
	look := func(in tool.Input) {
		looks++
		if got, ok := tool.Object[*account](in); !ok || got != lent {
			t.Errorf("*account: %v, %v", got, ok)
		}
		if got, ok := tool.Object[fmt.Stringer](in); !ok || got.String() != "1s" {
			t.Errorf("the first fmt.Stringer: %v, %v", got, ok)
		}
		if got, ok := tool.Object[account](in); ok {
			t.Errorf("account: %v", got)
		}
		if got, ok := tool.Object[int](in); ok || got != 0 {
			t.Errorf("int: %v", got)
		}
		if got, ok := tool.Object[error](in); ok || got != nil {
			t.Errorf("error: %v", got)
		}
	}
	subject := looking{scripted{"a", func(_ context.Context, in tool.Input) message.Result {
		look(in)
		return message.Result{Content: message.Text("x")}
	}}, look}
	plain := dispatcherWith(t, tool.Options{}, subject)
	d := dispatcherWith(t, tool.Options{Objects: []any{time.Second, lent, "text"}}, subject)
	for _, d := range []*tool.Dispatcher{d, d.Without([]string{"other"})} {
		looks = 0
		c := call("a", `{"path":"p"}`)
		if result := run(t.Context(), d, c); !result.Success() || looks != 2 {
			t.Errorf("%s, looked %d times", result.Text(), looks)
		}
	}
	if offered, before := string(d.Definitions()[0].Parameters), string(plain.Definitions()[0].Parameters); offered != before {
		t.Errorf("the schema tells of the objects: %s", offered)
	}
}

func TestINJ01_ObjectsAreToldApart(t *testing.T) {
	registry, err := tool.NewRegistry(scripted{name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		objects []any
		want    string
	}{
		"two of a type":        {[]any{&account{"a"}, 1, &account{"b"}}, "two of type *tool_test.account"},
		"nil":                  {[]any{1, nil}, "one is nil"},
		"a value and its type": {[]any{account{}, &account{}}, ""},
	} {
		_, err := tool.NewDispatcher(registry, tool.Options{Objects: test.objects})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}
