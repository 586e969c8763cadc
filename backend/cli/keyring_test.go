package cli_test

import (
	"context"
	"errors"

	"github.com/rogpeppe/go-internal/testscript"

	"fairlead/backend/secret"
)

// changeKey saves a key in the keyring of the user who runs the tests, or deletes it. With the
// script goes what it has saved.
func changeKey(ts *testscript.TestScript, neg bool, args []string) {
	ring := secret.NewKeyring()
	switch {
	case !neg && len(args) == 3 && args[0] == "set":
		account := secret.Account(args[1])
		key, err := secret.ParseKey(args[2])
		ts.Check(err)
		ts.Defer(func() {
			fault, ok := errors.AsType[*secret.KeyringError](ring.Delete(context.Background(), account))
			if ok && fault.Kind != secret.NotFound {
				ts.Logf("%v", fault)
			}
		})
		ts.Check(ring.Set(context.Background(), account, key))
	case !neg && len(args) == 2 && args[0] == "delete":
		ts.Check(ring.Delete(context.Background(), secret.Account(args[1])))
	default:
		ts.Fatalf("usage: key set ACCOUNT KEY, key delete ACCOUNT")
	}
}
