package remote

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Each row is an issuer, or what comes back from it, that nobody is signed in with.
func TestEXT01_HostileIssuers(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*issuer)
		code   Code
		words  string
		asked  int
	}{
		"metadata of another issuer": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { d["issuer"] = "https://other.example.com" }
		}, SignInFailed, `does not match issuer`, 0},
		"metadata of another resource": {func(i *issuer) {
			i.resource = func(_ string, d map[string]any) { d["resource"] = "https://other.example.com/mcp" }
		}, SignInFailed, `"https://other.example.com/mcp", which is another server`, 0},
		"metadata of a longer path": {func(i *issuer) {
			i.resource = func(base string, d map[string]any) { d["resource"] = base + "/mcp/more" }
		}, SignInFailed, `which is another server`, 0},
		"no issuer": {func(i *issuer) {
			i.resource = func(_ string, d map[string]any) { delete(d, "authorization_servers") }
		}, SignInFailed, `names nobody to sign in with`, 0},
		"no PKCE": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { delete(d, "code_challenge_methods_supported") }
		}, SignInFailed, `does not implement PKCE`, 0},
		"issuer at a private address": {func(i *issuer) {
			i.resource = func(_ string, d map[string]any) { d["authorization_servers"] = []string{"https://10.0.0.1"} }
		}, SignInFailed, `10.0.0.1, a private network`, 0},
		"issuer at the metadata address": {func(i *issuer) {
			i.resource = func(_ string, d map[string]any) { d["authorization_servers"] = []string{"http://169.254.169.254"} }
		}, SignInFailed, `169.254.169.254`, 0},
		"issuer in a file": {func(i *issuer) {
			i.resource = func(_ string, d map[string]any) { d["authorization_servers"] = []string{"file:///etc/passwd"} }
		}, SignInFailed, `neither with http:// nor with https://`, 0},
		"sign-in at a private address": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { d["authorization_endpoint"] = "https://192.168.0.1/apply" }
		}, SignInFailed, `non-public address`, 0},
		"sign-in by a script": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { d["authorization_endpoint"] = "javascript:alert(1)" }
		}, SignInFailed, `disallowed scheme`, 0},
		"tokens at a private address": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { d["token_endpoint"] = "https://172.16.0.1/token" }
		}, SignInFailed, `non-public address`, 0},
		"registration at a special address": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { d["registration_endpoint"] = "https://198.18.0.1/register" }
		}, SignInFailed, `no address of the public internet`, 0},
		"no registration": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { delete(d, "registration_endpoint") }
		}, SignInFailed, `give its client id to notes`, 0},
		"huge metadata": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { d["more"] = strings.Repeat("x", 2<<20) }
		}, SignInFailed, `more than 1 MiB`, 0},
		"wrong iss": {func(i *issuer) {
			i.answer = func(q url.Values) { q.Set("iss", "https://other.example.com") }
		}, SignInFailed, `comes from another issuer, "https://other.example.com"`, 1},
		"no iss": {func(i *issuer) {
			i.answer = func(q url.Values) { q.Del("iss") }
		}, SignInFailed, `does not name the issuer`, 1},
		"iss that was not announced": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { delete(d, "authorization_response_iss_parameter_supported") }
		}, SignInFailed, `which it did not announce`, 1},
		"wrong state": {func(i *issuer) {
			i.answer = func(q url.Values) { q.Set("state", "guessed") }
		}, SignInFailed, `belongs to another sign-in`, 1},
		"two codes": {func(i *issuer) {
			i.answer = func(q url.Values) { q.Add("code", "another") }
		}, SignInFailed, `says something twice`, 1},
		"no code": {func(i *issuer) {
			i.answer = func(q url.Values) { q.Del("code") }
		}, SignInFailed, `has no code`, 1},
		"a no in the browser": {func(i *issuer) {
			i.answer = func(q url.Values) {
				q.Del("code")
				q.Set("error", "access_denied")
				q.Set("error_description", "<b>no</b>\n\x1b[31m")
			}
		}, SignInDeclined, `it says "access_denied: <b>no</b> [31m"`, 1},
		"another type of token": {func(i *issuer) {
			i.token = func(_ url.Values, token map[string]any) { token["token_type"] = "mac" }
		}, SignInFailed, `one of the type "mac"`, 1},
		"a token that is none": {func(i *issuer) {
			i.token = func(_ url.Values, token map[string]any) { token["access_token"] = "a\r\nX-Injected: 1" }
		}, SignInFailed, `characters that no token has`, 1},
		"no token": {func(i *issuer) {
			i.token = func(_ url.Values, token map[string]any) { delete(token, "access_token") }
		}, SignInFailed, `missing access_token`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			i, u := newIssuer(t), newUser(t)
			test.change(i)
			s := open(t, serve(t, i).URL+"/mcp", u.with)
			wantFault(t, s, test.code, test.words)
			if u.asked() != test.asked {
				t.Errorf("asked %d times", u.asked())
			}
			if i.served != 0 {
				t.Error("it was served")
			}
			u.done.Wait()
			if len(u.pages) > 0 && strings.Contains(u.pages[0], "<b>") {
				t.Errorf("the page has a text of the issuer: %s", u.pages[0])
			}
		})
	}
}

