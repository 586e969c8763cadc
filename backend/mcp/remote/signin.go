package remote

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"fairlead/backend/secret"
)

// maxAttempts is how often one request is sent: without a token, with the saved one, with
// a refreshed one, with one that the user signed in for, and with more scopes.
const maxAttempts = 5

// SignedIn is who the user is signed in with.
type SignedIn struct {
	Issuer string
	Scopes []string
	// SessionOnly is why the tokens are not saved, and last as long as the program;
	// nil where they are.
	SessionOnly error
}

// origin is where a token comes from.
type origin string

const (
	fromStore  origin = "store"
	fromIssuer origin = "issuer" // refreshed
	fromUser   origin = "user"
)

// signIn has the tokens of one server.
type signIn struct {
	*Server
	// turn is held by the request that gets a token.
	turn chan struct{}
	// loaded are the issuers whose saved tokens were looked for; asked is how often the
	// user was. Both belong to who holds turn.
	loaded map[string]bool
	asked  int

	mu    sync.Mutex
	grant *grant
	// untried is where the token comes from, as long as no request with it was accepted;
	// empty after that.
	untried origin
	// wanted is what the last request wanted that nobody was asked for.
	wanted challenge
	// ended is why nobody is asked any more; nil while the user can be.
	ended error
	// sessionOnly is why the tokens are not saved.
	sessionOnly error
}

func newSignIn(s *Server) *signIn {
	return &signIn{Server: s, turn: make(chan struct{}, 1), loaded: map[string]bool{}}
}

func (s *signIn) state() (SignedIn, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.grant == nil || s.grant.Access == "" {
		return SignedIn{}, false
	}
	return SignedIn{Issuer: s.grant.Issuer, Scopes: slices.Clone(s.grant.Scopes), SessionOnly: s.sessionOnly}, true
}

// challenge is how a server refuses a token.
type challenge struct {
	// metadata is where the server says who gives tokens; empty where it does not.
	metadata string
	// scopes are those that it wants; nil where it does not say.
	scopes []string
	// more reports whether it wants more scopes than the token has.
	more bool
}

// challengeOf reads how an answer refuses a token; false for one that does not.
func challengeOf(answer *http.Response) (challenge, bool) {
	if answer.StatusCode != http.StatusUnauthorized && answer.StatusCode != http.StatusForbidden {
		return challenge{}, false
	}
	var c challenge
	// What cannot be read says nothing.
	parsed, _ := oauthex.ParseWWWAuthenticate(answer.Header.Values("WWW-Authenticate"))
	for _, one := range parsed {
		if one.Scheme != "bearer" {
			continue
		}
		if c.metadata == "" {
			c.metadata = one.Params["resource_metadata"]
		}
		if scopes := splitScopes(one.Params["scope"]); scopes != nil && c.scopes == nil {
			c.scopes = scopes
		}
		c.more = c.more || one.Params["error"] == "insufficient_scope"
	}
	return c, answer.StatusCode == http.StatusUnauthorized || c.more
}

// roundTrip sends a request, with a token where there is one. Where the server refuses
// that, it gets another one, if need be from the user.
func (s *signIn) roundTrip(request *http.Request, send func(*http.Request, string) (*http.Response, error)) (*http.Response, error) {
	if s.headers.Get("Authorization") != "" {
		return send(request, "")
	}
	for tries := 0; ; tries++ {
		token, err := s.token(request.Context())
		if err != nil {
			return nil, err
		}
		answer, err := send(request, token)
		if err != nil {
			return nil, err
		}
		wanted, refused := challengeOf(answer)
		if !refused || tries == maxAttempts {
			s.noteAccepted(token, answer.StatusCode)
			return answer, nil
		}
		_ = answer.Body.Close() // nobody reads it
		if err := s.getToken(request.Context(), token, wanted); err != nil {
			return nil, err
		}
	}
}

