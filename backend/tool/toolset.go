package tool

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"fairlead/backend/message"
)

// Toolset is where tools come from. It is asked when a conversation is opened and at the
// start of each run, because tools come and go. An implementation is safe for concurrent
// calls.
type Toolset interface {
	// Name is what the user is told where the run has to do without it.
	Name() string
	// Tools returns the tools that there are now, and returns soon after ctx ends. Tools
	// that did not change are the same values as before: nothing is worked out again then.
	Tools(ctx context.Context) ([]Tool, error)
}

// Fixed is a toolset that is always the same.
type Fixed struct {
	// Label is its name.
	Label string
	// Each are its tools.
	Each []Tool
}

// Name implements Toolset.
func (f Fixed) Name() string { return f.Label }

// Tools implements Toolset.
func (f Fixed) Tools(context.Context) ([]Tool, error) { return f.Each, nil }

// askLimit is how long the toolsets have to say what tools there are.
const askLimit = 10 * time.Second

// Missing is a toolset that a run has to do without.
type Missing struct {
	// Toolset is its name.
	Toolset string
	// Err is why.
	Err error

	// unfit says that it has tools, which cannot be used.
	unfit bool
}

// Toolsets are those of one conversation, with what its host says of their tools.
type Toolsets struct {
	sets    []Toolset
	options Options

	// mu guards what the last answers were, and what came of them.
	mu         sync.Mutex
	answers    []answer
	dispatcher *Dispatcher
	missing    []Missing
}

// answer is what a toolset gave: its tools, or why it has none.
type answer struct {
	tools []Tool
	err   error
}

// OpenToolsets asks the toolsets for the first time. A tool or a parameter in the options
// that does not exist, and a preset that does not fit its schema, is a *message.Refusal
// with INVALID_PARAMS; two tools of one name are an error. What the options name is not
// missed where a toolset failed, which may have it.
func OpenToolsets(ctx context.Context, options Options, sets ...Toolset) (*Toolsets, error) {
	t := &Toolsets{sets: sets, options: options}
	t.useAnswers(t.ask(ctx))
	failed := false
	for _, m := range t.missing {
		if m.unfit {
			return nil, m.Err
		}
		failed = true
	}
	if !failed {
		if err := t.dispatcher.requireNamed(options); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// ForRun asks the toolsets again and returns the tools of a run, and which toolsets it has
// to do without: those that failed, and those whose tools do not go with the others or with
// the presets. While the tools stay the same, so does the dispatcher.
func (t *Toolsets) ForRun(ctx context.Context) (*Dispatcher, []Missing) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if answers := t.ask(ctx); !slices.EqualFunc(answers, t.answers, answer.same) {
		t.useAnswers(answers)
	}
	return t.dispatcher, t.missing
}

// ask has all toolsets answer, side by side. One that panics has failed, and one that does
// not return soon after its time is left behind.
func (t *Toolsets) ask(ctx context.Context) []answer {
	ctx, cancel := context.WithTimeoutCause(ctx, askLimit, fmt.Errorf("it did not answer in %v", askLimit))
	defer cancel()
	answers := make([]answer, len(t.sets))
	var asking sync.WaitGroup
	for i, set := range t.sets {
		asking.Go(func() {
			given, settled := runContained(ctx, set.Name(), func() (a answer) {
				a.tools, a.err = set.Tools(ctx)
				return a
			}, func(fault *message.ToolError) answer { return answer{err: fault} }, nil)
			if !settled || given.err != nil && ctx.Err() != nil {
				given = answer{err: context.Cause(ctx)}
			}
			answers[i] = given
		})
	}
	asking.Wait()
	return answers
}

// same reports whether two answers give the same tools, or fail for the same reason.
func (a answer) same(b answer) bool {
	if a.err != nil || b.err != nil {
		return a.err != nil && b.err != nil && a.err.Error() == b.err.Error()
	}
	return slices.EqualFunc(a.tools, b.tools, sameTool)
}

// sameTool reports whether two tools are one value; where that cannot be told, they are not.
func sameTool(a, b Tool) bool {
	return reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable() && a == b
}

// useAnswers puts the tools of the toolsets together, in their order: one whose tools do
// not go with those before it is missing.
func (t *Toolsets) useAnswers(answers []answer) {
	t.answers, t.missing = answers, nil
	t.dispatcher = &Dispatcher{timeout: t.options.Timeout, objects: t.options.Objects}
	var tools []Tool
	for i, a := range answers {
		err := a.err
		if err == nil {
			all := slices.Concat(tools, a.tools)
			var with *Dispatcher
			if with, err = bindTools(all, t.options); err == nil {
				t.dispatcher, tools = with, all
				continue
			}
		}
		t.missing = append(t.missing, Missing{Toolset: t.sets[i].Name(), Err: err, unfit: a.err == nil})
	}
}

// bindTools is NewDispatcher for tools, some of which the options need not have.
func bindTools(tools []Tool, options Options) (*Dispatcher, error) {
	registry, err := NewRegistry(tools...)
	if err != nil {
		return nil, err
	}
	return bind(registry, options)
}
