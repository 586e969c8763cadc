package desktop

import (
	"encoding/json"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"fairlead/backend"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/workspace"
)

// routes is where the page reads what is too large, or too much, for an event or
// a bound result, and sends what is too large for a call: pictures and texts with servers that the
// user pastes. All else is a GET that changes nothing.
const routes = "/fairlead/"

// policy is what the page may load and run: only what the program brings along
// (SPEC SEC-04).
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-src 'none'; frame-ancestors 'none'; object-src 'none'"

// Middleware puts the content security policy on everything the page loads, and
// answers the routes.
func (w *Window) Middleware(assets http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+routes+"state", w.serve(func(request *http.Request) (any, error) { return w.currentState(request.Context()), nil }))
	mux.HandleFunc("GET "+routes+"context", w.serve(w.readContext))
	mux.HandleFunc("GET "+routes+"settings", w.serve(func(*http.Request) (any, error) { return w.listSettings(), nil }))
	mux.HandleFunc("GET "+routes+"doctor", w.serve(func(request *http.Request) (any, error) { return w.checkSystem(request.Context()), nil }))
	mux.HandleFunc("GET "+routes+"memory", w.serve(w.readMemory))
	mux.HandleFunc("GET "+routes+"models", w.serve(func(*http.Request) (any, error) { return w.chosen.listedModels(), nil }))
	mux.HandleFunc("GET "+routes+"offered", w.serve(w.readOffered))
	mux.HandleFunc("GET "+routes+"tree", w.serve(w.readTree))
	mux.HandleFunc("GET "+routes+"file", w.serve(w.readPreview))
	mux.HandleFunc("GET "+routes+"servers", w.serve(w.readServers))
	mux.HandleFunc("POST "+routes+"servers/text", w.serve(w.readServerText))
	mux.HandleFunc("GET "+routes+"servers/offer", w.serve(w.readServerOffer))
	mux.HandleFunc("GET "+routes+"suggestions", w.serve(func(*http.Request) (any, error) { return w.listSuggestions(), nil }))
	mux.HandleFunc("GET "+routes+"suggestion", w.serve(w.readSuggestion))
	mux.HandleFunc("GET "+routes+"known", w.serve(w.readKnown))
	mux.HandleFunc("GET "+routes+"names", w.serve(w.findNames))
	mux.HandleFunc("GET "+routes+"sessions", w.serve(w.listSessions))
	mux.HandleFunc("GET "+routes+"search", w.serve(w.findText))
	mux.HandleFunc("GET "+routes+"titles", w.serve(w.findTitles))
	mux.HandleFunc("GET "+routes+"sessions/{session}/runs", w.serve(w.readEarlierRuns))
	mux.HandleFunc("GET "+routes+"sessions/{session}/markdown", w.serve(w.writeMarkdown))
	mux.HandleFunc("GET "+routes+"processes", w.serve(w.listProcesses))
	mux.HandleFunc("GET "+routes+"processes/{call}/output", w.serve(w.readOutput))
	mux.HandleFunc("GET "+routes+"sessions/{session}/draft", w.serve(w.readDraft))
	mux.HandleFunc("GET "+routes+"runs/{run}/changes", w.serve(w.readReview))
	mux.HandleFunc("GET "+routes+"runs/{run}/changes/{set}/{index}", w.serve(w.readReviewText))
	mux.HandleFunc("GET "+routes+"runs/{run}/sets/{set}", w.serve(w.readChangeText))
	mux.HandleFunc("GET "+routes+"runs/{run}/undo", w.serve(w.readUndo))
	mux.HandleFunc("GET "+routes+"runs/{run}/events", w.serve(w.readEvents))
	mux.HandleFunc("GET "+routes+"runs/{run}/events/{seq}", w.serve(w.readEvent))
	mux.HandleFunc("GET "+routes+"runs/{run}/events/{seq}/blocks/{number}", w.serveBlock)
	mux.HandleFunc("GET "+routes+"pictures/{id}", w.servePicture)
	mux.HandleFunc("POST "+routes+"pictures", w.serve(w.takeUpload))
	return http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		answer = unshare(answer)
		header := answer.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		if strings.HasPrefix(request.URL.Path, routes) {
			header.Set("Cache-Control", "no-store")
			mux.ServeHTTP(answer, request)
			return
		}
		assets.ServeHTTP(answer, request)
	})
}

