package remote

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// issuer is an authorization server, at the same origin as the MCP server it stands
// before. Its fields are set before it is used.
type issuer struct {
	t *testing.T
	// inner is what those with a token reach.
	inner http.Handler
	// change changes the metadata, answer what the browser brings back, and token what
	// is given for the code.
	resource      func(base string, described map[string]any)
	authorization func(base string, described map[string]any)
	answer        func(query url.Values)
	token         func(form url.Values, token map[string]any)
	// refuse reports whether a token is refused though it is right.
	refuse func(request *http.Request) bool

	mu            sync.Mutex
	registrations int
	challenges    map[string]url.Values
	tokens        map[string]bool
	refreshes     map[string]bool
	forms         []url.Values
	served        int
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	return &issuer{t: t, inner: streamable(t), challenges: map[string]url.Values{}, tokens: map[string]bool{}, refreshes: map[string]bool{}}
}

func base(request *http.Request) string {
	if request.TLS != nil {
		return "https://" + request.Host
	}
	return "http://" + request.Host
}

func (i *issuer) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch request.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		described := map[string]any{"resource": base(request) + "/mcp", "authorization_servers": []string{base(request)}, "scopes_supported": []string{"read", "write"}}
		if i.resource != nil {
			i.resource(base(request), described)
		}
		writeJSON(w, http.StatusOK, described)
	case "/.well-known/oauth-authorization-server":
		described := map[string]any{
			"issuer": base(request), "authorization_endpoint": base(request) + "/authorize", "token_endpoint": base(request) + "/token",
			"registration_endpoint": base(request) + "/register", "response_types_supported": []string{"code"},
			"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
			"authorization_response_iss_parameter_supported": true,
		}
		if i.authorization != nil {
			i.authorization(base(request), described)
		}
		writeJSON(w, http.StatusOK, described)
	case "/register":
		i.registrations++
		writeJSON(w, http.StatusCreated, map[string]any{"client_id": "client-1", "token_endpoint_auth_method": "none"})
	case "/authorize":
		i.authorize(w, request)
	case "/token":
		i.giveToken(w, request)
	case "/mcp":
		token, _ := strings.CutPrefix(request.Header.Get("Authorization"), "Bearer ")
		if !i.tokens[token] || i.refuse != nil && i.refuse(request) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		i.served++
		i.mu.Unlock()
		defer i.mu.Lock()
		i.inner.ServeHTTP(w, request)
	default:
		http.NotFound(w, request)
	}
}

func (i *issuer) authorize(w http.ResponseWriter, request *http.Request) {
	query := request.URL.Query()
	code := "code-" + query.Get("code_challenge")
	i.challenges[code] = query
	answer := url.Values{"code": {code}, "state": {query.Get("state")}, "iss": {base(request)}}
	if i.answer != nil {
		i.answer(answer)
	}
	http.Redirect(w, request, query.Get("redirect_uri")+"?"+answer.Encode(), http.StatusFound)
}

func (i *issuer) giveToken(w http.ResponseWriter, request *http.Request) {
	if err := request.ParseForm(); err != nil {
		i.t.Error(err)
	}
	form := request.PostForm
	i.forms = append(i.forms, form)
	asked, known := i.challenges[form.Get("code")]
	switch {
	case form.Get("grant_type") == "refresh_token" && i.refreshes[form.Get("refresh_token")]:
		delete(i.refreshes, form.Get("refresh_token"))
	case form.Get("grant_type") == "authorization_code" && known && challengeFor(form.Get("code_verifier")) == asked.Get("code_challenge"):
	default:
		writeJSON(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	access, refresh := "access-canary-"+secretText(), "refresh-canary-"+secretText()
	i.tokens[access], i.refreshes[refresh] = true, true
	token := map[string]any{"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": 3600, "scope": asked.Get("scope")}
	if i.token != nil {
		i.token(form, token)
	}
	writeJSON(w, http.StatusOK, token)
}

// forgetTokens ends all access tokens.
func (i *issuer) forgetTokens() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.tokens = map[string]bool{}
}

// user answers questions, and is the browser.
type user struct {
	t         *testing.T
	no        bool
	mu        sync.Mutex
	questions []Question
	// visit is what the browser does; nil follows the address to its end.
	visit func(address string) error
	// pages are what the browser showed at the end.
	pages []string
	done  sync.WaitGroup
}

func newUser(t *testing.T) *user {
	u := &user{t: t}
	t.Cleanup(u.done.Wait)
	return u
}

// with has the user be asked.
func (u *user) with(o *Options) {
	o.Confirm = func(_ context.Context, question Question) bool {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.questions = append(u.questions, question)
		return !u.no
	}
	o.Browser = func(address string) error {
		if u.visit != nil {
			return u.visit(address)
		}
		u.done.Go(func() { u.get(address) })
		return nil
	}
}

// get opens an address in the browser.
func (u *user) get(address string) {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get(address)
	if err != nil {
		u.t.Error(err)
		return
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		u.t.Error(err)
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.pages = append(u.pages, answer.Status+"\n"+string(text))
}

func (u *user) asked() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.questions)
}
