package openai

import (
	"encoding/json"
	"slices"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
	"fairlead/backend/message"
)

// answer gathers the chunks of one answer.
type answer struct {
	tools   []llm.Tool
	fields  *wire.Fields
	receive func(llm.Delta)

	text, reasoning strings.Builder
	content         content
	calls           assembler
	// finish is the last reason the provider gave, cut ones counting for more; empty
	// for none.
	finish string
	usage  *message.Usage
	// details is how many entries of reasoning in the provider's own form came, and
	// detailSize how many bytes they are.
	details, detailSize int
}

// newAnswer returns an empty answer to a request with these tools. receive is told of
// its texts as they come.
func newAnswer(tools []llm.Tool, dialect llm.Dialect, fields *wire.Fields, receive func(llm.Delta)) *answer {
	return &answer{tools: tools, fields: fields, receive: receive, content: content{written: dialect.WrittenCalls && len(tools) > 0}}
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
		if finish := finishReason(string(choice.FinishReason)); finish != "" && !cutShort(a.finish) {
			a.finish = finish
		}
	}
	return nil
}

func (a *answer) addDelta(delta *api.ChatCompletionStreamChoiceDelta) error {
	if err := a.checkSize("", delta.ReasoningContent); err != nil {
		return err
	}
	a.addReasoning(delta.ReasoningContent)
	// A refusal is the model's answer in another field.
	if text := delta.Content + delta.Refusal; text != "" {
		text, reasoning := a.content.add(text)
		if err := a.checkSize(text, reasoning); err != nil {
			return err
		}
		a.addReasoning(reasoning)
		a.addText(text)
		if text+reasoning == "" {
			a.receive(llm.Delta{Kind: llm.TextDelta})
		}
		if a.content.calls.Len() > maxAllArguments {
			return tooLarge("calls with longer arguments together", maxAllArguments>>20, "MiB")
		}
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
			a.receive(llm.Delta{Kind: llm.Activity, Call: true})
		}
	}
	return a.addDetails(a.fields.Details())
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
	if a.detailSize > maxDetails {
		return tooLarge("more reasoning", maxDetails>>20, "MiB")
	}
	a.receive(llm.Delta{Kind: llm.ReasoningDelta})
	return nil
}

// checkSize fails when the reply would exceed what it may hold with these.
func (a *answer) checkSize(text, reasoning string) error {
	if a.text.Len()+len(text) > llm.MaxText {
		return tooLarge("more text", llm.MaxText>>20, "MiB")
	}
	if a.reasoning.Len()+len(reasoning) > llm.MaxText {
		return tooLarge("more reasoning", llm.MaxText>>20, "MiB")
	}
	return nil
}

func (a *answer) addText(text string) {
	if text != "" {
		a.text.WriteString(text)
		a.receive(llm.Delta{Kind: llm.TextDelta, Text: text})
	}
}

func (a *answer) addReasoning(text string) {
	if text != "" {
		a.reasoning.WriteString(text)
		a.receive(llm.Delta{Kind: llm.ReasoningDelta, Text: text})
	}
}

// finishReason is a provider's finish reason in OpenAI's words. Gateways pass on
// those of Anthropic and Gemini.
func finishReason(finish string) string {
	finish = strings.ToLower(finish)
	if finish == "max_tokens" {
		return "length"
	}
	return finish
}

// cutShort says that an answer with this finish reason is not whole.
func cutShort(finish string) bool {
	switch finish {
	case "length", "content_filter", "model_context_window_exceeded", "error":
		return true
	}
	return false
}

// partialReply is the answer as far as it came, without calls: nothing of it may run.
func (a *answer) partialReply() llm.Reply {
	rest := a.content.calls.String()
	if a.checkSize(rest, "") != nil {
		rest = ""
	}
	return a.close(rest)
}

// close tells of the rest of the text, and gives everything but the calls.
func (a *answer) close(rest string) llm.Reply {
	text, reasoning := a.content.releaseRest()
	a.addReasoning(reasoning)
	a.addText(text + rest)
	return llm.Reply{
		Text: a.text.String(), Reasoning: a.reasoning.String(), Details: joinDetails(a.fields.Details()), Usage: a.usage,
	}
}

// wholeReply is the whole answer. Calls decide how it finished, unless it was cut: then
// its calls are left out, because what is missing of one cannot be told. Without a
// finish reason it may have been cut, so that no call of it is repaired.
func (a *answer) wholeReply() (llm.Reply, error) {
	calls, rest := a.calls.finishCalls(a.finish != ""), a.content.calls.String()
	if len(calls) == 0 && !cutShort(a.finish) {
		calls, rest = writtenCalls(rest, a.tools)
		if len(calls) > maxCalls {
			return a.close(""), tooLarge("more", maxCalls, "calls")
		}
	}
	if err := a.checkSize(a.content.held+rest, ""); err != nil {
		return a.close(""), err
	}
	reply := a.close(rest)
	switch a.finish {
	case "length":
		if a.namesTool(rest) {
			a.receive(llm.Delta{Kind: llm.Activity, Call: true})
		}
		reply.Finish = llm.FinishLength
		return reply, nil
	case "content_filter":
		reply.Finish = llm.FinishFilter
		return reply, nil
	case "model_context_window_exceeded":
		return reply, &llm.Error{
			Class: llm.ContextOverflow, Code: a.finish,
			Message: "the conversation is longer than the model takes", Hint: "shorten the conversation or start a new one",
		}
	case "error":
		return reply, &llm.Error{
			Class: llm.Server, Code: a.finish,
			Message: "the provider reports that its answer failed", Hint: "try again",
		}
	}
	reply.Calls = calls
	reply.Finish = llm.FinishStop
	if len(reply.Calls) > 0 {
		reply.Finish = llm.FinishCalls
	}
	return reply, nil
}

// namesTool reports whether text in which a call may be written names a tool.
func (a *answer) namesTool(text string) bool {
	return slices.ContainsFunc(a.tools, func(t llm.Tool) bool { return strings.Contains(text, t.Name) })
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
