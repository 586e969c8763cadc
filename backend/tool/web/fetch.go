package web

import (
	"context"
	"net/http"

	"fairlead/backend/message"
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
func (g *getter) fetchPage(ctx context.Context, t target) (*http.Response, target, *message.ToolError) {
	transport := g.newTransport(ctx)
	for range maxRedirects + 1 {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url.String(), nil)
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
	return nil, t, httpError("more than %d redirects, the last one to %s", maxRedirects, t.url)
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
func (g *getter) next(t target, location string) (target, *message.ToolError) {
	u, err := t.url.Parse(location)
	if err != nil {
		return target{}, httpError("%s redirects to an address that cannot be read: %.300q", t.url, location)
	}
	// Browsers send what does not belong in a query all the same, written as %xx.
	u.RawQuery, u.Fragment = encodeQuery(u.RawQuery), ""
	next, err := parse(u.String())
	if err != nil {
		return target{}, httpError("%s redirects to %.300s, which is not followed: %w", t.url, u.Redacted(), err)
	}
	if failure := g.refuseTarget(next); failure != nil {
		return target{}, failure
	}
	switch {
	case t.url.Scheme == "https" && next.url.Scheme == "http":
		return target{}, httpError("%s redirects to %s, which is not followed: it is not encrypted", t.url, next.url)
	case t.originOf() == next.originOf() || t.isUpgrade(next) || g.isAgreed(next):
		return next, nil
	default:
		return target{}, httpError("%s redirects to another host: call http_get with the url %s if that is wanted", t.url, next.url)
	}
}
