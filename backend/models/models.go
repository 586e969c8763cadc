// Package models opens, lists and tests models: it brings a provider, what is known of
// its models, the user's key and the settings together in a client.
package models

import (
	"log/slog"
	"sync/atomic"

	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

// Options are what models are opened with.
type Options struct {
	// State is the folder in which what providers said of their models is saved.
	State string
	// Keys are the user's keys. Those in use are made known to the Redactor.
	Keys     *secret.Keys
	Redactor *secret.Redactor
	// Calls are how models are called.
	Calls settings.Calls
	Log   *slog.Logger
}

// Models opens, lists and tests models. It is safe for concurrent use.
type Models struct {
	state    string
	keys     *secret.Keys
	redactor *secret.Redactor
	log      *slog.Logger
	calls    atomic.Pointer[settings.Calls]
}

// New returns what opens models. It asks nobody yet.
func New(o Options) *Models {
	m := &Models{state: o.State, keys: o.Keys, redactor: o.Redactor, log: o.Log}
	m.SetCalls(o.Calls)
	return m
}

// SetCalls changes how models are called from now on. Those that are open stay as they
// are.
func (m *Models) SetCalls(calls settings.Calls) { m.calls.Store(&calls) }
