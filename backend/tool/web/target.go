package web

import (
	"errors"
	"fmt"

	"fairlead/backend/message"
	"fairlead/backend/publicnet"
)

// isUpgrade reports whether going from t to next is nothing but a change to https on the
// same host.
func isUpgrade(t, next publicnet.Target) bool {
	return t.URL.Scheme == "http" && next.URL.Scheme == "https" && t.URL.Port() == "" && t.URL.Host == next.URL.Host
}

// refuseTarget says why nothing is fetched from t, as far as its text tells; nil if it
// does not.
func (g *getter) refuseTarget(t publicnet.Target) *message.ToolError {
	if t.Literal.IsValid() {
		return asDenied(t, g.dialer.Check(t.Literal))
	}
	if publicnet.IsLocalName(t.URL.Hostname()) {
		return deniedByTarget(t, "this computer")
	}
	return nil
}

// asDenied is the failure of a check of the address of t; nil for none.
func asDenied(t publicnet.Target, err error) *message.ToolError {
	var refused *publicnet.DeniedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return deniedByTarget(t, refused.Error())
	default:
		return &message.ToolError{Code: message.ExecutionError, Message: err.Error()}
	}
}

// deniedByTarget is the failure of a request that leads where none may go.
func deniedByTarget(t publicnet.Target, where string) *message.ToolError {
	return &message.ToolError{
		Code:    message.NetworkDenied,
		Message: fmt.Sprintf("%s leads to %s; http_get fetches from the public internet only", t.URL.Host, where),
	}
}
