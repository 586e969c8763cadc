package agent

import (
	"context"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// leastCompacted is how many tokens of messages are worth a summary that the user asks for: a
// shorter conversation takes about as much as what stands for it. Of these, nowTokens of the
// newest stay whole, or a quarter where that is less.
const (
	leastCompacted     = 2_000
	nowTokens, nowPart = 2_000, 4
)

// Compact is a run without a prompt: the model sums up what was said so far, and the runs that
// follow are shown that in its place. It returns when that is done, was cancelled or has failed,
// and what was said stays as it was then.
func Compact(ctx context.Context, in Input) Result {
	r := newRun(ctx, in)
	defer r.releaseAll()
	r.Publish(event.LifecycleStart{Model: in.ModelName, MaxSteps: in.Limits.MaxSteps, Compacts: true, Notices: in.Notices})
	r.askWindow()
	r.newRetries()
	return r.publishEnd(r.compactNow())
}

// compactNow sums up what was said because the user asked for that.
func (r *run) compactNow() ending {
	r.enterPhase(phaseCompact)
	shown := shownMessages(r.messages)
	sum, e, over := r.sumUp(shown, r.meter.nowStart(shown))
	switch {
	case over:
		return e
	case sum.finish == llm.FinishFilter:
		e = r.endWithError(message.CodeFiltered, "the provider held the summary back; nothing has changed", "")
		e.reason = message.ReasonFiltered
		return e
	case !sum.whole:
		return r.endWithError(message.CodeTruncated, "the model gave no whole summary; nothing has changed", "")
	case sum.after >= sum.before:
		return r.endWithError(message.CodeNothingSaved, "the summary takes as much as what it would stand for; nothing has changed", "")
	}
	r.useSummary(sum)
	return ending{reason: message.ReasonCompleted}
}

// nowStart is where the newest messages begin that stay whole when the user has the others
// summed up; there may be none.
func (m *windowMeter) nowStart(shown []message.Message) int {
	all := 0
	for i := range shown {
		all += m.messageTokens(&shown[i])
	}
	left, at := min(nowTokens, all/nowPart), len(shown)
	for at > 1 {
		if left -= m.messageTokens(&shown[at-1]); left < 0 {
			break
		}
		at--
	}
	return at
}

// CanCompact reports whether enough was said since the last summary to be summed up.
func (p *Parts) CanCompact(history []message.Message) bool {
	m, tokens := newWindowMeter(0, p, ""), 0
	shown := shownMessages(history)
	for i := range shown {
		if shown[i].Covers() == "" {
			tokens += m.messageTokens(&shown[i])
		}
	}
	return tokens >= leastCompacted
}