// serve answers with JSON: what read returns, or a Fault.
func (w *Window) serve(read func(*http.Request) (any, error)) http.HandlerFunc {
	return func(answer http.ResponseWriter, request *http.Request) {
		body, err := Guard(w, func() (any, error) { return read(request) })
		status := http.StatusOK
		if err != nil {
			body, status = faultOf(err), http.StatusUnprocessableEntity
		}
		w.answerJSON(answer, request, body, status)
	}
}

func (w *Window) answerJSON(answer http.ResponseWriter, request *http.Request, body any, status int) {
	text, err := json.Marshal(body)
	if err != nil {
		w.log.Error("encode an answer for the page", "path", request.URL.Path, "error", err)
		answer.WriteHeader(http.StatusInternalServerError)
		return
	}
	answer.Header().Set("Content-Type", "application/json")
	answer.WriteHeader(status)
	_, _ = answer.Write(w.redactKeys(text)) // the page may be gone
}

// readEvents returns the events of a run after a seq, deltas whole.
func (w *Window) readEvents(request *http.Request) (any, error) {
	after, err := strconv.ParseInt(request.URL.Query().Get("after"), 10, 64)
	if err != nil || after < 0 {
		return nil, &message.Refusal{Code: message.InvalidParams, Message: "after is no seq"}
	}
	return encodeWhole(event.Join(w.eachEvent(request.Context(), request.PathValue("run"), after)), w.redactKeys)
}

// readEvent returns one event, whole but for the bytes of its blocks.
func (w *Window) readEvent(request *http.Request) (any, error) {
	e, err := w.wholeEvent(request)
	return withRefs(e), err
}

func (w *Window) wholeEvent(request *http.Request) (event.Event, error) {
	seq, err := strconv.ParseInt(request.PathValue("seq"), 10, 64)
	if err != nil || seq < 1 {
		return event.Event{}, &message.Refusal{Code: message.InvalidParams, Message: "that is no seq"}
	}
	next, stop := iter.Pull2(w.eachEvent(request.Context(), request.PathValue("run"), seq-1))
	defer stop()
	e, err, found := next()
	if err == nil && !found {
		err = &message.Refusal{Code: message.NotFound, Message: "there is no such event yet"}
	}
	return e, err
}

// encodeWhole encodes events for a read: deltas as they are, because the page joins
// them, other long ones cut, because it shows them folded.
func encodeWhole(events iter.Seq2[event.Event, error], redact func([]byte) []byte) ([]json.RawMessage, error) {
	encoded := []json.RawMessage{}
	for e, err := range events {
		if err != nil {
			return nil, err
		}
		limit := maxJSON
		switch e.Data.(type) {
		case event.AssistantDelta, event.ReasoningDelta, event.AssistantFinal, event.ToolProgress, event.LifecycleStart, event.PromptJoined:
			limit = 1 << 30
		}
		text, err := encode(e, limit, redact)
		if err != nil {
			return nil, err
		}
		encoded = append(encoded, text)
	}
	return encoded, nil
}

// Listing is one level of the workspace's tree.
type Listing = workspace.Listing

// FilePreview is a file, to look at.
type FilePreview = backend.FilePreview

func (w *Window) readTree(request *http.Request) (any, error) {
	path := request.URL.Query().Get("path")
	if w.folder.currentView().folder == nil && path == "" {
		// The page can ask in the moment in which its folder is closed.
		return workspace.Listing{Entries: []workspace.TreeEntry{}}, nil
	}
	return readFolder(w, func(folder *workspace.Folder) (any, error) { return folder.List(request.Context(), path) })
}

func (w *Window) readPreview(request *http.Request) (any, error) {
	query, first := request.URL.Query(), 1
	if from := query.Get("first"); from != "" {
		number, err := strconv.Atoi(from)
		if err != nil || number < 1 {
			return nil, &message.Refusal{Code: message.InvalidParams, Message: "first is no number of a page"}
		}
		first = number
	}
	return readFolder(w, func(folder *workspace.Folder) (any, error) {
		return w.backend.Preview(request.Context(), folder, query.Get("path"), first)
	})
}

// readFolder reads something of the open folder or, while a run of the conversation that is shown
// works in a draft, of that.
func readFolder(w *Window, read func(*workspace.Folder) (any, error)) (any, error) {
	if open := w.conversations.find(w.folder.currentView().shown); open != nil {
		if draft := open.DraftFolder(); draft != nil {
			found, err := read(draft)
			if err == nil || open.DraftFolder() == draft { // else the run has ended meanwhile
				return found, err
			}
		}
	}
	folder, err := w.openFolder()
	if err != nil {
		return nil, err
	}
	return read(folder)
}
