package hook_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"fairlead/backend/hook"
	"fairlead/backend/message"
)

// step is what a hook does with a text at some point.
type step func(text string) (string, error)

// point drives one of the nine points with a text.
type point struct {
	name string
	// alters says that the text which the hook returns goes on.
	alters bool
	// set lets the hook do the step at this point.
	set func(h *hook.Hook, do step)
	// call calls the chain at this point.
	call func(ctx context.Context, c *hook.Chain, text string) (string, error)
}

// points are all nine, in the order of a run.
var points = []point{
	{
		"PreCall", false,
		func(h *hook.Hook, do step) {
			h.PreCall = func(_ context.Context, s hook.Start) error { return second(do(s.Prompt)) }
		},
		func(ctx context.Context, c *hook.Chain, text string) (string, error) {
			c.PreCall(ctx, hook.Start{RunID: "r", SessionID: "s", Prompt: text})
			return text, nil
		},
	},
	{
		"PreReasoning", true,
		func(h *hook.Hook, do step) {
			h.PreReasoning = func(_ context.Context, m []message.Message) ([]message.Message, error) {
				text, err := do(m[0].Name)
				m[0].Name = text
				return m, err
			}
		},
		func(ctx context.Context, c *hook.Chain, text string) (string, error) {
			m, err := c.PreReasoning(ctx, []message.Message{{Name: text}})
			return m[0].Name, err
		},
	},
	{
		"ReasoningChunk", false,
		func(h *hook.Hook, do step) {
			h.ReasoningChunk = func(_ context.Context, c hook.Chunk) error { return second(do(c.Text)) }
		},
		func(ctx context.Context, c *hook.Chain, text string) (string, error) {
			c.ReasoningChunk(ctx, hook.Chunk{Text: text})
			return text, nil
		},
	},
	{
		"PostReasoning", true,
		func(h *hook.Hook, do step) {
			h.PostReasoning = func(_ context.Context, r hook.Reply) (hook.Reply, error) {
				text, err := do(r.Text)
				r.Text = text
				return r, err
			}
		},
		func(ctx context.Context, c *hook.Chain, text string) (string, error) {
			r, err := c.PostReasoning(ctx, hook.Reply{Text: text})
			return r.Text, err
		},
	},
	{
		"PreActing", true,
		func(h *hook.Hook, do step) {
			h.PreActing = func(_ context.Context, c message.Call) (message.Call, error) {
				text, err := do(textOf(c))
				return callOf(text), err
			}
		},
		func(ctx context.Context, c *hook.Chain, text string) (string, error) {
			call, err := c.PreActing(ctx, callOf(text))
			return textOf(call), err
		},
	},
	{
		"ActingChunk", false,
		func(h *hook.Hook, do step) {
			h.ActingChunk = func(_ context.Context, c hook.ActingChunk) error { return second(do(c.Text)) }
		},
		func(ctx context.Context, c *hook.Chain, text string) (string, error) {
			c.ActingChunk(ctx, hook.ActingChunk{CallID: "c1", Text: text})
			return text, nil
		},
	},
	{
		"PostActing", true,
		func(h *hook.Hook, do step) {
			h.PostActing = func(_ context.Context, _ message.Call, r message.Result) (message.Result, error) {
				text, err := do(r.Content.Text())
				r.Content = message.Text(text)
				return r, err
			}
		},
		func(ctx context.Context, c *hook.Chain, text string) (string, error) {
			r, err := c.PostActing(ctx, callOf(""), message.Result{Content: message.Text(text)})
			return r.Content.Text(), err
		},
	},
	{
		"PostCall", true,
		func(h *hook.Hook, do step) {
			h.PostCall = func(_ context.Context, reply string) (string, error) { return do(reply) }
		},
		func(ctx context.Context, c *hook.Chain, text string) (string, error) { return c.PostCall(ctx, text) },
	},
	{
		"Error", false,
		func(h *hook.Hook, do step) {
			h.Error = func(_ context.Context, f message.RunError) error { return second(do(f.Message)) }
		},
		func(ctx context.Context, c *hook.Chain, text string) (string, error) {
			c.Error(ctx, message.RunError{Code: message.CodeInternal, Message: text})
			return text, nil
		},
	},
}

func second(_ string, err error) error { return err }

func callOf(text string) message.Call {
	arguments, _ := json.Marshal(map[string]string{"text": text})
	return message.Call{ID: "c1", Name: "shell", Arguments: arguments, Raw: "raw"}
}

func textOf(call message.Call) string {
	var arguments struct{ Text string }
	_ = json.Unmarshal(call.Arguments, &arguments)
	return arguments.Text
}

// each runs a test for every point that alters, or for every one that watches.
func each(t *testing.T, alters bool, test func(t *testing.T, p point)) {
	for _, p := range points {
		if p.alters == alters {
			t.Run(p.name, func(t *testing.T) { test(t, p) })
		}
	}
}

// quiet is a log that nobody reads.
var quiet = slog.New(slog.DiscardHandler)

// hookAt returns a hook that has only this point.
func hookAt(p point, name string, priority int, do step) hook.Hook {
	h := hook.Hook{Name: name, Priority: priority}
	p.set(&h, do)
	return h
}
