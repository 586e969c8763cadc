package remote

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestEXT01_SigningIn(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	site := serve(t, i)
	tokens := &memoryTokens{}
	s := open(t, site.URL+"/mcp", u.with, func(o *Options) { o.Tokens = tokens })
	wantEcho(t, s)
	if u.asked() != 1 || i.registrations != 1 {
		t.Fatalf("asked %d times, registered %d times", u.asked(), i.registrations)
	}
	question := u.questions[0]
	asked, err := url.Parse(question.URL)
	if err != nil {
		t.Fatal(err)
	}
	query := asked.Query()
	if question.Issuer != site.URL || question.Server != "notes" || !slices.Equal(question.Scopes, []string{"read", "write"}) ||
		query.Get("code_challenge_method") != "S256" || query.Get("resource") != site.URL+"/mcp" ||
		!strings.HasPrefix(query.Get("redirect_uri"), "http://127.0.0.1:") || !strings.HasSuffix(query.Get("redirect_uri"), "/callback") {
		t.Errorf("asked %+v", question)
	}
	if form := i.forms[0]; form.Get("resource") != site.URL+"/mcp" || form.Get("client_id") != "client-1" {
		t.Errorf("the token was asked for with %v", form)
	}
	u.done.Wait()
	if len(u.pages) != 1 || !strings.Contains(u.pages[0], "You can close this page") || !strings.Contains(u.pages[0], "可以关闭此页面") {
		t.Errorf("the browser showed %q", u.pages)
	}
	state, ok := s.SignedIn()
	if !ok || state.Issuer != site.URL || state.SessionOnly != nil {
		t.Errorf("signed in: %+v, %v", state, ok)
	}
	for token := range i.tokens {
		if got := s.options.Redactor.String("a " + token); strings.Contains(got, token) {
			t.Error("the token is not redacted")
		}
	}

	// The next start has what was saved, and asks nobody.
	later := open(t, site.URL+"/mcp", func(o *Options) { o.Tokens = tokens })
	wantEcho(t, later)
	if u.asked() != 1 || i.registrations != 1 {
		t.Errorf("asked %d times, registered %d times", u.asked(), i.registrations)
	}
	// A token that has ended is refreshed.
	i.forgetTokens()
	wantEcho(t, later)
	last := i.forms[len(i.forms)-1]
	if last.Get("grant_type") != "refresh_token" || last.Get("resource") != site.URL+"/mcp" || u.asked() != 1 {
		t.Errorf("asked with %v, and the user %d times", last, u.asked())
	}
	// And another process that still has the old one takes the new one.
	refreshed := len(i.forms)
	s.signIn.mu.Lock()
	s.signIn.grant.Expiry = time.Now()
	s.signIn.mu.Unlock()
	wantEcho(t, s)
	if len(i.forms) != refreshed {
		t.Errorf("a refresh token was used twice: %v", i.forms[refreshed:])
	}
}

func TestEXT01_WithoutAnybodyToAskASignInIsNeeded(t *testing.T) {
	i := newIssuer(t)
	s := open(t, serve(t, i).URL+"/mcp")
	wantFault(t, s, SignInNeeded, "wants you to sign in with http://127.0.0.1:")
	if i.registrations != 0 {
		t.Error("it registered")
	}
}

