package llm

import (
	"fmt"
	"time"

	"fairlead/backend/message"
)

// Class is what kind of failure an attempt met.
type Class int

// The classes of failure.
const (
	// Internal is a fault on our side, such as a request that cannot be written.
	Internal Class = iota
	// RateLimited asks to wait; Overloaded is a server with too much to do.
	RateLimited
	Overloaded
	// Quota is money or allowance used up: waiting does not help.
	Quota
	// Auth is a key that is missing, wrong or not allowed to do this.
	Auth
	// ModelNotFound is an unknown model or address.
	ModelNotFound
	// BadRequest is a request the provider refuses for any other reason.
	BadRequest
	// Filtered is a content filter.
	Filtered
	// ContextOverflow is a conversation longer than the model takes.
	ContextOverflow
	// Network is a connection that failed or broke.
	Network
	// Malformed is an answer that is not what the protocol says.
	Malformed
	// Repeats is an answer that repeats the same words over and over.
	Repeats
	// Truncated is an answer that stopped before its end.
	Truncated
	// Server is a failure inside the provider (5xx).
	Server
	// Silent is a model that sends nothing of its reply.
	Silent
	// Leaked is an answer with marks of the model's own form that cannot be read.
	Leaked
	// TooLarge is an answer that exceeds what a reply may hold (SPEC SEC-11).
	TooLarge
)

var classes = map[Class]struct {
	code      message.FailCode
	retryable bool
}{
	Internal:        {message.CodeInternal, false},
	RateLimited:     {message.CodeRateLimited, true},
	Overloaded:      {message.CodeOverloaded, true},
	Quota:           {message.CodeQuota, false},
	Auth:            {message.CodeAuth, false},
	ModelNotFound:   {message.CodeModelNotFound, false},
	BadRequest:      {message.CodeBadRequest, false},
	Filtered:        {message.CodeFiltered, false},
	ContextOverflow: {message.CodeContextOverflow, false},
	Network:         {message.CodeNetwork, true},
	Malformed:       {message.CodeMalformed, true},
	Repeats:         {message.CodeMalformed, true},
	Truncated:       {message.CodeTruncated, true},
	Server:          {message.CodeOverloaded, true},
	Silent:          {message.CodeTimeout, true},
	Leaked:          {message.CodeMalformed, true},
	TooLarge:        {message.CodeTooLarge, false},
}

// Error is why an attempt failed.
type Error struct {
	Class Class
	// Status is the HTTP status, 0 where none came.
	Status int
	// Code is the provider's own code or type for it, if it gave one.
	Code string
	// Message is what went wrong, in the provider's words where it has some.
	Message string
	// Hint says what the user can do next.
	Hint string
	// Wait is how long the provider asks to wait before the next attempt; 0 when
	// it does not say.
	Wait time.Duration
	// Window is how many tokens the model takes at once, where a ContextOverflow
	// named it; 0 where it did not.
	Window int
	// Protocol is the one that a refusal names as the one to use; empty for none.
	Protocol Protocol
	// Said is Message where that is the provider's own; empty where it is Fairlead's.
	Said string
	// Cause is what of several things Class stands for; empty for the rest. Length is how
	// long a Silent model was silent.
	Cause  message.FailCause
	Length time.Duration
	// Err is the cause, if there is one.
	Err error
}

func (e *Error) Error() string {
	text := e.Message
	if e.Status != 0 {
		text = fmt.Sprintf("%s (HTTP %d)", text, e.Status)
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Data are the details for programs; nil where nothing but the words tells them.
func (e *Error) Data() *message.FailData {
	data := message.FailData{Cause: e.Cause, HTTPStatus: e.Status, Said: e.Said, LimitMs: e.Length.Milliseconds()}
	if e.Wait > maxWait {
		data.WaitMs = e.Wait.Milliseconds()
	}
	switch {
	case data.Cause != "":
	case e.Said != "", e.Status >= 400:
		data.Cause = message.FailProvider
	default:
		return nil
	}
	return &data
}

func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether another attempt can succeed.
func (e *Error) Retryable() bool { return classes[e.Class].retryable }

// FailCode is the code a run ends with when this error ends it.
func (e *Error) FailCode() message.FailCode { return classes[e.Class].code }
