package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"fairlead/backend/hook"
	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// hooks makes the hooks that the options of a scenario name, POINT WHAT [TEXT] each:
// PreReasoning hint TEXT (a message before the others), PostReasoning replace A/B,
// PreActing arguments JSON, PreActing refuse REASON, PostActing replace A/B, PostCall
// replace A/B, and POINT fail at each of the nine.
func hooks(t *testing.T, lines []string) []hook.Hook {
	t.Helper()
	made := make([]hook.Hook, len(lines))
	for i, line := range lines {
		point, rest, _ := strings.Cut(line, " ")
		what, text, _ := strings.Cut(rest, " ")
		if what == "fail" {
			made[i] = failing(t, point)
		} else {
			made[i] = changing(t, point, what, text)
		}
		made[i].Name = strings.ToLower(point)
	}
	return made
}

func changing(t *testing.T, point, what, text string) hook.Hook {
	t.Helper()
	from, to, _ := strings.Cut(text, "/")
	switch point + " " + what {
	case "PreReasoning hint":
		return hook.Hook{PreReasoning: func(_ context.Context, messages []message.Message) ([]message.Message, error) {
			hint := message.Message{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: text}}}
			return append([]message.Message{hint}, messages...), nil
		}}
	case "PostReasoning replace":
		return hook.Hook{PostReasoning: func(_ context.Context, reply hook.Reply) (hook.Reply, error) {
			reply.Text = strings.ReplaceAll(reply.Text, from, to)
			return reply, nil
		}}
	case "PreActing arguments":
		return hook.Hook{PreActing: func(_ context.Context, call message.Call) (message.Call, error) {
			call.Arguments = json.RawMessage(text)
			return call, nil
		}}
	case "PreActing refuse":
		return hook.Hook{PreActing: func(_ context.Context, call message.Call) (message.Call, error) {
			return call, &hook.Refused{Reason: text}
		}}
	case "PostActing replace":
		return hook.Hook{PostActing: func(_ context.Context, _ message.Call, result message.Result) (message.Result, error) {
			result.Content = message.Text(strings.ReplaceAll(result.Content.Text(), from, to))
			return result, nil
		}}
	case "PostCall replace":
		return hook.Hook{PostCall: func(_ context.Context, reply string) (string, error) {
			return strings.ReplaceAll(reply, from, to), nil
		}}
	}
	t.Fatalf("unknown hook %s %s", point, what)
	return hook.Hook{}
}

func failing(t *testing.T, point string) hook.Hook {
	t.Helper()
	err := errors.New("out of order")
	switch point {
	case "PreCall":
		return hook.Hook{PreCall: func(context.Context, hook.Start) error { return err }}
	case "PreReasoning":
		return hook.Hook{PreReasoning: func(_ context.Context, m []message.Message) ([]message.Message, error) { return m, err }}
	case "ReasoningChunk":
		return hook.Hook{ReasoningChunk: func(context.Context, hook.Chunk) error { return err }}
	case "PostReasoning":
		return hook.Hook{PostReasoning: func(_ context.Context, r hook.Reply) (hook.Reply, error) { return r, err }}
	case "PreActing":
		return hook.Hook{PreActing: func(_ context.Context, c message.Call) (message.Call, error) { return c, err }}
	case "ActingChunk":
		return hook.Hook{ActingChunk: func(context.Context, hook.ActingChunk) error { return err }}
	case "PostActing":
		return hook.Hook{PostActing: func(_ context.Context, _ message.Call, r message.Result) (message.Result, error) { return r, err }}
	case "PostCall":
		return hook.Hook{PostCall: func(_ context.Context, reply string) (string, error) { return reply, err }}
	case "Error":
		return hook.Hook{Error: func(context.Context, message.RunError) error { return err }}
	}
	t.Fatalf("unknown point %s", point)
	return hook.Hook{}
}

// job is a tool that looks at a job which goes on until it was looked at six times.
type job struct{ polled *atomic.Int64 }

type jobArguments struct {
	ID string `json:"id"`
}

func (job) Definition() tool.Definition {
	return tool.Definition{
		Name: "job_status", Description: "look at a job", Parameters: tool.Schema[jobArguments](),
		Effect: message.EffectNone, Group: "shell", Polls: true,
	}
}

// Lives implements tool.Poller.
func (j job) Lives(tool.Input) bool { return j.polled.Load() < 6 }

func (j job) Prepare(context.Context, tool.Input) (tool.Plan, error) {
	return tool.Plan{Run: func(context.Context, func(string)) tool.Outcome {
		status := "exited"
		if j.polled.Add(1) < 6 {
			status = "running"
		}
		return tool.Outcome{Result: message.Result{Content: message.Text(status)}}
	}}, nil
}
