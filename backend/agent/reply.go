package agent

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// What Fairlead itself tells the model, as user-role messages flagged
// synthetic (SPEC STEER-02).
const (
	reminderMaxSteps  = "The step limit is reached. Answer now with what you have; no more tools can be called."
	reminderEmpty     = "Your last reply was empty. Go on with the task: call a tool, or answer."
	reminderUrge      = "Continue with your task."
	reminderTruncated = "Your last reply was cut off at the length limit, so nothing of it was carried out. Go on in smaller pieces."
	reminderGoOn      = "Your last reply was cut off at the length limit. Go on exactly where it ended."
)

// verdict is what a finished reply means for the loop.
type verdict string

const (
	verdictCalls     verdict = "tool_calls"
	verdictFinal     verdict = "final_reply"
	verdictEmpty     verdict = "empty_reply"
	verdictTruncated verdict = "truncated"
	verdictFiltered  verdict = "filtered"
)

// judgeReply decides what a reply is. Calls decide, not what the provider calls the
// finish, unless the reply was cut (SPEC LOOP-03).
func (r *run) judgeReply(reply llm.Reply) verdict {
	switch {
	case reply.Finish == llm.FinishFilter:
		return verdictFiltered
	case reply.Finish == llm.FinishLength:
		return verdictTruncated
	case len(reply.Calls) > 0 && r.Mode == React:
		return verdictCalls
	case strings.TrimSpace(reply.Text) == "":
		return verdictEmpty
	}
	return verdictFinal
}

// settleReply handles a reply without calls to run. A cut one is gone on with as long as it
// brings text; else it gets one reminder, as an empty one does, and the second one in a
// row ends the run (SPEC LOOP-11, LOOP-15, MOD-04).
func (r *run) settleReply(v verdict, reply llm.Reply, parts replyParts) (ending, bool) {
	reply.Calls = nil
	content := r.cut.Text + reply.Text
	if v == verdictFinal {
		var err error
		if content, reply, parts, err = r.runFinalHooks(reply, parts); err != nil {
			r.addReply(reply, parts, false)
			return r.hookFailed(err), true
		}
	}
	if v == verdictTruncated && parts.calls {
		r.cut = llm.Pieces{} // what was said beside calls is no answer
	}
	r.addReply(reply, parts, v == verdictTruncated || v == verdictFiltered || reply.Finish == finishRepeats)
	if v == verdictTruncated && !parts.calls || v != verdictFinal && r.cut.Text != "" {
		r.cut.Add(reply.Text, parts.text)
	}
	switch {
	case v == verdictFinal:
		return ending{reason: message.ReasonCompleted, content: content, warnings: warnings[reply.Finish]}, true
	case v == verdictFiltered:
		e := r.endWithError(message.CodeFiltered, "the provider's content filter stopped the reply; "+
			"put the request in other words", content)
		e.reason = message.ReasonFiltered
		return e, true
	case len(content) > llm.MaxText:
		return r.endWithError(message.CodeTooLarge, fmt.Sprintf("the answer, which came in pieces, has more text than %d MiB, "+
			"the most that is taken; ask for less in one step", llm.MaxText>>20), ""), true
	case r.pausing.Err() != nil:
		return ending{}, false // the checks of the next step end the run
	case v == verdictTruncated && !parts.calls && r.Mode == React && strings.TrimSpace(reply.Text) != "":
		r.addReminder(reminderGoOn)
		return ending{}, false
	case !r.reminded && r.Mode == React:
		r.reminded = true
		reminder := map[verdict]string{verdictEmpty: reminderEmpty, verdictTruncated: reminderGoOn}[v]
		if v == verdictTruncated && parts.calls {
			reminder = reminderTruncated
		}
		r.addReminder(reminder)
		return ending{}, false
	case v == verdictTruncated:
		return r.endWithError(message.CodeTruncated, "the reply was cut off at the model's length limit; "+
			"ask for less at once, or raise the model's output limit", content), true
	}
	return r.endWithError(message.CodeEmptyReply, "the model replied with nothing; try again, or use another model", r.cut.Text), true
}