func (s *signIn) noteAccepted(token string, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token != "" && status != http.StatusUnauthorized && s.grant != nil && s.grant.Access == token {
		s.untried = ""
	}
}

func (s *signIn) current() *grant {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.grant
}

// takeTurn waits until no other request gets a token.
func (s *signIn) takeTurn(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.life.Done():
		return s.life.Err()
	}
}

// token returns the token to send, refreshed where it has expired; empty for none.
func (s *signIn) token(ctx context.Context) (string, error) {
	if g := s.current(); !g.isRenewable() {
		return g.token(), nil
	}
	if err := s.takeTurn(ctx); err != nil {
		return "", err
	}
	defer func() { <-s.turn }()
	g := s.current()
	if g.isRenewable() {
		var err error
		if g, err = s.renew(ctx, g); err != nil {
			return "", err
		}
	}
	return g.token(), nil
}

// getToken gets another token than the one that was refused.
func (s *signIn) getToken(ctx context.Context, refused string, wanted challenge) error {
	if err := s.takeTurn(ctx); err != nil {
		return err
	}
	defer func() { <-s.turn }()
	s.mu.Lock()
	g, ended, untried := s.grant, s.ended, s.untried
	s.mu.Unlock()
	switch {
	case g != nil && g.Access != refused && g.Access != "":
		return nil // another request got it meanwhile
	case ended != nil:
		return ended
	case untried == fromUser && wanted.more:
		return s.fault(Forbidden, nil, "%s wants more rights than the sign-in gave: ask those who run it for access", s.host())
	case untried == fromUser:
		return s.fault(Unauthorized, nil, "%s refuses the token that it was just given: ask those who run it", s.host())
	}
	found, err := s.discover(ctx, wanted.metadata)
	if err != nil {
		return err
	}
	if !wanted.more {
		if renewed, err := s.withoutUser(ctx, g, found, untried); renewed || err != nil {
			return err
		}
	}
	if s.options.Later || s.options.Confirm == nil || s.options.Browser == nil {
		s.mu.Lock()
		s.wanted = wanted
		s.mu.Unlock()
		return s.fault(SignInNeeded, nil, "%s wants you to sign in with %s", s.host(), shortText(found.issuer()))
	}
	return s.askUser(ctx, found, wanted)
}

// ask has the user sign in, who wants to.
func (s *signIn) ask(ctx context.Context) error {
	if err := s.takeTurn(ctx); err != nil {
		return err
	}
	defer func() { <-s.turn }()
	s.mu.Lock()
	wanted := s.wanted
	s.ended = nil
	s.mu.Unlock()
	s.asked = 0
	found, err := s.discover(ctx, wanted.metadata)
	if err != nil {
		return err
	}
	if s.options.Confirm == nil || s.options.Browser == nil {
		return s.fault(SignInNeeded, nil, "%s wants you to sign in with %s, and nobody can be asked", s.host(), shortText(found.issuer()))
	}
	return s.askUser(ctx, found, wanted)
}

// endAsking makes a fault the answer of every sign-in from now on.
func (s *signIn) endAsking(fault *Fault) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = fault
	return fault
}

// withoutUser gets a token from what is saved; false where the user has to sign in. The
// token of g, from where untried says, was refused.
func (s *signIn) withoutUser(ctx context.Context, g *grant, found *discovery, untried origin) (bool, error) {
	if g != nil && (g.Issuer != found.issuer() || g.Resource != found.resource) {
		g = nil // another issuer has taken over: what the old one gave goes to nobody
	}
	if g == nil && !s.loaded[found.issuer()] {
		s.loaded[found.issuer()] = true
		if g = s.load(ctx, found); g != nil && !g.isExpired() {
			s.use(g, fromStore)
			return true, nil
		}
	}
	if g == nil || g.Refresh == "" || untried == fromIssuer {
		s.use(nil, "")
		return false, nil
	}
	renewed, err := s.renew(ctx, g)
	return err == nil && renewed.Access != "", err
}

