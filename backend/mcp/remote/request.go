package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"

	"fairlead/backend/publicnet"
)

// requests carries the requests of a session.
type requests struct {
	*Server
	// life ends with the session.
	life context.Context
}

// RoundTrip implements http.RoundTripper. What is no answer of the protocol is a *Fault,
// but for those that the SDK has a use for.
func (r *requests) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		defer request.Body.Close()
	}
	answer, err := r.roundTrip(request)
	if fault, ok := errors.AsType[*Fault](err); ok {
		r.noteFault(fault)
	}
	return answer, err
}

func (r *requests) roundTrip(request *http.Request) (*http.Response, error) {
	to, err := publicnet.Parse(request.URL.String())
	if err != nil || to.Origin() != r.target.Origin() {
		return nil, r.fault(Redirected, err, "%s names another host for its messages, %s: only %s was agreed to",
			r.host(), shortText(request.URL.Host), r.host())
	}
	if isStream(request) {
		if err := r.countStream(); err != nil {
			return nil, err
		}
	}
	for tries := 0; ; tries++ {
		answer, err := r.signIn.roundTrip(request, r.send)
		if err != nil {
			return nil, r.connectionFault(request.Context(), r.life, request.URL, err)
		}
		pause, busy := r.pauseOf(answer)
		if !busy || tries == maxBusy {
			return r.judge(request, answer)
		}
		_ = answer.Body.Close() // nobody reads it
		r.options.Log.Info("a remote server is busy", "server", r.options.Server, "status", answer.StatusCode, "pause", pause)
		if err := wait(request.Context(), r.life, pause); err != nil {
			return nil, r.connectionFault(request.Context(), r.life, request.URL, err)
		}
	}
}

// wait waits until pause is over or a context has ended.
func wait(ctx, life context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-life.Done():
		return life.Err()
	}
}

// isStream reports whether a request is one for the server's own messages, or for the
// rest of a stream.
func isStream(request *http.Request) bool { return request.Method == http.MethodGet }

// countStream refuses to begin streams time and again: the server names the pause before
// the next one, and can make it as short as it likes.
func (s *Server) countStream() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for len(s.streams) > 0 && now.Sub(s.streams[0]) > streamSpan {
		s.streams = s.streams[1:]
	}
	if len(s.streams) >= maxStreams {
		return s.fault(TooOften, nil, "%s ended its stream of messages %d times within a minute", s.host(), maxStreams)
	}
	s.streams = append(s.streams, now)
	return nil
}

// send sends a request with a token, if there is one.
func (r *requests) send(request *http.Request, token string) (*http.Response, error) {
	ctx, cancel := context.WithCancel(request.Context())
	patient := r.options.Kind == SSE && isStream(request)
	if patient {
		// The SDK gives it the context of connecting, which ends long before the stream.
		ctx, cancel = context.WithCancel(context.WithoutCancel(request.Context()))
	}
	callerEnds := context.AfterFunc(request.Context(), cancel)
	lifeEnds := context.AfterFunc(r.life, cancel)
	release := func() {
		callerEnds()
		lifeEnds()
		cancel()
	}
	attempt := request.Clone(ctx)
	attempt.Header.Set("User-Agent", agent)
	for name := range r.headers {
		attempt.Header.Set(name, r.headers.Get(name))
	}
	if token != "" {
		attempt.Header.Set("Authorization", "Bearer "+token)
	}
	if request.GetBody != nil {
		content, err := request.GetBody()
		if err != nil {
			release()
			return nil, fmt.Errorf("read the request once more: %w", err)
		}
		attempt.Body = content
	}
	answer, err := r.roundTripInTime(attempt, cancel)
	if err != nil {
		release()
		return nil, err
	}
	answer.Body = r.boundBody(request, r.life, answer, release, func() {
		if patient {
			callerEnds()
		}
	})
	return answer, nil
}

// roundTripInTime gives a stream of the server's own messages streamWait to begin: the SDK
// waits for it without a context of the caller. None is no fault.
func (r *requests) roundTripInTime(attempt *http.Request, cancel context.CancelFunc) (*http.Response, error) {
	if r.options.Kind == SSE || !isStream(attempt) && attempt.Header.Get("Mcp-Method") != "subscriptions/listen" {
		return r.transport.RoundTrip(attempt)
	}
	timer := time.AfterFunc(r.streamWait, cancel)
	answer, err := r.transport.RoundTrip(attempt)
	if timer.Stop() || attempt.Header.Get("Last-Event-Id") != "" || !isStream(attempt) {
		return answer, err
	}
	if err == nil {
		_ = answer.Body.Close() // it came too late
	}
	return &http.Response{
		StatusCode: http.StatusMethodNotAllowed, Header: http.Header{}, Body: http.NoBody, Request: attempt,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}, nil
}

// pauseOf returns how long a busy server wants to be left alone; false where it does not
// say, or wants longer than is waited.
func (r *requests) pauseOf(answer *http.Response) (time.Duration, bool) {
	if answer.StatusCode != http.StatusTooManyRequests && answer.StatusCode != http.StatusServiceUnavailable {
		return 0, false
	}
	pause, ok := retryAfter(answer)
	return pause, ok && pause <= r.maxPause
}

// retryAfter reads when a server wants to be asked again; false where it does not say.
func retryAfter(answer *http.Response) (time.Duration, bool) {
	text := answer.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0), true
	}
	return 0, false
}

