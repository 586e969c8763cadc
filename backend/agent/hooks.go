package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/hook"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// runReplyHooks lets the hooks change a reply. Text that was streamed otherwise is replaced
// by what they made of it.
func (r *run) runReplyHooks(reply llm.Reply, parts replyParts) (llm.Reply, replyParts, error) {
	changed, err := r.Hooks.PostReasoning(r.ctx, hook.Reply{Text: reply.Text, Reasoning: reply.Reasoning, Calls: reply.Calls})
	if err != nil {
		return reply, parts, err
	}
	if changed.Text != reply.Text {
		parts.text = r.publishFinal(parts.text, changed.Text)
	}
	reply.Text, reply.Reasoning, reply.Calls = changed.Text, changed.Reasoning, changed.Calls
	return reply, parts, nil
}

// runFinalHooks lets the hooks change the final reply, and shows it whole where it came in
// pieces. It returns all of its text, and the reply with what of that it adds.
func (r *run) runFinalHooks(reply llm.Reply, parts replyParts) (string, llm.Reply, replyParts, error) {
	streamed := r.cut.Text + reply.Text
	text, err := r.Hooks.PostCall(r.ctx, streamed)
	if err != nil {
		return streamed, reply, parts, err
	}
	if text != streamed || r.cut.Text != "" {
		parts.text = r.publishFinal(parts.text, text, r.cut.Parts...)
	}
	added, continues := strings.CutPrefix(text, r.cut.Text)
	if !continues {
		r.cut = llm.Pieces{}
	}
	reply.Text = added
	return text, reply, parts, nil
}

// publishFinal publishes a text in place of what was streamed of a part and of those before.
func (r *run) publishFinal(partID, text string, before ...string) string {
	partID = r.idOnce(partID)
	r.Publish(event.AssistantFinal{PartID: partID, Content: text, Discard: before})
	return partID
}

// runCallHooks lets the hooks change a call's arguments or refuse it. The error is a failed
// hook's.
func (r *run) runCallHooks(c *pendingCall) error {
	if c.call.Arguments == nil {
		return nil
	}
	call, err := r.Hooks.PreActing(r.ctx, c.call)
	var refused *hook.Refused
	if errors.As(err, &refused) {
		c.fault = &message.ToolError{Code: message.Rejected, Message: refused.Error() + "; it was not run"}
		return nil
	}
	if err == nil {
		c.call = call
	}
	return err
}

// hookFailed is the ending of a run in which a hook failed.
func (r *run) hookFailed(err error) ending {
	if cause := context.Cause(r.ctx); cause != nil {
		return r.endStopped(cause, "")
	}
	return r.endWithCause(message.CodeHookFailed, fmt.Errorf("%w; switch the hook off, or mend it", err), r.lastText)
}
