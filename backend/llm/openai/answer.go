package openai

import (
	"encoding/json"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// answer gathers the chunks of one answer.
type answer struct {
	fields *wire.Fields
	protocol.Reply

	// said and thought are what came for these, where each piece may restate all so far.
	said, thought restated
	calls         assembler
	// finish is what the last reason the provider gave means, those of an answer that is
	// not whole counting for more, and reason what it said.
	finish wire.Finish
	reason string
	usage  *message.Usage
	// details is how many entries of reasoning in the provider's own form came, and
	// detailSize how many bytes they are.
	details, detailSize int
}

// newAnswer returns an empty answer to a request with these tools. receive is told of
// its texts as they come.
func newAnswer(tools []llm.Tool, dialect llm.Dialect, fields *wire.Fields, receive func(llm.Delta)) *answer {
	return &answer{fields: fields, Reply: protocol.NewReply(tools, dialect, receive)}
}

// add takes a chunk. It fails when the answer exceeds what a reply may hold.
func (a *answer) add(chunk api.ChatCompletionStreamResponse) error {
	if u := chunk.Usage; u != nil && u.PromptTokens+u.CompletionTokens > 0 {
		a.usage = usageOf(u)
	}
	for i := range chunk.Choices {
		choice := &chunk.Choices[i]
		if choice.Index != 0 {
			continue
		}
		if err := a.addDelta(&choice.Delta); err != nil {
			return err
		}
		if finish := wire.ReadFinish(string(choice.FinishReason)); finish != wire.FinishNone && a.finish.IsWhole() {
			a.finish, a.reason = finish, string(choice.FinishReason)
		}
	}
	return nil
}

func (a *answer) addDelta(delta *api.ChatCompletionStreamChoiceDelta) error {
	reasoning := a.thought.add(delta.ReasoningContent)
	if err := a.CheckSize("", reasoning); err != nil {
		return err
	}
	a.AddReasoning(reasoning)
	// A refusal is the model's answer in another field.
	if err := a.AddContent(a.said.add(delta.Content) + delta.Refusal); err != nil {
		return err
	}
	if a.said.held != "" {
		a.Receive(llm.Delta{Kind: llm.TextDelta})
	}
	for _, call := range delta.ToolCalls {
		before := a.calls.news
		if err := a.calls.add(piece{
			index: call.Index, id: call.ID, name: call.Function.Name, arguments: call.Function.Arguments,
			extra: a.fields.Extra(string(call.Type)),
		}); err != nil {
			return err
		}
		if a.calls.news > before {
			a.Receive(llm.Delta{Kind: llm.Activity, Call: true})
		}
	}
	return a.addDetails(a.fields.Details())
}

// releasePieces takes what was held back because it might restate what came before.
func (a *answer) releasePieces() error {
	a.AddReasoning(a.thought.release())
	return a.AddContent(a.said.release())
}

// addDetails looks at what came of the reasoning in the provider's own form.
func (a *answer) addDetails(details []json.RawMessage) error {
	if len(details) == a.details {
		return nil
	}
	for _, detail := range details[a.details:] {
		a.detailSize += len(detail)
	}
	a.details = len(details)
	if a.detailSize > protocol.MaxDetails {
		return protocol.TooLarge("more reasoning", protocol.MaxDetails>>20, "MiB")
	}
	a.Receive(llm.Delta{Kind: llm.ReasoningDelta})
	return nil
}

// partialReply is the answer as far as it came, without calls: nothing of it may run.
func (a *answer) partialReply() llm.Reply {
	rest := ""
	if a.releasePieces() == nil {
		rest = a.Rest()
	}
	reply, _ := a.Close(rest)
	return a.complete(reply)
}

// broken is the answer where it exceeds what a reply may hold.
func (a *answer) broken(err error) (llm.Reply, error) {
	reply, _ := a.Close("")
	return a.complete(reply), err
}

// wholeReply is the whole answer. Calls decide how it finished, unless it was cut: then
// its calls are left out, because what is missing of one cannot be told. Without a
// finish reason it may have been cut, so that no call of it is repaired.
func (a *answer) wholeReply() (llm.Reply, error) {
	if err := a.releasePieces(); err != nil {
		return a.broken(err)
	}
	reply, _, err := a.Finish(a.finish, a.reason, a.calls.finishCalls(a.finish != wire.FinishNone))
	return a.complete(reply), err
}

// complete adds to a reply what is not in its texts.
func (a *answer) complete(reply llm.Reply) llm.Reply {
	reply.Details, reply.Usage = joinDetails(a.fields.Details()), a.usage
	return reply
}

func usageOf(u *api.Usage) *message.Usage {
	counted := &message.Usage{Prompt: u.PromptTokens, Completion: u.CompletionTokens}
	if u.PromptTokensDetails != nil {
		counted.Cached = u.PromptTokensDetails.CachedTokens
	}
	if u.CompletionTokensDetails != nil {
		counted.Reasoning = u.CompletionTokensDetails.ReasoningTokens
	}
	return counted
}
