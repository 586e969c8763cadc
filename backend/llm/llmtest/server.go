package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Server is an OpenAI-compatible endpoint that answers from a script, in order.
// It refuses every request that a strict real server would refuse, and keeps
// what it was sent. It is safe for use by several clients at once.
type Server struct {
	// Key is the API key that requests must carry; any will do when it is empty.
	// Set it before the first request.
	Key string

	mu      sync.Mutex
	replies []Reply
	// always are the replies that are given whenever their conditions hold.
	always   []Reply
	requests []Request
	faults   []string
	// reasons is the encrypted or signed reasoning that led to a call, by the call's id.
	reasons map[string]string
	// cached are the beginnings of requests over Messages that are in the cache.
	cached map[string]bool
}

// Request is one request the server was sent.
type Request struct {
	// Body is the body to the byte.
	Body []byte
	// Path is where it was sent, such as /v1/chat/completions.
	Path string
	// Chat is the body decoded, as far as it could be.
	Chat Chat
	// Header holds the headers without Authorization.
	Header http.Header
	// Authorized says that Authorization carried the server's Key.
	Authorized bool
}

// NewServer returns a server that gives these replies: those that have conditions to
// every request for which these hold, the others one to a request.
func NewServer(replies ...Reply) *Server {
	s := &Server{}
	for _, reply := range replies {
		if reply.hasConditions() {
			s.always = append(s.always, reply)
		} else {
			s.replies = append(s.replies, reply)
		}
	}
	return s
}

// Play has the server answer from another script from now on. It remembers the reasoning that
// it has given, and what it was sent.
func (s *Server) Play(text string) {
	other := Script(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies, s.always = other.replies, other.always
}

// Script returns a server for a script. It panics when the script does not
// parse, because that is a fault of the test.
func Script(text string) *Server {
	replies, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return NewServer(replies...)
}

// Requests returns the chat requests so far, refused ones too.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Faults returns what was wrong with the requests so far, one line each.
func (s *Server) Faults() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.faults...)
}

// Left returns how many replies were not asked for yet.
func (s *Server) Left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.replies)
}

// ServeHTTP answers POST …/chat/completions, POST …/responses, POST …/messages and
// GET …/models.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/models"):
		if !s.isAuthorized(r) {
			refuseKey(w)
			return
		}
		writeJSON(w, http.StatusOK, map[string]any{
			"object": "list", "data": []any{map[string]any{"id": "scripted", "object": "model"}},
		})
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions"):
		s.serve(w, r, Check, func(request Request) form { return &chatForm{w: w, model: request.Chat.Model} })
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/responses"):
		s.serve(w, r, s.checkResponses, func(Request) form { return s.newResponsesForm(w) })
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/messages"):
		s.serve(w, r, s.checkMessages, func(request Request) form { return s.newMessagesForm(w, request.Body) })
	default:
		writeError(w, http.StatusNotFound, "unknown_url", "Invalid URL ("+r.Method+" "+r.URL.Path+")")
	}
}

// serve answers a request for a reply, which must pass check, in a form.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, check func([]byte) []string, newForm func(Request) form) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		writeError(w, http.StatusBadRequest, "bad_body", err.Error())
		return
	}
	request := s.newRequest(r, body)
	if !request.Authorized {
		s.keepRequest(request, nil)
		refuseKey(w)
		return
	}
	faults := check(body)
	s.keepRequest(request, faults)
	if len(faults) > 0 {
		writeError(w, http.StatusBadRequest, "invalid_request_error", strings.Join(faults, "; "))
		return
	}
	reply, ok := s.next(body)
	if !ok {
		writeError(w, http.StatusInternalServerError, "script_exhausted", "no reply left")
		return
	}
	(&answer{w: w, form: newForm(request)}).write(r.Context(), reply)
}

// isAuthorized says that a request carries the key that is asked for.
func (s *Server) isAuthorized(r *http.Request) bool {
	return s.Key == "" || r.Header.Get("Authorization") == "Bearer "+s.Key || r.Header.Get("X-Api-Key") == s.Key
}

func (s *Server) newRequest(r *http.Request, body []byte) Request {
	header := r.Header.Clone()
	header.Del("Authorization")
	header.Del("X-Api-Key")
	request := Request{Path: r.URL.Path, Body: body, Header: header, Authorized: s.isAuthorized(r)}
	// What does not decode is reported by Check.
	_ = json.Unmarshal(body, &request.Chat)
	return request
}

// keepRequest records a request and its faults.
func (s *Server) keepRequest(request Request, faults []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request)
	for _, fault := range faults {
		s.faults = append(s.faults, fmt.Sprintf("request %d: %s", len(s.requests), fault))
	}
}

// next returns the reply to a request, and takes one without conditions off the script.
func (s *Server) next(body []byte) (Reply, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, reply := range s.always {
		if reply.isFor(body) {
			return reply, true
		}
	}
	if len(s.replies) == 0 {
		s.faults = append(s.faults, fmt.Sprintf("request %d: no reply left", len(s.requests)))
		return Reply{}, false
	}
	reply := s.replies[0]
	s.replies = s.replies[1:]
	return reply, true
}

// keepReason remembers which reasoning led to a call.
func (s *Server) keepReason(call, encrypted string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reasons == nil {
		s.reasons = map[string]string{}
	}
	s.reasons[call] = encrypted
}

// reasonOf is the reasoning that led to a call; empty for none.
func (s *Server) reasonOf(call string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reasons[call]
}

// countRequests counts the requests so far, which tells what is made for one from what is
// made for another.
func (s *Server) countRequests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func refuseKey(w http.ResponseWriter) {
	writeError(w, http.StatusUnauthorized, "invalid_api_key", "Incorrect API key provided.")
}

func writeError(w http.ResponseWriter, status int, code, text string) {
	writeJSON(w, status, map[string]any{
		"error": map[string]any{"message": text, "type": "invalid_request_error", "param": nil, "code": code},
	})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The client may be gone; there is nobody else to tell.
	_ = json.NewEncoder(w).Encode(value)
}