// judge makes a fault of an answer that is none of the protocol. The SDK is left those
// that it acts on: errors of JSON-RPC, a session that has ended, and a server that has no
// stream of its own messages.
func (r *requests) judge(request *http.Request, answer *http.Response) (*http.Response, error) {
	status, kind := answer.StatusCode, mediaType(answer)
	var fault *Fault
	switch {
	case status < 300:
		fault = r.judgeKind(request, kind)
	case status < 400, status == http.StatusNotFound && request.Header.Get("Mcp-Session-Id") != "", request.Method == http.MethodDelete:
	case status >= 500 || status == http.StatusTooManyRequests:
		fault = r.judgeServer(answer)
	case status == http.StatusUnauthorized:
		fault = r.fault(Unauthorized, nil, "%s refuses the key that was sent (401): check the headers of %s", r.host(), r.options.Server)
		if len(r.headers) == 0 {
			fault = r.fault(Unauthorized, nil, "%s wants a key or a sign-in (401): give the key as a header of %s", r.host(), r.options.Server)
		}
	case status == http.StatusForbidden:
		fault = r.fault(Forbidden, nil, "%s does not let you in (403): ask those who run it for access", r.host())
	case isStream(request) && r.options.Kind == HTTP, kind == "application/json":
	default:
		fault = r.judgeStatus(answer)
	}
	if fault != nil {
		_ = answer.Body.Close() // nobody reads it
		return nil, fault
	}
	return answer, nil
}

func mediaType(answer *http.Response) string {
	kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	return kind
}

// judgeKind makes a fault of an answer of another kind than the protocol has.
func (r *requests) judgeKind(request *http.Request, kind string) *Fault {
	switch {
	case kind == "text/event-stream", kind == "application/json" && !isStream(request):
		return nil
	case r.options.Kind == HTTP && isStream(request), r.options.Kind == SSE && !isStream(request), !isCall(request):
		return nil
	case kind == "text/html":
		return r.fault(NotMCP, nil, "%s answers with a web page, not as an MCP server: check the path of the address", r.host())
	default:
		return r.fault(NotMCP, nil, "%s answers with %.100q, not as an MCP server: check the path of the address", r.host(), kind)
	}
}

// isCall reports whether a request wants a result.
func isCall(request *http.Request) bool {
	if request.GetBody == nil {
		return isStream(request)
	}
	content, err := request.GetBody()
	if err != nil {
		return true
	}
	text, err := io.ReadAll(content)
	if err != nil {
		return true
	}
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	return json.Unmarshal(text, &call) != nil || call.Method != "" && len(call.ID) > 0 && !bytes.Equal(call.ID, []byte("null"))
}

// judgeServer makes a fault of one that the server reports of itself.
func (r *requests) judgeServer(answer *http.Response) *Fault {
	status := answer.StatusCode
	pause, said := retryAfter(answer)
	switch {
	case status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable:
		return r.fault(ServerFailed, nil, "%s has a fault of its own (%s): try again later", r.host(), statusText(status))
	case said:
		return r.fault(Busy, nil, "%s is busy (%d): it asks to wait for %s", r.host(), status, pause.Round(time.Second))
	default:
		return r.fault(Busy, nil, "%s is busy (%d): try again later", r.host(), status)
	}
}

// judgeStatus makes a fault of the other statuses.
func (r *requests) judgeStatus(answer *http.Response) *Fault {
	switch answer.StatusCode {
	case http.StatusNotFound:
		if r.options.Kind == SSE {
			return r.fault(NotFound, nil, "%s has nothing at %s (404): check the path; most servers take streamable HTTP now, at another one", r.host(), r.target.URL.Path)
		}
		return r.fault(NotFound, nil, "%s has nothing at %s (404): check the path; if this is an older server, choose SSE", r.host(), r.target.URL.Path)
	case http.StatusMethodNotAllowed:
		return r.fault(WrongMethod, nil, "%s takes no messages at %s (405): check the path; if this is an older server, choose SSE", r.host(), r.target.URL.Path)
	default:
		return r.fault(NotMCP, nil, "%s refuses the request (%s): check the address of %s", r.host(), statusText(answer.StatusCode), r.options.Server)
	}
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d %s", status, text)
	}
	return strconv.Itoa(status)
}

// checkRedirect lets the SDK's client follow redirects of the server to itself.
func (s *Server) checkRedirect(next *http.Request, via []*http.Request) error {
	to, err := publicnet.Parse(next.URL.String())
	last := via[len(via)-1]
	switch {
	case err != nil:
		return s.fault(Redirected, err, "%s redirects to %s, which is not followed: %v", s.host(), shortText(next.URL.Redacted()), err)
	case to.Origin() != s.target.Origin():
		if refused, ok := errors.AsType[*Fault](s.checkTarget(to, false)); ok && refused.Code == AddressRefused {
			return refused
		}
		return s.fault(Redirected, nil, "%s redirects to another host, %s: give that address to %s if it is right", s.host(), to.Origin(), s.options.Server)
	case next.Method != last.Method:
		return s.fault(Redirected, nil, "%s redirects in a way that loses the message: give the address %s to %s", s.host(), to.URL.Path, s.options.Server)
	case len(via) > maxRedirects:
		return s.fault(Redirected, nil, "%s redirects more than %d times", s.host(), maxRedirects)
	}
	return nil
}