// addPrompt appends the user's message, with what the model should know now.
func (r *run) addPrompt() {
	m := r.newMessage(message.User)
	m.Synthetic = r.Continues != ""
	m.Parts = append(m.Parts, r.newPart(m, message.TextPart, r.Prompt))
	m.Parts = append(m.Parts, r.partsOf(m, r.Blocks)...)
	if r.Context != "" {
		part := r.newPart(m, message.TextPart, r.Context)
		part.Synthetic = true
		m.Parts = append(m.Parts, part)
	}
	r.appendMessage(m)
}

// partsOf are the blocks that go with a prompt, each as a part of its message.
func (r *run) partsOf(m message.Message, blocks []message.Block) []message.Part {
	parts := make([]message.Part, len(blocks))
	for i, block := range blocks {
		kind, text, held := block.AsPart()
		parts[i] = r.newPart(m, kind, text)
		parts[i].Block = held
	}
	return parts
}

// appendMessage appends a message to the history.
func (r *run) appendMessage(m message.Message) {
	r.messages = append(r.messages, m)
	r.AddMessage(m)
}

// joinPrompts gives the model the prompts that waited for this step (SPEC STEER-01).
func (r *run) joinPrompts() {
	for _, prompt := range r.Prompts() {
		m := r.newMessage(message.User)
		m.Parts = append([]message.Part{r.newPart(m, message.TextPart, prompt.Text)}, r.partsOf(m, prompt.Blocks)...)
		r.appendMessage(m)
		r.Publish(event.PromptJoined(event.PromptOf(prompt)))
	}
}

// addReminder appends a message of Fairlead's own.
func (r *run) addReminder(text string) {
	m := r.newMessage(message.User)
	m.Synthetic = true
	m.Parts = []message.Part{r.newPart(m, message.TextPart, text)}
	r.appendMessage(m)
}

// addReply appends the model's message, if there is anything in it, and returns
// its tool parts in call order.
func (r *run) addReply(reply llm.Reply, parts replyParts, interrupted bool) []*message.Part {
	m := r.newMessage(message.Assistant)
	add := func(id string, kind message.PartType, text string, details json.RawMessage) {
		if text == "" && details == nil {
			return
		}
		part := r.newPart(m, kind, text)
		part.Details, part.Interrupted = details, interrupted
		if id != "" {
			part.ID = id
		}
		m.Parts = append(m.Parts, part)
	}
	add(parts.reasoning, message.ReasoningPart, reply.Reasoning, reply.Details)
	add(parts.text, message.TextPart, reply.Text, nil)
	if last := len(m.Parts) - 1; last >= 0 && m.Parts[last].Type == message.TextPart {
		m.Parts[last].Continues = r.cut.Text != ""
	}
	for _, call := range reply.Calls {
		part := r.newPart(m, message.ToolPart, "")
		part.Tool = message.NewToolUse(call)
		m.Parts = append(m.Parts, part)
	}
	if strings.TrimSpace(reply.Text) != "" {
		r.lastText = r.cut.Text + reply.Text
	}
	if len(m.Parts) == 0 {
		return nil
	}
	r.appendMessage(m)
	return m.ToolParts()
}

// addCalls appends a reply with calls, whose ids it makes unique, and announces
// each call.
func (r *run) addCalls(reply llm.Reply, parts replyParts) []*pendingCall {
	for i := range reply.Calls {
		reply.Calls[i].ID = r.callIDs.Unique(reply.Calls[i].ID)
		reply.Calls[i] = reply.Calls[i].WithKeysOnce()
	}
	tools := r.addReply(reply, parts, false)
	pending := make([]*pendingCall, len(tools))
	for i, part := range tools {
		call := reply.Calls[i]
		pending[i] = &pendingCall{call: call, part: part}
		r.Publish(event.CallOf(call, r.Tools.Display(call.Name)))
	}
	return pending
}

func (r *run) newMessage(role message.Role) message.Message {
	return message.Message{ID: r.NewID(), SessionID: r.SessionID, RunID: r.RunID, Role: role, CreatedAt: time.Now()}
}

func (r *run) newPart(m message.Message, kind message.PartType, text string) message.Part {
	return message.Part{ID: r.NewID(), SessionID: r.SessionID, MessageID: m.ID, Type: kind, Text: text}
}
