package agent

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

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

// group is of calls that may run side by side.
type group struct {
	// begin is closed when all calls before them have ended.
	begin chan struct{}
	// left is how many of them have not ended.
	left int
}

// newTurn returns what holds a value for each question about the calls that is open.
func (r *run) newTurn(calls []*pendingCall) chan struct{} {
	if r.AskAhead {
		return make(chan struct{}, len(calls))
	}
	return make(chan struct{}, 1)
}

// asksAhead reports whether the user is asked about a call before its turn. Where a call before
// it changes the same file, as far as both name it, nobody can show yet what it would do.
func (r *run) asksAhead(before []*pendingCall, c *pendingCall) bool {
	file := c.subjectPath()
	return r.AskAhead && c.mayAsk() && !slices.ContainsFunc(before, func(b *pendingCall) bool {
		other := b.subjectPath()
		return file != "" && b.fault == nil && b.definition.Effect == message.EffectFiles && (isWithin(file, other) || isWithin(other, file))
	})
}

// subjectPath is the path that the call is about; empty where it is about none.
func (c *pendingCall) subjectPath() string {
	subject := c.definition.Display.Subject
	if file := subject.Of(c.call.Arguments); file != "" && subject.Kind == message.SubjectPath {
		return path.Clean(filepath.ToSlash(file))
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
	<-w.group.begin
	if w.mayAsk() {
		<-w.previousAsked
	}
}
