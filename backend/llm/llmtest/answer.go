package llmtest

import (
	"context"
	"net/http"
	"time"
)

// answer writes one reply as a stream.
type answer struct {
	w http.ResponseWriter
	// form writes what is said in one of the protocols.
	form form
}

// form is how a protocol writes a reply. Its methods report whether the client listens.
type form interface {
	sendText(text string) bool
	sendReasoning(text string) bool
	sendCall(c call) bool
	// close ends a reply that was not cut.
	close(reply Reply)
}

// write sends the reply. It returns early when ctx ends or a write fails.
func (a *answer) write(ctx context.Context, reply Reply) {
	for name, values := range reply.header {
		a.w.Header()[name] = values
	}
	if a.w.Header().Get("Content-Type") == "" {
		a.w.Header().Set("Content-Type", contentType(reply.status))
	}
	for _, s := range reply.steps {
		if !a.sendStep(ctx, reply.status, s) {
			return
		}
	}
	a.form.close(reply)
}

func contentType(status int) string {
	if status == http.StatusOK {
		return "text/event-stream"
	}
	return "application/json"
}

// sendStep does one step of a reply and reports whether the reply goes on.
func (a *answer) sendStep(ctx context.Context, status int, s step) bool {
	switch s.kind {
	case stepText:
		return a.form.sendText(s.text)
	case stepReasoning:
		return a.form.sendReasoning(s.text)
	case stepCall:
		return a.form.sendCall(s.call)
	case stepWait:
		return sleepFor(ctx, s.wait)
	case stepHang:
		<-ctx.Done()
		return false
	case stepRaw:
		return sendLine(a.w, s.text)
	case stepBody:
		a.w.WriteHeader(status)
		// The client may be gone; there is nobody else to tell.
		_, _ = a.w.Write([]byte(s.text))
		return false
	default: // stepCut
		return false
	}
}

// sendLine sends one line at once, so that a client sees each chunk as it is made.
func sendLine(w http.ResponseWriter, text string) bool {
	if _, err := w.Write([]byte(text + "\n")); err != nil {
		return false
	}
	return http.NewResponseController(w).Flush() == nil
}

// sleepFor waits and reports whether ctx is still alive.
func sleepFor(ctx context.Context, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
