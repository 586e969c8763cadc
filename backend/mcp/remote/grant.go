package remote

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"fairlead/backend/secret"
)

// early is how long before its end a token is taken for expired.
const early = 10 * time.Second

// registration is this program as an issuer knows it.
type registration struct {
	ID     string           `json:"id"`
	Secret string           `json:"secret,omitempty"`
	Style  oauth2.AuthStyle `json:"style"`
	// Redirect is the address that the issuer sends the browser to.
	Redirect string `json:"redirect"`
}

// grant is what signing in gave: tokens, for one resource, of one issuer.
type grant struct {
	Issuer   string       `json:"issuer"`
	Resource string       `json:"resource"`
	TokenURL string       `json:"tokenUrl"`
	Client   registration `json:"client"`
	Access   string       `json:"access,omitempty"`
	Refresh  string       `json:"refresh,omitempty"`
	// Expiry is when the access token ends; zero where the issuer does not say.
	Expiry time.Time `json:"expiry,omitzero"`
	Scopes []string  `json:"scopes,omitempty"`
}

// encode returns a grant as a key, which has no space and no character beyond ASCII.
func (g *grant) encode() (secret.Key, error) {
	text, err := json.Marshal(g)
	if err != nil {
		return secret.Key{}, fmt.Errorf("write the tokens of %s: %w", g.Issuer, err)
	}
	return secret.NewKey(base64.RawURLEncoding.EncodeToString(text)), nil
}

// decodeGrant reads what encode wrote; false for anything else.
func decodeGrant(key secret.Key) (*grant, bool) {
	text, err := base64.RawURLEncoding.DecodeString(key.Reveal())
	if err != nil {
		return nil, false
	}
	var g grant
	if json.Unmarshal(text, &g) != nil || g.Issuer == "" || g.Client.ID == "" {
		return nil, false
	}
	return &g, true
}

// isExpired reports whether the access token cannot be used any more.
func (g *grant) isExpired() bool {
	return g.Access == "" || !g.Expiry.IsZero() && time.Now().Add(early).After(g.Expiry)
}

// isRenewable reports whether the access token has expired and another one can be asked
// for.
func (g *grant) isRenewable() bool { return g != nil && g.isExpired() && g.Refresh != "" }

// token returns the access token, expired or not: the server decides; empty for none.
func (g *grant) token() string {
	if g == nil {
		return ""
	}
	return g.Access
}

// config is what the requests for tokens are made with.
func (g *grant) config() *oauth2.Config {
	return &oauth2.Config{
		ClientID: g.Client.ID, ClientSecret: g.Client.Secret,
		Endpoint: oauth2.Endpoint{TokenURL: g.TokenURL, AuthStyle: g.Client.Style},
	}
}

// exchange sends a request for tokens, and returns a grant with those.
func (s *Server) exchange(ctx context.Context, g *grant, config *oauth2.Config, code string, options ...oauth2.AuthCodeOption) (*grant, error) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, s.sender)
	options = append(options, oauth2.SetAuthURLParam("resource", g.Resource))
	token, err := config.Exchange(ctx, code, options...)
	if err != nil {
		return nil, err
	}
	if !strings.EqualFold(token.Type(), "Bearer") {
		return nil, fmt.Errorf("the token is one of the type %.50q, which MCP has none of", token.TokenType)
	}
	if !isTokenText(token.AccessToken) {
		return nil, errors.New("the token has characters that no token has")
	}
	next := *g
	next.Access, next.Expiry = token.AccessToken, token.Expiry
	if token.RefreshToken != "" {
		next.Refresh = token.RefreshToken
	}
	if scope, ok := token.Extra("scope").(string); ok {
		next.Scopes = strings.Fields(scope)
	}
	for _, value := range []string{next.Access, next.Refresh, next.Client.Secret} {
		s.options.Redactor.Add(value)
	}
	return &next, nil
}

// isTokenText reports whether a token can be sent in a header: visible ASCII.
func isTokenText(token string) bool {
	return token != "" && !strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' })
}

// refresh asks for new tokens with those of a grant. The library asks for them without
// the resource, and sends what it is given empty, which a server has to take for left out
// (RFC 6749, 3.2).
func (s *Server) refresh(ctx context.Context, g *grant) (*grant, error) {
	return s.exchange(ctx, g, g.config(), "",
		oauth2.SetAuthURLParam("grant_type", "refresh_token"), oauth2.SetAuthURLParam("refresh_token", g.Refresh))
}

// isOver reports whether an issuer says that a grant cannot be refreshed any more.
func isOver(err error) bool {
	refused, ok := errors.AsType[*oauth2.RetrieveError](err)
	return ok && refused.Response != nil && refused.Response.StatusCode >= http.StatusBadRequest &&
		refused.Response.StatusCode < http.StatusInternalServerError && refused.Response.StatusCode != http.StatusTooManyRequests
}

// tokenReason says in words why there is no token. The library's own text repeats the
// whole answer.
func tokenReason(err error) string {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok {
		switch {
		case refused.ErrorDescription != "":
			return fmt.Sprintf("the issuer says %q", shortText(refused.ErrorDescription))
		case refused.ErrorCode != "":
			return fmt.Sprintf("the issuer says %q", shortText(refused.ErrorCode))
		case refused.Response != nil:
			return "the issuer answers with " + statusText(refused.Response.StatusCode)
		}
	}
	if fault, ok := errors.AsType[*Fault](err); ok {
		return fault.Text
	}
	text := err.Error()
	if _, after, ok := strings.Cut(text, `": `); ok && strings.HasPrefix(text, `Get "`) {
		text = after // it begins with what was asked for
	}
	return shortText(text)
}
