package secret_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fairlead/backend/secret"
)

// asChild names what a process of this test is to do with the keyring. A process of
// its own has the bus that its environment names, and keeps the connection.
const asChild = "FAIRLEAD_TEST_KEYRING"

func TestMain(m *testing.M) {
	if do := os.Getenv(asChild); do != "" {
		start := time.Now()
		fmt.Println(child(do), "after", time.Since(start))
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

const account secret.Account = "openai@api.openai.com:443"

// child does one thing with the keys and says in a word what came of it. A key it
// has to save or to compare comes by standard input.
func child(do string) string {
	text, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err.Error()
	}
	ctx, keys := context.Background(), secret.NewKeys()
	place := secret.KeyPlace{Variable: "FAIRLEAD_TEST_UNSET", Account: account}
	patience := secret.Background
	switch do {
	case "check":
		err = keys.CheckKeyring(ctx)
	case "save":
		var key secret.Key
		if key, err = secret.ParseKey(text); err == nil {
			err = keys.Save(ctx, account, key)
		}
	case "forget":
		err = keys.Forget(ctx, account)
	case "find local":
		place.Local = true
		return found(ctx, keys, place, patience, text)
	case "find held":
		keys.Hold(account, secret.NewKey("sk-canary-held"))
		return found(ctx, keys, place, patience, "sk-canary-held\n")
	case "find patiently":
		return found(ctx, keys, place, secret.Visible, text)
	case "find":
		return found(ctx, keys, place, patience, text)
	}
	return word(err)
}

func found(ctx context.Context, keys *secret.Keys, place secret.KeyPlace, patience time.Duration, want string) string {
	key, source, err := keys.Find(ctx, place, patience)
	if err != nil {
		return word(err)
	}
	if key.Reveal()+"\n" != want {
		return "another key from " + string(source)
	}
	return string(source)
}

// word is the kind of an error of the keyring, ok for none.
func word(err error) string {
	if err == nil {
		return "ok"
	}
	missing, isMissing := errors.AsType[*secret.NoKeyError](err)
	fault, isFault := errors.AsType[*secret.KeyringError](err)
	switch {
	case isMissing && missing.Keyring == nil:
		return "not asked"
	case isMissing:
		fault = missing.Keyring
	case !isFault:
		return err.Error()
	}
	return string(fault.Kind)
}
