package host

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"fairlead/backend/mcp/registry"
	"fairlead/backend/secret"
)

// Values keeps the values of variables and headers of servers: in the system's keyring, and for as
// long as the program lasts where there is none. A variable whose value was never given has that of
// the user's own environment.
type Values struct {
	keys *secret.Keys
}

// NewValues returns those that the user's keys have.
func NewValues(keys *secret.Keys) *Values { return &Values{keys} }

// account is what a value is kept under.
func account(server, name string) secret.Account { return secret.Account("mcp:" + server + ":" + name) }

// Save keeps a value. With an error, which is one of a secret.Keyring, it is kept as long as the
// program lasts.
func (v *Values) Save(ctx context.Context, server, name, value string) error {
	key := secret.NewKey(base64.StdEncoding.EncodeToString([]byte(value))) // a key has no spaces, a value can
	err := v.keys.Save(ctx, account(server, name), key)
	if err != nil {
		v.keys.Hold(account(server, name), key)
	}
	return err
}

// Kept reports whether there is a value that was given for a variable or a header.
func (v *Values) Kept(ctx context.Context, server, name string) bool {
	_, _, err := v.keys.Find(ctx, secret.KeyPlace{Account: account(server, name)}, secret.Background)
	return err == nil
}

// Forget removes the values of a server.
func (v *Values) Forget(ctx context.Context, server registry.Server) (err error) {
	for _, names := range [][]string{server.Variables, server.Headers} {
		for _, name := range names {
			err = errors.Join(err, v.keys.Forget(ctx, account(server.Name, name)))
		}
	}
	return err
}

// find returns a value.
func (v *Values) find(ctx context.Context, server, name string, ofUser func(string) (string, bool)) (string, error) {
	key, _, err := v.keys.Find(ctx, secret.KeyPlace{Account: account(server, name)}, secret.Background)
	if err == nil {
		value, err := base64.StdEncoding.DecodeString(key.Reveal())
		if err != nil {
			return "", fmt.Errorf("read the value of %s: what the keyring has for it is no value", name)
		}
		return string(value), nil
	}
	if value, ok := ofUser(name); ok {
		return value, nil
	}
	return "", fmt.Errorf("there is no value for %s (%w); give it with fairlead mcp set %s %s", name, err, server, name)
}
