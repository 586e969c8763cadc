package catalog

import (
	"fmt"
	"net/url"
	"strings"
)

// chooseKey decides which keys may go to a located endpoint: one from the
// environment, and one kept under the endpoint's account.
func (e *Endpoint) chooseKey(choice Choice) error {
	e.KeyEnv, e.KeyRequired = choice.KeyEnv, choice.KeyEnv != ""
	if e.KeyEnv == "" && e.Provider.servesHost(e.BaseURL) {
		// An address alone works without a key: the provider says if it wants one.
		e.KeyEnv = e.Provider.KeyEnv
		e.KeyRequired = e.KeyEnv != "" && choice.Provider != ""
	}
	err := e.CheckKey()
	if err == nil {
		e.Account = accountName(*e)
	}
	if e.KeyEnv == "" {
		return nil
	}
	return err
}

// accountName names a provider, or else a host, together with the host and port that
// its key goes to (SPEC SEC-07).
func accountName(e Endpoint) string {
	at := e.Host()
	name := e.Provider.Name
	if name == "" {
		name = at
	}
	return name + "@" + at
}

// Host returns the host and port the endpoint is reached at; empty for the tour.
func (e Endpoint) Host() string { return hostPort(e.BaseURL) }

// Loopback says that the endpoint is on this computer.
func (e Endpoint) Loopback() bool {
	address, err := url.Parse(e.BaseURL)
	return err == nil && isLoopback(address.Hostname())
}

// CheckKey reports whether any key may travel to the endpoint: over https, or within
// this computer (SPEC SEC-07). The error is a *UsageError.
func (e Endpoint) CheckKey() error {
	address, err := url.Parse(e.BaseURL)
	if err != nil {
		return badURL("it cannot be read", "")
	}
	if address.Scheme == "https" || isLoopback(address.Hostname()) {
		return nil
	}
	key := "a key"
	switch {
	case e.KeyEnv != "" && e.isKeyEnvName():
		key = "the key in " + e.KeyEnv
	case e.KeyEnv != "":
		key = "the key in " + unnamed
	}
	return &UsageError{
		Message: fmt.Sprintf("%s is not sent to %s: without https anyone on the way can read it", key, address.Host),
		Hint:    "use https://, or give no key if the endpoint needs none",
	}
}

// NoKey is the error of an endpoint that wants a key when there is none. keyring
// says the result of asking the keyring, such as "the keyring is locked"; empty
// where it was not asked.
func (e Endpoint) NoKey(keyring string) *UsageError {
	message := "no key for " + e.Provider.Title + ": "
	if keyring != "" {
		message += keyring + ", and "
	}
	if !e.isKeyEnvName() {
		message += unnamed + " is not set"
		hint := "give the name of an environment variable that holds the key, not the key"
		return &UsageError{Message: message, Hint: hint, NoKey: true}
	}
	message += "the environment variable " + e.KeyEnv + " is not set"
	hint := "set " + e.KeyEnv + " to your key, or name another variable with --api-key-env"
	if keyring != "" {
		hint = "set " + e.KeyEnv + " to your key, name another variable with --api-key-env, or save the key in the window"
	}
	return &UsageError{Message: message, Hint: hint, NoKey: true}
}

// unnamed stands for what may be a key put where its variable's name belongs.
const unnamed = "the variable named with --api-key-env"

// isKeyEnvName says that KeyEnv is surely a name, and not a key put in its place: names
// are written in capitals by custom, and no key is.
func (e Endpoint) isKeyEnvName() bool { return e.KeyEnv == strings.ToUpper(e.KeyEnv) }
