package desktop

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/session"
)

const (
	// mostFound is how many places the page is offered of all conversations, and mostFoundIn of one.
	mostFound   = 100
	mostFoundIn = 1000
	// mostTitles is how many conversations the page is offered by their titles.
	mostTitles = 50
	// indexTime is how long the index is added to without a pause, and how long the pause is.
	indexTime = 100 * time.Millisecond
	// indexWait is how long after the end of a run what it said and did is added to the index.
	indexWait = 2 * time.Second
)

// Found is what a text was found in.
type Found struct {
	// Titles are the conversations whose title has the text, those first that were last worked on.
	Titles []SessionEntry `json:"titles"`
	// Passages are places in messages, the newest first, and Sessions the conversations that they are in,
	// each once.
	Passages []Passage      `json:"passages"`
	Sessions []SessionEntry `json:"sessions"`
	// More says that there are others.
	More bool `json:"more"`
}

// Passage is a place in a message.
type Passage struct {
	SessionID string `json:"sessionId"`
	RunID     string `json:"runId"`
	PartID    string `json:"partId"`
	// CallID and ToolName are those of the call that it is about; empty for what was said.
	CallID   string       `json:"callId"`
	ToolName string       `json:"toolName"`
	Role     message.Role `json:"role"`
	// At is when the message was written, in milliseconds since 1970.
	At int64 `json:"at"`
	// Match is the text that was found as it stands there, on one line, with what is before and after it.
	Before string `json:"before"`
	Match  string `json:"match"`
	After  string `json:"after"`
}

// latest is work of which only the newest is wanted. The web view does not say that what it asked for is
// no longer wanted, so the next such request does.
type latest struct {
	mu  sync.Mutex
	end context.CancelFunc
}

// begin ends what is still being done, and returns the context of what takes its place.
func (l *latest) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.end != nil {
		l.end()
	}
	l.end = end
	return ctx, end
}

// findText finds a text in all conversations, or in one.
func (w *Window) findText(request *http.Request) (any, error) {
	query := request.URL.Query()
	wanted, of := session.Query{Text: query.Get("text"), Session: query.Get("session"), Most: mostFound}, &w.searching
	if wanted.Session != "" {
		wanted.Most, of = mostFoundIn, &w.finding
	}
	ctx, end := of.begin(request.Context())
	defer end()
	found, err := w.backend.Sessions.Search(ctx, wanted)
	if err != nil {
		return nil, err
	}
	entry, _ := w.entriesOf()
	list := Found{Titles: []SessionEntry{}, Passages: []Passage{}, Sessions: []SessionEntry{}, More: found.More}
	for _, saved := range found.Titles {
		list.Titles = append(list.Titles, entry(saved))
	}
	listed := map[string]bool{}
	for _, p := range found.Passages {
		list.Passages = append(list.Passages, Passage{
			SessionID: p.SessionID, RunID: p.RunID, PartID: p.PartID, CallID: p.CallID, ToolName: p.Tool, Role: p.Role,
			At: p.At.UnixMilli(), Before: p.Before, Match: p.Match, After: p.After,
		})
		if !listed[p.SessionID] {
			listed[p.SessionID] = true
			list.Sessions = append(list.Sessions, entry(found.Sessions[p.SessionID]))
		}
	}
	return list, nil
}

// findTitles finds conversations of all folders by words in their titles.
func (w *Window) findTitles(request *http.Request) (any, error) {
	saved, more, err := w.backend.Sessions.Titled(request.Context(), strings.Fields(request.URL.Query().Get("text")), mostTitles)
	if err != nil {
		return nil, err
	}
	entry, _ := w.entriesOf()
	list := SessionList{Sessions: []SessionEntry{}, More: more}
	for _, one := range saved {
		list.Sessions = append(list.Sessions, entry(one))
	}
	return list, nil
}

// keepIndexed adds to the search index what has ended, a little at a time so that what is done meanwhile is
// not held up.
func (w *Window) keepIndexed() {
	for wait := calmTime; w.pause(wait); wait = indexWait {
		for all := false; !all; {
			var err error
			if all, err = w.backend.Sessions.IndexNew(w.ctx, indexTime); err != nil {
				w.log.Warn("add to the search index", "error", err)
				break
			}
			if !w.pause(indexTime) {
				return
			}
		}
		select {
		case <-w.toIndex:
		case <-w.ctx.Done():
		}
	}
}

// pause waits. It reports whether the window is still open.
func (w *Window) pause(wait time.Duration) bool {
	select {
	case <-time.After(wait):
		return true
	case <-w.ctx.Done():
		return false
	}
}
