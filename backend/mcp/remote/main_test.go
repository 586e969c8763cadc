package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"fairlead/backend/secret"
)

// asChild has the address of a server that a process of this test is to sign in to. A
// process of its own has the keyring that its environment names.
const asChild = "FAIRLEAD_TEST_SIGN_IN"

func TestMain(m *testing.M) {
	if address := os.Getenv(asChild); address != "" {
		fmt.Println(child(address))
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// child signs in, calls a tool, and says how often the user was asked and where the tokens
// are.
func child(address string) string {
	ctx, asked := context.Background(), 0
	s, err := Open(Options{
		Server: "notes", URL: address, Kind: HTTP, Private: true, Tokens: NewKeyringTokens(secret.NewKeys()),
		Redactor: &secret.Redactor{}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Confirm: func(context.Context, Question) bool {
			asked++
			return true
		},
		Browser: func(address string) error {
			go func() {
				if answer, err := http.Get(address); err == nil {
					answer.Body.Close()
				}
			}()
			return nil
		},
	})
	if err != nil {
		return err.Error()
	}
	transport, end := s.Transport()
	defer end()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "fairlead", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		return err.Error()
	}
	if text, err := callEcho(ctx, session, "hello"); err != nil || text != "hello" {
		return fmt.Sprint(text, err)
	}
	state, _ := s.SignedIn()
	where := "in the keyring"
	if fault, ok := errors.AsType[*secret.KeyringError](state.SessionOnly); ok {
		where = "in memory, as the keyring is " + string(fault.Kind)
	}
	return fmt.Sprintf("asked %d times, kept %s", asked, where)
}
