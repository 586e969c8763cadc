package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"fairlead/backend/publicnet"
)

// discovery is who gives tokens for a server.
type discovery struct {
	// resource names the server in requests for tokens.
	resource string
	// scopes are those that the server knows; nil where it does not say.
	scopes        []string
	authorization *oauthex.AuthServerMeta
	// described reports whether the authorization server describes itself.
	described bool
}

func (d *discovery) issuer() string { return d.authorization.Issuer }

// discover finds out who gives tokens for the server: from where the server says, then
// from the places of RFC 9728, then, as the protocol had it in March 2025, from the server
// itself.
func (s *Server) discover(ctx context.Context, metadata string) (*discovery, error) {
	resource, err := s.describedResource(ctx, metadata)
	if err != nil {
		return nil, s.fault(SignInFailed, err, "%s wants a sign-in that cannot be found: %s", s.host(), tokenReason(err))
	}
	old := resource == nil
	if old {
		root := *s.target.URL
		root.Path, root.RawPath, root.RawQuery = "", "", ""
		resource = &oauthex.ProtectedResourceMetadata{Resource: s.target.URL.String(), AuthorizationServers: []string{root.String()}}
	}
	if len(resource.AuthorizationServers) == 0 {
		return nil, s.fault(SignInFailed, nil, "%s wants a sign-in and names nobody to sign in with: ask those who run it", s.host())
	}
	issuer := resource.AuthorizationServers[0]
	if _, err := s.checkIssuer(issuer); err != nil {
		return nil, s.fault(SignInFailed, err, "%s wants a sign-in at %s, which is not used: %s", s.host(), shortText(issuer), tokenReason(err))
	}
	found := &discovery{resource: resource.Resource, scopes: resource.ScopesSupported, described: true}
	found.authorization, err = auth.GetAuthServerMetadata(ctx, issuer, s.sender)
	switch {
	case err != nil:
		return nil, s.fault(SignInFailed, err, "%s wants a sign-in at %s, which is not used: %s", s.host(), shortText(issuer), tokenReason(err))
	case found.authorization == nil && !old:
		return nil, s.fault(SignInFailed, nil, "%s wants a sign-in at %s, which does not say how: ask those who run it", s.host(), shortText(issuer))
	case found.authorization == nil:
		found.described = false
		found.authorization = &oauthex.AuthServerMeta{
			Issuer: issuer, AuthorizationEndpoint: issuer + "/authorize", TokenEndpoint: issuer + "/token", RegistrationEndpoint: issuer + "/register",
		}
	}
	return found, s.checkEndpoints(found.authorization)
}

// checkEndpoints refuses an issuer that would have the browser, or requests, go where they
// may not.
func (s *Server) checkEndpoints(a *oauthex.AuthServerMeta) error {
	for name, address := range map[string]string{
		"sign-in": a.AuthorizationEndpoint, "token": a.TokenEndpoint, "registration": a.RegistrationEndpoint,
	} {
		if address == "" && name == "registration" {
			continue
		}
		if _, err := s.checkIssuer(address); err != nil {
			return s.fault(SignInFailed, err, "%s has a %s address that is not used: %s", shortText(a.Issuer), name, tokenReason(err))
		}
	}
	return nil
}

// checkIssuer reads an address, and refuses one that no request for tokens goes to, by its
// text.
func (s *Server) checkIssuer(address string) (publicnet.Target, error) {
	to, err := publicnet.Parse(address)
	if err != nil {
		return to, fmt.Errorf("%.100q: %w", address, err)
	}
	return to, s.checkTarget(to, true)
}

// describedResource returns the server's description of itself (RFC 9728); nil where there
// is none. One that is about another server is an error.
func (s *Server) describedResource(ctx context.Context, metadata string) (*oauthex.ProtectedResourceMetadata, error) {
	places := []string{metadata, s.wellKnown("oauth-protected-resource")}
	if path := strings.Trim(s.target.URL.Path, "/"); path != "" {
		places = slices.Insert(places, 1, s.wellKnown("oauth-protected-resource/"+path))
	}
	for _, place := range places {
		if place == "" {
			continue
		}
		described, err := s.getResource(ctx, place)
		if err != nil {
			return nil, err
		}
		if described == nil {
			continue
		}
		if !s.isAbout(described.Resource) {
			return nil, fmt.Errorf("%s describes %.200q, which is another server", place, described.Resource)
		}
		return described, nil
	}
	return nil, nil //nolint:nilnil // there is none, which is no error
}

