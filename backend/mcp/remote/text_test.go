package remote

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"golang.org/x/oauth2"
)

func challengeFor(verifier string) string { return oauth2.S256ChallengeFromVerifier(verifier) }

// methodOf returns the method of a message, which can be read again.
func methodOf(t *testing.T, request *http.Request) string {
	t.Helper()
	text, err := io.ReadAll(request.Body)
	if err != nil {
		t.Error(err)
	}
	request.Body = io.NopCloser(bytes.NewReader(text))
	var message struct {
		Method string `json:"method"`
	}
	_ = json.Unmarshal(text, &message) // none has no method
	return message.Method
}

func secretText() string { return rand.Text() }

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
