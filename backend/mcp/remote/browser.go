package remote

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"fairlead/backend/publicnet"
)

var errNoAnswer = errors.New("nothing came back from the browser in time")

func splitScopes(text string) []string {
	if scopes := strings.Fields(text); len(scopes) > 0 {
		return scopes
	}
	return nil
}

// askUser has the user sign in, in the browser. A no is one until the user wants to be
// asked again.
func (s *signIn) askUser(ctx context.Context, found *discovery, wanted challenge) error {
	if s.asked >= maxSignIns {
		return s.fault(SignInFailed, nil, "%s asks for a sign-in time and again: ask those who run it", s.host())
	}
	g, err := s.signInByBrowser(ctx, found, s.scopesFor(found, wanted))
	if err != nil {
		if fault, ok := errors.AsType[*Fault](err); ok {
			return s.endAsking(fault)
		}
		if ctx.Err() != nil || s.life.Err() != nil {
			return err
		}
		return s.endAsking(s.fault(SignInFailed, err, "the sign-in of %s with %s failed: %s", s.options.Server, shortText(found.issuer()), tokenReason(err)))
	}
	s.use(g, fromUser)
	s.loaded[g.Issuer] = true
	s.save(ctx, g)
	s.options.Log.Info("signed in to a remote server", "server", s.options.Server, "issuer", g.Issuer, "scopes", g.Scopes)
	return nil
}

