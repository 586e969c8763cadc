package agent

import (
	"fmt"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// compactionsInARow is how often the view may be compacted without a reply between, and
// leastSaving how much smaller it must get each time, in percent (SPEC CTX-02).
const (
	compactionsInARow = 2
	leastSaving       = 30
)

// fitWindow leaves out the outputs of older calls, and puts a summary in the place of
// older messages when the window is nearly full all the same. It returns how the run
// ends when that cannot be done.
func (r *run) fitWindow() (ending, bool) {
	if !r.Limits.Compaction || r.meter.isSmall(r.messages) {
		return ending{}, false
	}
	pruned, before, after := r.meter.pruneOutputs(r.messages)
	for _, part := range pruned {
		r.SetPart(part)
	}
	if len(pruned) > 0 {
		r.Publish(event.ContextCompacted{Before: before, After: after, Mode: event.Prune})
	}
	if !r.meter.isFull(shownMessages(r.messages)) {
		return ending{}, false
	}
	return r.compact()
}

// compact puts a summary by the model in the place of the older messages. It returns
// how the run ends when the view does not get smaller.
func (r *run) compact() (ending, bool) {
	r.enterPhase(phaseCompact)
	shown := shownMessages(r.messages)
	tail := r.meter.tailStart(shown)
	if r.compactions == compactionsInARow || tail == 0 {
		return r.endOverflow("nothing more can be summed up"), true
	}
	r.compactions++
	sum, e, over := r.sumUp(shown, tail)
	switch {
	case over:
		return e, true
	case !sum.whole:
		return r.endOverflow("the model gave no whole summary of it"), true
	case sum.after > sum.before*(100-leastSaving)/100:
		return r.endOverflow(fmt.Sprintf("a summary takes it from %d to %d tokens only", sum.before, sum.after)), true
	}
	r.useSummary(sum)
	return ending{}, false
}

// endOverflow is the ending of a run whose conversation is longer than the model takes.
func (r *run) endOverflow(why string) ending {
	said := ""
	if r.refusal != "" {
		said = fmt.Sprintf(" (%q)", r.refusal)
	}
	e := r.endWithError(message.CodeContextOverflow, fmt.Sprintf("the conversation is longer than the model takes%s, and %s; most of it is %s; "+
		"begin a new conversation, or use a model with a larger window", said, why, r.meter.nameBiggest(shownMessages(r.messages))), r.lastText)
	e.reason, e.err.Data.Said = message.ReasonContextOverflow, r.refusal
	return e
}

// addUsage counts what a call took: what the provider said, else an estimate.
func (r *run) addUsage(request llm.Request, reply llm.Reply) {
	r.learnWindow(reply.Window)
	usage, estimated := message.Usage{}, reply.Usage == nil
	if !estimated {
		usage = *reply.Usage
	} else {
		usage.Prompt = r.meter.requestTokens(request.Messages)
		if request.System != r.System { // the question for a summary has nothing else before it
			usage.Prompt = r.meter.countTokens(request.System) + r.meter.countTokens(request.Messages[0].Text())
		}
		usage.Completion = r.meter.countTokens(reply.Text) + r.meter.countTokens(reply.Reasoning)
		for _, call := range reply.Calls {
			usage.Completion += r.meter.countTokens(call.Name + call.Raw)
		}
	}
	r.usage = r.usage.Add(usage)
	r.Publish(event.UsageData{Call: usage, Run: r.usage, Estimated: estimated, Window: r.meter.window})
}