func TestEXT01_TheUserIsAskedLater(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	s := open(t, serve(t, i).URL+"/mcp", u.with, func(o *Options) { o.Later = true })
	wantFault(t, s, SignInNeeded, "wants you to sign in")
	u.no = true
	checkFault(t, s, s.SignIn(t.Context()), SignInDeclined, "you said no")
	if u.no = false; u.asked() != 1 {
		t.Errorf("asked %d times", u.asked())
	}
	if err := s.SignIn(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantEcho(t, s)
	if u.asked() != 2 {
		t.Errorf("asked %d times", u.asked())
	}
}

func TestEXT01_AnEndedSignInIsAskedForOnce(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	s := open(t, serve(t, i).URL+"/mcp", u.with)
	session := wantEcho(t, s)
	i.mu.Lock()
	i.refreshes = map[string]bool{}
	i.mu.Unlock()
	i.forgetTokens()
	if text, err := callEcho(t.Context(), session, "again"); err != nil || text != "again" {
		t.Fatalf("got %q, %v", text, err)
	}
	if u.asked() != 2 || i.registrations != 1 {
		t.Errorf("asked %d times, registered %d times", u.asked(), i.registrations)
	}
}

func TestEXT01_CallsAtOnceAskOnce(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	s := open(t, serve(t, i).URL+"/mcp", u.with)
	session := wantEcho(t, s)
	i.mu.Lock()
	i.refreshes = map[string]bool{}
	i.mu.Unlock()
	i.forgetTokens()
	var calls sync.WaitGroup
	for range 5 {
		calls.Go(func() {
			if text, err := callEcho(t.Context(), session, "again"); err != nil || text != "again" {
				t.Errorf("got %q, %v", text, err)
			}
		})
	}
	calls.Wait()
	if u.asked() != 2 {
		t.Errorf("asked %d times", u.asked())
	}
}

func TestEXT01_AnOldServerWithASignIn(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	server := newNotes(t)
	i.inner = mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil)
	wantEcho(t, open(t, serve(t, i).URL+"/mcp", u.with, sse))
	if u.asked() != 1 {
		t.Errorf("asked %d times", u.asked())
	}
}

func TestEXT01_A401ForEverEnds(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	i.refuse = func(*http.Request) bool { return true }
	s := open(t, serve(t, i).URL+"/mcp", u.with)
	wantFault(t, s, Unauthorized, "refuses the token that it was just given")
	wantFault(t, s, Unauthorized, "refuses the token that it was just given")
	if u.asked() != 1 {
		t.Errorf("asked %d times", u.asked())
	}
}

func TestEXT01_A401WithoutASignInIsExplained(t *testing.T) {
	u := newUser(t)
	handler := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/mcp" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		http.NotFound(w, request)
	})
	wantFault(t, open(t, serve(t, handler).URL+"/mcp", u.with), SignInFailed, "wants a key or a sign-in and offers no sign-in: give the key as a header of notes")
	withKey := open(t, serve(t, handler).URL+"/mcp", u.with, header("Authorization", "Bearer canary-key"))
	wantFault(t, withKey, Unauthorized, "refuses the key that was sent (401)")
	if u.asked() != 0 {
		t.Error("the user was asked")
	}
}

func TestEXT01_ANoIsANo(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	u.no = true
	s := open(t, serve(t, i).URL+"/mcp", u.with)
	wantFault(t, s, SignInDeclined, "you said no")
	wantFault(t, s, SignInDeclined, "you said no")
	if u.asked() != 1 {
		t.Errorf("asked %d times", u.asked())
	}
}

func TestEXT01_MoreScopes(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	calls := i.inner
	wanted := true
	i.inner = http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if wanted && methodOf(t, request) == "tools/call" {
			wanted = false
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="admin"`)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		calls.ServeHTTP(w, request)
	})
	wantEcho(t, open(t, serve(t, i).URL+"/mcp", u.with))
	if u.asked() != 2 || !slices.Equal(u.questions[1].Scopes, []string{"admin", "read", "write"}) {
		t.Errorf("asked %+v", u.questions)
	}
}

func TestEXT01_MoreScopesForEverEnd(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	calls := i.inner
	i.inner = http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if methodOf(t, request) == "tools/call" {
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="admin"`)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		calls.ServeHTTP(w, request)
	})
	s := open(t, serve(t, i).URL+"/mcp", u.with)
	session, err := connect(t.Context(), t, s)
	if err != nil {
		t.Fatal(err)
	}
	_, err = callEcho(t.Context(), session, "x")
	checkFault(t, s, err, Forbidden, "wants more rights than the sign-in gave")
	if u.asked() != 2 {
		t.Errorf("asked %d times", u.asked())
	}
}

