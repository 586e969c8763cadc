package agent

import (
	"path"
	"slices"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// order says when a call may do what, among the calls of its reply.
type order struct {
	group *group
	// ahead is set where the user is asked about it before its turn comes.
	ahead bool
	// slots holds one value for each call of the group that runs, and questions for each that
	// is asked about.
	slots, questions chan struct{}
	// asked is closed once the call runs or has ended, opened once the question about it is
	// open, is none, or waits for the turn of the call, and ended once it has its result.
	asked, opened, ended chan struct{}
	// The same of the call before it, as far as it is waited for.
	previousAsked, previousOpened, previousEnded <-chan struct{}
}

// group is of calls that may run side by side.
type group struct {
	// begin is closed when all calls before them have ended.
	begin chan struct{}
	// left is how many of them have not ended.
	left int
}

// orderCalls orders the calls of a reply, and returns their groups in call order. What may be
// asked about starts in call order. Where it is not asked about ahead of that, the next one is
// asked about only once the one before runs: questions come one at a time, and what is approved
// starts at once.
func (r *run) orderCalls(calls []*pendingCall) (groups []*group) {
	first := make(chan struct{})
	close(first) // nothing comes before the first
	questions := make(chan struct{}, 1)
	if r.AskAhead {
		questions = make(chan struct{}, len(calls))
	}
	opened := first
	for at := 0; at < len(calls); {
		n := r.countTogether(calls[at:])
		g := &group{begin: make(chan struct{}), left: n}
		groups = append(groups, g)
		slots := make(chan struct{}, max(r.Limits.Parallel, 1))
		asked, ended := first, first
		for i, c := range calls[at : at+n] {
			c.order = order{
				group: g, ahead: r.asksAhead(calls[:at+i], c), slots: slots, questions: questions,
				asked: make(chan struct{}), opened: make(chan struct{}), ended: make(chan struct{}),
				previousAsked: asked, previousOpened: opened, previousEnded: ended,
			}
			if c.mayAsk() {
				asked = c.asked
			}
			opened, ended = c.opened, c.ended
		}
		at += n
	}
	return groups
}

// countTogether returns how many of the calls, from the first, may run side by side.
func (r *run) countTogether(calls []*pendingCall) int {
	n := 0
	for n < len(calls) && !r.runsAlone(calls[n]) {
		n++
	}
	return max(n, 1)
}

// runsAlone reports whether a call overlaps with nothing.
func (r *run) runsAlone(c *pendingCall) bool {
	return r.Limits.Parallel <= 1 || c.fault == nil && c.definition.Effect == message.EffectFiles
}

// asksAhead reports whether the user is asked about a call before its turn. Where a call before
// it changes the same file, as far as both name it, nobody can show yet what it would do; and
// what is allowed one request may make a question about the next one needless.
func (r *run) asksAhead(before []*pendingCall, c *pendingCall) bool {
	return r.AskAhead && c.mayAsk() && !slices.ContainsFunc(before, func(b *pendingCall) bool {
		if b.fault != nil || b.definition.Effect != c.definition.Effect {
			return false
		}
		file, other := c.subjectPath(), b.subjectPath()
		return b.definition.Effect == message.EffectNetwork ||
			b.definition.Effect == message.EffectFiles && file != "" && (isWithin(file, other) || isWithin(other, file))
	})
}

// subjectPath is the path that the call is about; empty where it is about none.
func (c *pendingCall) subjectPath() string {
	subject := c.definition.Subject
	if file := subject.Of(c.call.Arguments); file != "" && subject.Kind == message.SubjectPath {
		return path.Clean(strings.ReplaceAll(file, `\`, "/"))
	}
	return ""
}

// isWithin reports whether a path is a folder or something in it.
func isWithin(file, folder string) bool {
	return file == folder || strings.HasPrefix(file, folder+"/")
}

// mayAsk reports whether the user may have to decide about the call before it runs.
func (c *pendingCall) mayAsk() bool {
	return c.fault == nil && (c.definition.Confirm || c.call.Written)
}

// prepare prepares the call. One that is asked about ahead waits for its turn before where it
// cannot be prepared yet, as it may need what a call before it does, or nobody is asked.
func (w worker) prepare(call message.Call, asks bool) (tool.Plan, error) {
	plan, err := w.Tools.Prepare(w.pausing, call)
	if !w.ahead || err == nil && (asks || plan.Asks) {
		return plan, err
	}
	if err == nil {
		plan.Discard()
	}
	w.awaitTurn()
	return w.Tools.Prepare(w.pausing, call)
}

// awaitTurn waits until the call may run as far as those before it are concerned.
func (w worker) awaitTurn() {
	w.ahead = false
	w.open()
	<-w.group.begin
	if w.mayAsk() {
		<-w.previousAsked
	}
}

// awaitOthers has the questions that are open at once come in call order.
func (w worker) awaitOthers() {
	if w.ahead {
		<-w.previousOpened
	}
}

// open says that the next question may come. Only the call's own worker calls it.
func (c *pendingCall) open() {
	select {
	case <-c.opened:
	default:
		close(c.opened)
	}
}
