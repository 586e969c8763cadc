// Package demo is the guided tour: a scripted stand-in for a model, which needs
// neither a network nor a key. Its words are fixed and it says so; the loop, the
// tools, the questions and the files it works on are the real ones.
//
// The script looks at what came of its calls, so it goes on truthfully when a
// user turns something down, when a tool is missing, or when the sample has
// been corrected before:
//
//  1. list the folder and read two files, together
//  2. search for what else is known about the line that looks wrong
//  3. correct it, after the user has seen the difference
//  4. run a command that checks it
//  5. say what was done
package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// Name is what the tour is called wherever a model's name is shown.
const Name = "guided tour (scripted, no model)"

// Prompt is the prompt the tour is meant for; it answers any other one alike.
const Prompt = "Something in budget.csv does not add up. Find it, correct it and run the check."

// Model is the scripted stand-in. It keeps nothing between requests.
type Model struct{}

// Stream implements llm.Model. It reports a usage of nothing, because it uses nothing.
func (Model) Stream(ctx context.Context, req llm.Request, receive func(llm.Delta)) (llm.Reply, error) {
	turn := next(req)
	reply := llm.Reply{Usage: &message.Usage{}}
	for piece := range strings.SplitAfterSeq(turn.text, " ") {
		if ctx.Err() != nil {
			return reply, context.Cause(ctx)
		}
		receive(llm.Delta{Kind: llm.TextDelta, Text: piece})
		reply.Text += piece
	}
	reply.Finish = llm.FinishStop
	if len(turn.calls) == 0 {
		return reply, nil
	}
	reply.Finish = llm.FinishCalls
	made := callsMade(req.Messages)
	for i, wanted := range turn.calls {
		call, err := wanted.newCall(made + i + 1)
		if err != nil {
			return reply, &llm.Error{Class: llm.Internal, Message: "the tour cannot write a call", Err: err}
		}
		reply.Calls = append(reply.Calls, call)
	}
	return reply, nil
}

// turn is one reply of the script.
type turn struct {
	text  string
	calls []action
}

// action is a call the script makes.
type action struct {
	tool      string
	arguments any
}

func (a action) newCall(number int) (message.Call, error) {
	arguments, err := json.Marshal(a.arguments)
	if err != nil {
		return message.Call{}, fmt.Errorf("encode arguments of %s: %w", a.tool, err)
	}
	return message.Call{
		ID: fmt.Sprintf("tour_%d", number), Name: a.tool, Arguments: arguments, Raw: string(arguments),
	}, nil
}

func callsMade(history []message.Message) int {
	made := 0
	for _, m := range history {
		made += len(m.ToolParts())
	}
	return made
}
