package agent

import (
	"strconv"
	"strings"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/message"
)

// smallWindow is how many tokens a window has at least that is not small. The system prompt,
// all tools and a long file take most of a smaller one, and some servers cut what is longer
// without a word.
const smallWindow = 16_384

// IsSmallWindow reports whether so many tokens are a small window; 0 is one that nobody knows.
func IsSmallWindow(tokens int) bool { return tokens > 0 && tokens < smallWindow }

// fitOffer asks how many tokens the model takes at once, where its server can say so by now,
// and offers it the essential tools only where those are few. The user is told before the
// model is asked.
func (r *run) fitOffer() {
	r.askWindow()
	if !IsSmallWindow(r.meter.window) {
		return
	}
	all := len(r.offer)
	r.Tools = r.Tools.Essential()
	r.offerTools(r.meter.window)
	r.tellSmallWindow(all)
}

// askWindow asks how many tokens the model takes at once, where its server can say so by now.
func (r *run) askWindow() {
	if r.AskWindow == nil {
		return
	}
	if tokens := r.AskWindow(r.pausing); tokens > 0 {
		r.meter.window = tokens
		r.LearnWindow(tokens)
	}
}

// offerTools has the model be offered the tools of the run, beside which a window of so many
// tokens is measured.
func (r *run) offerTools(window int) {
	r.offer = nil
	if r.Mode == React {
		for _, d := range r.Tools.Definitions() {
			r.offer = append(r.offer, llm.Tool{Name: d.Name, Description: d.Description, Parameters: d.Parameters})
		}
	}
	r.meter = newWindowMeter(window, r.Parts, r.requestPrefix())
}

// requestPrefix is what stands before the messages of every request.
func (r *run) requestPrefix() string {
	var text strings.Builder
	text.WriteString(r.System)
	for _, t := range r.offer {
		text.WriteString(t.Name + t.Description + string(t.Parameters))
	}
	return text.String()
}

// learnWindow takes how many tokens the model takes at once, as its provider said while the
// run was going on; 0 for nothing. The tools stay those that the model was offered, because
// its provider keeps what it has read of them.
func (r *run) learnWindow(tokens int) {
	if tokens <= 0 {
		return
	}
	known := IsSmallWindow(r.meter.window)
	r.meter.window = tokens
	r.LearnWindow(tokens)
	if IsSmallWindow(tokens) && !known {
		r.tellSmallWindow(len(r.offer))
	}
}

// tellSmallWindow tells the user of a small window, for which so many tools were meant.
func (r *run) tellSmallWindow(tools int) {
	r.Publish(event.RequestWeakened{
		What: message.WeakTools, Asked: strconv.Itoa(tools), Sent: strconv.Itoa(len(r.offer)),
		Window: r.meter.window, Server: r.Server,
	})
}