func TestEXT01_DiscoveryThatRedirectsForEverEnds(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	hops := 0
	handler := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if strings.HasPrefix(request.URL.Path, "/.well-known/oauth-authorization-server") {
			hops++
			http.Redirect(w, request, request.URL.Path+"x", http.StatusFound)
			return
		}
		i.ServeHTTP(w, request)
	})
	s := open(t, serve(t, handler).URL+"/mcp", u.with)
	wantFault(t, s, SignInFailed, "redirects more than 5 times")
	if hops > 20 {
		t.Errorf("%d redirects were followed", hops)
	}
}

func TestEXT01_TokensAreNotRedirected(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	stolen := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		t.Errorf("%s %s was reached", request.Method, request.URL)
	}))
	handler := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/token" {
			http.Redirect(w, request, stolen.URL, http.StatusTemporaryRedirect)
			return
		}
		i.ServeHTTP(w, request)
	})
	wantFault(t, open(t, serve(t, handler).URL+"/mcp", u.with), Redirected, "redirects a request for tokens, which is not followed")
}

// What a public server names is public, too, whatever leads there.
func TestEXT01_IssuersThatLeadInside(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*issuer)
		words  string
	}{
		"by a name": {func(i *issuer) {
			i.resource = func(_ string, d map[string]any) { d["authorization_servers"] = []string{"https://inside.example.com"} }
		}, "10.0.0.1, a private network"},
		"this computer": {func(i *issuer) {
			i.resource = func(_ string, d map[string]any) { d["authorization_servers"] = []string{"http://localhost:9000"} }
		}, "leads to this computer"},
		"tokens by a name": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { d["token_endpoint"] = "https://inside.example.com/token" }
		}, "10.0.0.1, a private network"},
		"tokens of this computer": {func(i *issuer) {
			i.authorization = func(_ string, d map[string]any) { d["token_endpoint"] = "http://127.0.0.1:9000/token" }
		}, "127.0.0.1, an address of this computer"},
	} {
		t.Run(name, func(t *testing.T) {
			i, u := newIssuer(t), newUser(t)
			test.change(i)
			site := newSite(t, i)
			u.visit = func(address string) error {
				// The browser of the test knows no names.
				asked, err := url.Parse(address)
				if err != nil {
					return err
				}
				query := asked.Query()
				i.mu.Lock()
				i.challenges["code"] = query
				i.mu.Unlock()
				answer := url.Values{"code": {"code"}, "state": {query.Get("state")}, "iss": {site.at("mcp.example.com", "")}}
				u.done.Go(func() { u.get(query.Get("redirect_uri") + "?" + answer.Encode()) })
				return nil
			}
			s := site.openAt(t, site.at("mcp.example.com", "/mcp"), map[string]string{"inside.example.com": "10.0.0.1"}, u.with)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			_, err := connect(ctx, t, s)
			if err == nil || !strings.Contains(s.Explain(err).Text, test.words) {
				t.Errorf("got %v, want %q", err, test.words)
			}
		})
	}
}

func TestEXT01_DiscoveryThatRedirectsInside(t *testing.T) {
	i, u := newIssuer(t), newUser(t)
	handler := http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if strings.HasPrefix(request.URL.Path, "/.well-known/oauth-protected-resource") {
			http.Redirect(w, request, "http://169.254.169.254/latest/meta-data/", http.StatusFound)
			return
		}
		i.ServeHTTP(w, request)
	})
	wantFault(t, open(t, serve(t, handler).URL+"/mcp", u.with), SignInFailed, "169.254.169.254, an address of the local network")
}