func TestEXT01_NobodyComesBack(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	u.visit = func(string) error { return nil }
	s := open(t, serve(t, i).URL+"/mcp", u.with)
	s.signInWait = 50 * time.Millisecond
	wantFault(t, s, SignInFailed, "nothing came back from the browser in time")

	ctx, cancel := context.WithCancel(t.Context())
	u.visit = func(string) error {
		cancel()
		return nil
	}
	cancelled := open(t, serve(t, newIssuer(t)).URL+"/mcp", u.with)
	_, err := connect(ctx, t, cancelled)
	checkFault(t, cancelled, err, Cancelled)

	u.visit = func(string) error { return errors.New("there is no browser") }
	wantFault(t, open(t, serve(t, newIssuer(t)).URL+"/mcp", u.with), SignInFailed, "the browser is not opened: there is no browser")
}

func TestEXT01_TheFirstAnswerOfTheBrowserCounts(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	u.visit = func(address string) error {
		asked, err := url.Parse(address)
		if err != nil {
			return err
		}
		back := asked.Query().Get("redirect_uri")
		// What is no answer changes nothing.
		for _, noise := range []string{strings.Replace(back, "127.0.0.1", "localhost", 1) + "?state=x", strings.TrimSuffix(back, "callback") + "favicon.ico"} {
			answer, err := http.Get(noise)
			if err != nil {
				return err
			}
			answer.Body.Close()
			if answer.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s", noise, answer.Status)
			}
		}
		u.done.Go(func() {
			u.get(address)
		})
		return nil
	}
	defer http.DefaultClient.CloseIdleConnections()
	wantEcho(t, open(t, serve(t, i).URL+"/mcp", u.with))
}

func TestEXT01_ASecondAnswerOfTheBrowserIsRefused(t *testing.T) {
	listener, err := listen(0)
	if err != nil {
		t.Fatal(err)
	}
	back := newCallback(listener, "right")
	u := newUser(t)
	address := redirectOf(listener)
	u.get(address + "?state=right&code=first")
	u.get(address + "?state=right&code=second")
	got, err := back.wait(t.Context())
	if err != nil || got.code != "first" {
		t.Errorf("got %+v, %v", got, err)
	}
	back.close()
	if !strings.HasPrefix(u.pages[0], "200") || !strings.HasPrefix(u.pages[1], "410") {
		t.Errorf("the browser showed %q", u.pages)
	}
}

func TestEXT01_AClientOfTheUserRegistersNothing(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	s := open(t, serve(t, i).URL+"/mcp", u.with, func(o *Options) { o.Client = &Client{ID: "given"} })
	wantEcho(t, s)
	if i.registrations != 0 || i.forms[0].Get("client_id") != "given" {
		t.Errorf("registered %d times, asked with %v", i.registrations, i.forms[0])
	}
}

func TestEXT01_TokensGoToNobodyElse(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	old := serve(t, i)
	tokens := &memoryTokens{}
	wantEcho(t, open(t, old.URL+"/mcp", u.with, func(o *Options) { o.Tokens = tokens }))

	// Another server says that the same issuer gives its tokens.
	thief := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if strings.HasPrefix(request.URL.Path, "/.well-known/oauth-protected-resource") {
			writeJSON(w, http.StatusOK, map[string]any{"resource": base(request) + "/mcp", "authorization_servers": []string{old.URL}})
			return
		}
		if got := request.Header.Get("Authorization"); got != "" {
			t.Errorf("it was given %q", got)
		}
		w.WriteHeader(http.StatusUnauthorized)
	})
	s := open(t, serve(t, thief).URL+"/mcp", func(o *Options) { o.Tokens = tokens })
	wantFault(t, s, SignInNeeded)
}