// use makes g what requests are sent with; nil for nothing.
func (s *signIn) use(g *grant, from origin) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grant, s.untried = g, from
}

// load returns the saved grant for what was found; nil where there is none.
func (s *signIn) load(ctx context.Context, found *discovery) *grant {
	key, err := s.options.Tokens.Load(ctx, s.options.Server, found.issuer())
	if err != nil {
		s.options.Log.Warn("the saved sign-in of a remote server is not found", "server", s.options.Server, "error", err)
		return nil
	}
	g, ok := decodeGrant(key)
	if !ok || g.Issuer != found.issuer() || g.Resource != found.resource || g.TokenURL != found.authorization.TokenEndpoint {
		return nil
	}
	for _, value := range []string{g.Access, g.Refresh, g.Client.Secret} {
		s.options.Redactor.Add(value)
	}
	return g
}

// renew refreshes a grant and uses and saves the new one. Where the issuer refuses, the
// result has no access token.
func (s *signIn) renew(ctx context.Context, g *grant) (*grant, error) {
	if other := s.savedByOthers(ctx, g); other != nil {
		g = other
		if !g.isExpired() {
			s.use(g, fromStore)
			return g, nil
		}
	}
	none := *g
	none.Access, none.Refresh = "", ""
	if g.Refresh == "" {
		s.use(&none, "")
		return &none, nil
	}
	renewed, err := s.refresh(ctx, g)
	switch {
	case isOver(err):
		s.options.Log.Info("the sign-in of a remote server has ended", "server", s.options.Server, "issuer", g.Issuer, "reason", tokenReason(err))
		s.use(&none, "")
		return &none, nil
	case err != nil:
		return nil, s.fault(SignInFailed, err, "the sign-in of %s is not renewed: %s", s.options.Server, tokenReason(err))
	}
	s.use(renewed, fromIssuer)
	s.save(ctx, renewed)
	return renewed, nil
}

// savedByOthers returns a newer grant that another process has saved; nil for none. A
// refresh token that was used once is worth nothing any more, or less: some issuers then
// end the whole sign-in.
func (s *signIn) savedByOthers(ctx context.Context, g *grant) *grant {
	key, err := s.options.Tokens.Load(ctx, s.options.Server, g.Issuer)
	if err != nil {
		return nil
	}
	other, ok := decodeGrant(key)
	if !ok || other.Issuer != g.Issuer || other.Resource != g.Resource || other.TokenURL != g.TokenURL ||
		other.Refresh == g.Refresh || !other.Expiry.After(g.Expiry) {
		return nil
	}
	for _, value := range []string{other.Access, other.Refresh, other.Client.Secret} {
		s.options.Redactor.Add(value)
	}
	return other
}

// save saves a grant: without the access token where the keyring takes no more than that.
func (s *signIn) save(ctx context.Context, g *grant) {
	err := s.saveOnce(ctx, g)
	if fault, ok := errors.AsType[*secret.KeyringError](err); ok && fault.Kind == secret.TooBig && g.Refresh != "" {
		small := *g
		small.Access, small.Expiry = "", g.Expiry
		err = s.saveOnce(ctx, &small)
	}
	if err != nil {
		s.options.Log.Warn("the sign-in of a remote server is kept for this session only", "server", s.options.Server, "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sessionOnly = err
}

// forget removes what is saved for an issuer, so that the next sign-in registers once more.
func (s *signIn) forget(ctx context.Context, found *discovery) {
	if err := s.options.Tokens.Delete(ctx, s.options.Server, found.issuer()); err != nil {
		s.options.Log.Warn("the saved sign-in of a remote server is not removed", "server", s.options.Server, "error", err)
	}
}

func (s *signIn) saveOnce(ctx context.Context, g *grant) error {
	key, err := g.encode()
	if err != nil {
		return err
	}
	return s.options.Tokens.Save(ctx, s.options.Server, g.Issuer, key)
}
