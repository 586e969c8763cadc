package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"

	"github.com/rogpeppe/go-internal/testscript"
)

// issuer is an authorization server on this computer that agrees to everything, with a resource,
// which is beside it.
type issuer struct {
	url string
	// next is what those are shown that have a token.
	next http.Handler
}

const accessToken = "token-0123456789-of-the-user"

func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := func(value map[string]any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(value)
	}
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp":
		answer(map[string]any{"resource": i.url + "/mcp", "authorization_servers": []string{i.url}, "scopes_supported": []string{"notes.read"}})
	case "/.well-known/oauth-authorization-server":
		answer(map[string]any{
			"issuer": i.url, "authorization_endpoint": i.url + "/authorize", "token_endpoint": i.url + "/token",
			"registration_endpoint": i.url + "/register", "response_types_supported": []string{"code"},
			"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
		})
	case "/register":
		var asked map[string]any
		_ = json.NewDecoder(r.Body).Decode(&asked)
		asked["client_id"] = "fairlead-here"
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(asked)
	case "/authorize":
		to := r.URL.Query().Get("redirect_uri") + "?" + url.Values{"code": {"once"}, "state": {r.URL.Query().Get("state")}}.Encode()
		http.Redirect(w, r, to, http.StatusFound)
	case "/token":
		answer(map[string]any{"access_token": accessToken, "token_type": "Bearer", "expires_in": 3600})
	case "/mcp":
		if r.Header.Get("Authorization") != "Bearer "+accessToken {
			w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer resource_metadata=%q", i.url+"/.well-known/oauth-protected-resource/mcp"))
			http.Error(w, "sign in", http.StatusUnauthorized)
			return
		}
		i.next.ServeHTTP(w, r)
	default:
		http.NotFound(w, r)
	}
}

// startIssuer starts a server elsewhere that wants the user to sign in, and sets SERVER_URL to its
// address.
func startIssuer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: signed-in")
	}
	i := &issuer{next: greeter()}
	listening := httptest.NewUnstartedServer(i)
	i.url = "http://" + listening.Listener.Addr().String() // before anybody can ask
	listening.Start()
	ts.Defer(func() {
		listening.CloseClientConnections()
		listening.Close()
	})
	ts.Setenv("SERVER_URL", i.url+"/mcp")
}

// browse is a browser: it goes where it is sent.
func browse() {
	response, err := http.Get(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = response.Body.Close()
}
