package hook

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"fairlead/backend/message"
)

// Chain calls the hooks of each point in their order, each with what the one before
// it made of the value. Where a hook fails, the hooks after it are not asked, and the
// value is returned as it was given. A nil Chain has no hooks.
type Chain struct {
	log *slog.Logger

	// The hooks of each point, sorted.
	preCall, preReasoning, reasoningChunk, postReasoning []Hook
	preActing, actingChunk, postActing                   []Hook
	postCall, failed                                     []Hook
}

// NewChain returns a chain of these hooks. The failures of those that only watch go
// to the log.
func NewChain(log *slog.Logger, hooks ...Hook) *Chain {
	sorted := slices.Clone(hooks)
	slices.SortStableFunc(sorted, func(a, b Hook) int { return cmp.Compare(a.priorityOrDefault(), b.priorityOrDefault()) })
	having := func(point func(Hook) bool) (found []Hook) {
		for _, h := range sorted {
			if point(h) {
				found = append(found, h)
			}
		}
		return found
	}
	return &Chain{
		log:            log,
		preCall:        having(func(h Hook) bool { return h.PreCall != nil }),
		preReasoning:   having(func(h Hook) bool { return h.PreReasoning != nil }),
		reasoningChunk: having(func(h Hook) bool { return h.ReasoningChunk != nil }),
		postReasoning:  having(func(h Hook) bool { return h.PostReasoning != nil }),
		preActing:      having(func(h Hook) bool { return h.PreActing != nil }),
		actingChunk:    having(func(h Hook) bool { return h.ActingChunk != nil }),
		postActing:     having(func(h Hook) bool { return h.PostActing != nil }),
		postCall:       having(func(h Hook) bool { return h.PostCall != nil }),
		failed:         having(func(h Hook) bool { return h.Error != nil }),
	}
}

// PreCall tells that a run begins.
func (c *Chain) PreCall(ctx context.Context, start Start) {
	if c == nil {
		return
	}
	c.notifyAll(c.preCall, "PreCall", func(h Hook) error { return h.PreCall(ctx, start) })
}

// PreReasoning returns the messages of a request; those it is given stay as they
// are. Its error is a *FailedError.
func (c *Chain) PreReasoning(ctx context.Context, messages []message.Message) ([]message.Message, error) {
	if c == nil || len(c.preReasoning) == 0 {
		return messages, nil
	}
	altered, err := alterValue(c.preReasoning, "PreReasoning", copyMessages(messages), func(h Hook, m []message.Message) ([]message.Message, error) {
		return h.PreReasoning(ctx, m)
	})
	if err != nil {
		return messages, err
	}
	return altered, nil
}

// ReasoningChunk tells a piece of a reply.
func (c *Chain) ReasoningChunk(ctx context.Context, chunk Chunk) {
	if c == nil || len(c.reasoningChunk) == 0 {
		return
	}
	c.notifyAll(c.reasoningChunk, "ReasoningChunk", func(h Hook) error { return h.ReasoningChunk(ctx, chunk) })
}

// PostReasoning returns the reply to act on. Its error is a *FailedError.
func (c *Chain) PostReasoning(ctx context.Context, reply Reply) (Reply, error) {
	if c == nil {
		return reply, nil
	}
	return alterValue(c.postReasoning, "PostReasoning", reply, func(h Hook, r Reply) (Reply, error) {
		altered, err := h.PostReasoning(ctx, r)
		if err != nil {
			return r, err
		}
		for _, call := range altered.Calls {
			if call.Arguments != nil && !isObject(call.Arguments) {
				return r, fmt.Errorf("its arguments for %s are not a JSON object", call.Name)
			}
		}
		return altered, nil
	})
}

// PreActing returns the call to go on with. Its error is a *Refused, which names the
// hook, where the call is refused, and a *FailedError where a hook failed.
func (c *Chain) PreActing(ctx context.Context, call message.Call) (message.Call, error) {
	if c == nil {
		return call, nil
	}
	altered, err := alterValue(c.preActing, "PreActing", call, func(h Hook, before message.Call) (message.Call, error) {
		after, err := h.PreActing(ctx, before)
		if err != nil {
			return before, err
		}
		return withArguments(before, after)
	})
	var failure *FailedError
	var refused *Refused
	if errors.As(err, &failure) && errors.As(err, &refused) && refused != nil {
		return call, &Refused{Hook: failure.Hook, Reason: refused.Reason}
	}
	return altered, err
}

// ActingChunk tells a piece of a call's live output.
func (c *Chain) ActingChunk(ctx context.Context, chunk ActingChunk) {
	if c == nil || len(c.actingChunk) == 0 {
		return
	}
	c.notifyAll(c.actingChunk, "ActingChunk", func(h Hook) error { return h.ActingChunk(ctx, chunk) })
}

// PostActing returns the result of a call. Its error is a *FailedError.
func (c *Chain) PostActing(ctx context.Context, call message.Call, result message.Result) (message.Result, error) {
	if c == nil {
		return result, nil
	}
	return alterValue(c.postActing, "PostActing", result, func(h Hook, r message.Result) (message.Result, error) {
		return h.PostActing(ctx, call, r)
	})
}

// PostCall returns the final reply. Its error is a *FailedError.
func (c *Chain) PostCall(ctx context.Context, reply string) (string, error) {
	if c == nil {
		return reply, nil
	}
	return alterValue(c.postCall, "PostCall", reply, func(h Hook, r string) (string, error) { return h.PostCall(ctx, r) })
}

// Error tells why a run failed.
func (c *Chain) Error(ctx context.Context, failure message.RunError) {
	if c == nil {
		return
	}
	c.notifyAll(c.failed, "Error", func(h Hook) error { return h.Error(ctx, failure) })
}

// notifyAll calls the hooks of a point that watches. All are called, even if one fails.
func (c *Chain) notifyAll(hooks []Hook, point string, one func(Hook) error) {
	for _, h := range hooks {
		_, err := recoverPanic(func() (struct{}, error) { return struct{}{}, one(h) })
		if err != nil {
			c.log.Warn("hook failed", "hook", h.Name, "point", point, "error", err)
		}
	}
}

// alterValue passes a value through the hooks of a point.
func alterValue[T any](hooks []Hook, point string, given T, one func(Hook, T) (T, error)) (T, error) {
	altered := given
	for _, h := range hooks {
		next, err := recoverPanic(func() (T, error) { return one(h, altered) })
		if err != nil {
			return given, &FailedError{Hook: h.Name, Point: point, Err: err}
		}
		altered = next
	}
	return altered, nil
}

// recoverPanic makes an error of a panic.
func recoverPanic[T any](do func() (T, error)) (value T, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("it panicked: %v", fault)
		}
	}()
	return do()
}

// withArguments returns the call with the arguments that a hook gave it.
func withArguments(before, after message.Call) (message.Call, error) {
	switch {
	case after.ID != before.ID || after.Name != before.Name:
		return before, fmt.Errorf("it made %s %q of the call %s %q: only the arguments may change",
			after.Name, after.ID, before.Name, before.ID)
	case bytes.Equal(before.Arguments, after.Arguments):
		return before, nil
	case !isObject(after.Arguments):
		return before, fmt.Errorf("its arguments for %s are not a JSON object", before.Name)
	}
	before.Arguments = after.Arguments
	return before, nil
}

func isObject(text json.RawMessage) bool {
	return json.Valid(text) && bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
}