func (s *Server) wellKnown(name string) string {
	return s.target.Origin() + "/.well-known/" + name
}

// isAbout reports whether a resource is the server, or holds it: the same origin, and the
// same path or one above. Many leave out, or add, the last slash.
func (s *Server) isAbout(resource string) bool {
	to, err := publicnet.Parse(resource)
	if err != nil || to.Origin() != s.target.Origin() || to.URL.RawQuery != "" && to.URL.RawQuery != s.target.URL.RawQuery {
		return false
	}
	above, own := strings.TrimSuffix(to.URL.Path, "/"), strings.TrimSuffix(s.target.URL.Path, "/")
	return own == above || strings.HasPrefix(own, above+"/")
}

// getResource reads a description; nil where there is none.
func (s *Server) getResource(ctx context.Context, place string) (*oauthex.ProtectedResourceMetadata, error) {
	if _, err := url.Parse(place); err != nil {
		return nil, errors.New("the server names no address for its description")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, place, nil)
	if err != nil {
		return nil, fmt.Errorf("read %.100q: %w", place, err)
	}
	request.Header.Set("Accept", "application/json")
	answer, err := s.sender.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode >= 400 && answer.StatusCode < 500, answer.StatusCode == http.StatusOK && mediaType(answer) == "text/html":
		return nil, nil //nolint:nilnil // there is none, which is no error
	case answer.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answers with %s", place, statusText(answer.StatusCode))
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	var described oauthex.ProtectedResourceMetadata
	if err := json.Unmarshal(text, &described); err != nil {
		return nil, fmt.Errorf("%s answers with what is no description: %w", place, err)
	}
	return &described, nil
}

// tokenRequests carries the requests to those that give tokens. Keys of the user's headers
// are not among them.
type tokenRequests struct {
	*Server
	base *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (r *tokenRequests) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		defer request.Body.Close()
	}
	to, err := r.checkIssuer(request.URL.String())
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(request.Context())
	lifeEnds := context.AfterFunc(r.life, cancel)
	release := func() {
		lifeEnds()
		cancel()
	}
	attempt := request.Clone(ctx)
	attempt.URL, attempt.Host = to.URL, to.URL.Host
	attempt.Header.Set("User-Agent", agent)
	answer, err := r.base.RoundTrip(attempt)
	if err != nil {
		release()
		return nil, r.connectionFault(request.Context(), r.life, request.URL, err)
	}
	answer.Body = &body{from: answer.Body, left: maxTokenAnswer, release: release, failed: func(err error) error {
		if errors.Is(err, errAnswerTooLarge) {
			return r.fault(TooLarge, err, "%s answers with more than 1 MiB", request.URL.Host)
		}
		return r.connectionFault(request.Context(), r.life, request.URL, err)
	}}
	return answer, nil
}

// checkIssuerRedirect lets descriptions be elsewhere; what is sent goes nowhere else.
func (s *Server) checkIssuerRedirect(next *http.Request, via []*http.Request) error {
	last := via[len(via)-1]
	switch {
	case via[0].Method != http.MethodGet:
		return s.fault(Redirected, nil, "%s redirects a request for tokens, which is not followed", last.URL.Host)
	case len(via) > maxRedirects:
		return s.fault(Redirected, nil, "%s redirects more than %d times", via[0].URL.Host, maxRedirects)
	case last.URL.Scheme == "https" && next.URL.Scheme != "https":
		return s.fault(Redirected, nil, "%s redirects to %s, which is not followed: it is not encrypted", last.URL.Host, shortText(next.URL.Redacted()))
	}
	return nil
}
