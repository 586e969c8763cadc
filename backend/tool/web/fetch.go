package web

import (
	"context"
	"net/http"

	"fairlead/backend/message"
	"fairlead/backend/publicnet"
)

const (
	// maxRedirects is how many redirects are followed.
	maxRedirects = 5
	// agent is what this program calls itself to a server.
	agent = "Fairlead"
	// accept prefers what needs the least conversion for a model.
	accept = "text/markdown, text/html, application/xhtml+xml, text/plain, application/json, application/xml;q=0.9, */*;q=0.5"
)

// fetchPage requests t and where it redirects to. It returns the last answer, whose body
// the caller closes, and where that came from.
func (g *getter) fetchPage(ctx context.Context, t publicnet.Target) (*http.Response, publicnet.Target, *message.ToolError) {
	transport := g.newTransport(ctx)
	for range maxRedirects + 1 {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.URL.String(), nil)
		if err != nil {
			return nil, t, g.failedError(ctx, t, err)
		}
		request.Header.Set("User-Agent", agent)
		request.Header.Set("Accept", accept)
		// The transport alone has no cookies and follows nothing by itself.
		answer, err := transport.RoundTrip(request)
		if err != nil {
			return nil, t, g.failedError(ctx, t, err)
		}
		location := answer.Header.Get("Location")
		if !isMoved(answer.StatusCode) || location == "" {
			return answer, t, nil
		}
		_ = answer.Body.Close() // nobody reads it
		next, failure := g.next(t, location)
		if failure != nil {
			return nil, t, failure
		}
		t = next
	}
	return nil, t, httpError("more than %d redirects, the last one to %s", maxRedirects, t.URL)
}

// isMoved reports whether a status is that of an answer which names another place.
func isMoved(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	default:
		return false
	}
}

// next reads where an answer from t redirects to, if that may be followed: to a host
// that the user agreed to, and never away from https.
func (g *getter) next(t publicnet.Target, location string) (publicnet.Target, *message.ToolError) {
	u, err := t.URL.Parse(location)
	if err != nil {
		return publicnet.Target{}, httpError("%s redirects to an address that cannot be read: %.300q", t.URL, location)
	}
	// Browsers send what does not belong in a query all the same, written as %xx.
	u.RawQuery, u.Fragment = publicnet.EncodeQuery(u.RawQuery), ""
	next, err := publicnet.Parse(u.String())
	if err != nil {
		return publicnet.Target{}, httpError("%s redirects to %.300s, which is not followed: %w", t.URL, u.Redacted(), err)
	}
	if failure := g.refuseTarget(next); failure != nil {
		return publicnet.Target{}, failure
	}
	switch {
	case t.URL.Scheme == "https" && next.URL.Scheme == "http":
		return publicnet.Target{}, httpError("%s redirects to %s, which is not followed: it is not encrypted", t.URL, next.URL)
	case t.Origin() == next.Origin() || isUpgrade(t, next) || g.isAgreed(next):
		return next, nil
	default:
		return publicnet.Target{}, httpError("%s redirects to another host: call http_get with the url %s if that is wanted", t.URL, next.URL)
	}
}
