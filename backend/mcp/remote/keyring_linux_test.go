package remote

import (
	"encoding/base64"
	"os"
	"os/exec"
	"strings"
	"testing"

	"fairlead/backend/secret/secrettest"
)

// signInAs has a process of its own sign in.
func signInAs(t *testing.T, l *secrettest.Login, address, want string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(l.Env[:len(l.Env):len(l.Env)], asChild+"="+address)
	output, err := cmd.CombinedOutput()
	if got := strings.TrimSpace(string(output)); err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestSEC01_TokensLieInTheKeyring(t *testing.T) {
	secrettest.Need(t, "secret-tool")
	l := secrettest.NewLogin(t)
	l.StartKeyring()
	i := newIssuer(t)
	site := serve(t, i)
	address := site.URL + "/mcp"
	signInAs(t, l, address, "asked 1 times, kept in the keyring")
	signInAs(t, l, address, "asked 0 times, kept in the keyring")

	lookup := exec.Command("secret-tool", "lookup", "service", "fairlead", "username", "mcp:notes@"+site.URL)
	lookup.Env = l.Env
	kept, err := lookup.Output()
	if err != nil {
		t.Fatal("one entry for the server and its issuer: ", err)
	}
	if text, err := base64.RawURLEncoding.DecodeString(string(kept)); err != nil || !strings.Contains(string(text), "refresh-canary-") {
		t.Errorf("the keyring has %.20q, %v", text, err)
	}

	// What is refreshed is kept, too: a refresh token is worth nothing the second time.
	i.forgetTokens()
	signInAs(t, l, address, "asked 0 times, kept in the keyring")
	i.forgetTokens()
	signInAs(t, l, address, "asked 0 times, kept in the keyring")
}

func TestSEC01_WithoutAKeyringTokensAreKeptInMemory(t *testing.T) {
	l := secrettest.NewLogin(t)
	address := serve(t, newIssuer(t)).URL + "/mcp"
	signInAs(t, l, address, "asked 1 times, kept in memory, as the keyring is absent")
	signInAs(t, l, address, "asked 1 times, kept in memory, as the keyring is absent")
}