// scopesFor returns the scopes to ask for: those that the server wants, and those that
// were granted already; offline_access, where the issuer knows it, gives a refresh token.
func (s *signIn) scopesFor(found *discovery, wanted challenge) []string {
	scopes := slices.Clone(wanted.scopes)
	if scopes == nil {
		scopes = slices.Clone(found.scopes)
	}
	if g := s.current(); g != nil && g.Issuer == found.issuer() && wanted.more {
		scopes = append(scopes, g.Scopes...)
	}
	if slices.Contains(found.authorization.ScopesSupported, "offline_access") {
		scopes = append(scopes, "offline_access")
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}

// signInByBrowser asks the user, opens the browser, and gets tokens for what comes back.
func (s *signIn) signInByBrowser(ctx context.Context, found *discovery, scopes []string) (*grant, error) {
	// In one spelling, for the user to read.
	place, err := publicnet.Parse(found.authorization.AuthorizationEndpoint)
	if err != nil {
		return nil, err
	}
	listener, client, err := s.prepareClient(ctx, found)
	if err != nil {
		return nil, err
	}
	back := newCallback(listener, rand.Text())
	defer back.close()
	g := &grant{Issuer: found.issuer(), Resource: found.resource, TokenURL: found.authorization.TokenEndpoint, Client: client, Scopes: scopes}
	config := g.config()
	config.Endpoint.AuthURL, config.RedirectURL, config.Scopes = place.URL.String(), client.Redirect, scopes
	verifier := oauth2.GenerateVerifier()
	address := config.AuthCodeURL(back.state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", found.resource))
	s.asked++
	if !s.options.Confirm(ctx, Question{Server: s.options.Server, Issuer: found.issuer(), URL: address, Scopes: scopes}) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, s.fault(SignInDeclined, nil, "%s was not signed in to: you said no", s.options.Server)
	}
	waiting, cancel := context.WithTimeoutCause(ctx, s.signInWait, errNoAnswer)
	defer cancel()
	stop := context.AfterFunc(s.life, cancel)
	defer stop()
	g, err = s.askBrowser(waiting, back, address, found, func(code string) (*grant, error) {
		return s.exchange(ctx, g, config, code, oauth2.VerifierOption(verifier))
	})
	if err != nil && ctx.Err() == nil {
		// An issuer that has forgotten this program says so in the browser only.
		s.forget(ctx, found)
	}
	return g, err
}

// askBrowser opens the browser, and has what comes back exchanged.
func (s *signIn) askBrowser(ctx context.Context, back *callback, address string, found *discovery, exchange func(code string) (*grant, error)) (*grant, error) {
	if err := s.options.Browser(address); err != nil {
		return nil, fmt.Errorf("the browser is not opened: %w", err)
	}
	answer, err := back.wait(ctx)
	if err != nil {
		return nil, err
	}
	if answer.problem != "" {
		return nil, s.fault(SignInDeclined, nil, "%s did not sign you in: it says %q", shortText(found.issuer()), shortText(answer.problem))
	}
	if err := checkIss(answer.issuer, found); err != nil {
		return nil, err
	}
	return exchange(answer.code)
}

// checkIss refuses an answer of another issuer than the one that was asked (RFC 9207).
func checkIss(iss string, found *discovery) error {
	announced := found.authorization.AuthorizationResponseIssParameterSupported
	switch {
	case iss == "" && announced:
		return errors.New("the answer does not name the issuer, as it has to")
	case iss != "" && iss != found.issuer():
		return fmt.Errorf("the answer comes from another issuer, %.200q", iss)
	case iss != "" && !announced:
		return errors.New("the answer names the issuer, which it did not announce")
	}
	return nil
}

// prepareClient listens for the browser, and returns this program as the issuer knows it:
// as the user gave it, as it was registered before, or newly registered.
func (s *signIn) prepareClient(ctx context.Context, found *discovery) (net.Listener, registration, error) {
	if given := s.options.Client; given != nil {
		listener, err := listen(given.Port)
		if err != nil {
			return nil, registration{}, err
		}
		return listener, registration{
			ID: given.ID, Secret: given.Secret.Reveal(), Redirect: redirectOf(listener),
			Style: chooseStyle(found.authorization.TokenEndpointAuthMethodsSupported, given.Secret.Reveal() != ""),
		}, nil
	}
	if saved := s.load(ctx, found); saved != nil {
		if listener, err := listen(portOf(saved.Client.Redirect)); err == nil {
			return listener, saved.Client, nil
		}
	}
	listener, err := listen(0)
	if err != nil {
		return nil, registration{}, err
	}
	client, err := s.register(ctx, found, redirectOf(listener))
	if err != nil {
		_ = listener.Close() // nobody was sent there
		return nil, registration{}, err
	}
	return listener, client, nil
}

// register makes this program known to an issuer (RFC 7591).
func (s *signIn) register(ctx context.Context, found *discovery, redirect string) (registration, error) {
	a := found.authorization
	if a.RegistrationEndpoint == "" {
		return registration{}, s.fault(SignInFailed, nil, "%s registers no programs by itself: register one there, and give its client id to %s", shortText(a.Issuer), s.options.Server)
	}
	answer, err := oauthex.RegisterClient(ctx, a.RegistrationEndpoint, &oauthex.ClientRegistrationMetadata{
		RedirectURIs: []string{redirect}, ClientName: agent, ApplicationType: "native",
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
		TokenEndpointAuthMethod: chooseMethod(a.TokenEndpointAuthMethodsSupported),
	}, s.sender)
	switch {
	case err != nil && !found.described:
		return registration{}, s.fault(SignInFailed, err, "%s wants a key or a sign-in and offers no sign-in: give the key as a header of %s", s.host(), s.options.Server)
	case err != nil:
		return registration{}, fmt.Errorf("the registration fails: %w", err)
	}
	s.options.Redactor.Add(answer.ClientSecret)
	return registration{ID: answer.ClientID, Secret: answer.ClientSecret, Redirect: redirect, Style: styleOf(answer)}, nil
}

// chooseMethod returns how this program shows who it is: preferably without a secret, as
// it could not keep one.
func chooseMethod(supported []string) string {
	for _, method := range []string{"none", "client_secret_post", "client_secret_basic"} {
		if slices.Contains(supported, method) {
			return method
		}
	}
	return "none"
}

// chooseStyle returns how a client that the user gave shows who it is.
func chooseStyle(supported []string, hasSecret bool) oauth2.AuthStyle {
	if hasSecret && !slices.Contains(supported, "client_secret_post") {
		return oauth2.AuthStyleInHeader // the method of those who name none, too
	}
	return oauth2.AuthStyleInParams
}

// styleOf returns how a client shows who it is that was registered.
func styleOf(answer *oauthex.ClientRegistrationResponse) oauth2.AuthStyle {
	if answer.ClientSecret != "" && (answer.TokenEndpointAuthMethod == "client_secret_basic" || answer.TokenEndpointAuthMethod == "") {
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleInParams
}

// listen listens for the browser at a port of this computer, 0 for any.
func listen(port int) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("the answer of the browser cannot be waited for: %w", err)
	}
	return listener, nil
}

func redirectOf(listener net.Listener) string {
	return "http://" + listener.Addr().String() + callbackPath
}

// portOf returns the port of a redirect address; 0 for none.
func portOf(redirect string) int {
	u, err := url.Parse(redirect)
	if err != nil {
		return 0
	}
	port, _ := strconv.Atoi(u.Port()) // none is 0
	return port
}
