package remote

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Code is what went wrong, for those that do not read English.
type Code string

// The codes.
const (
	// BadAddress is a URL, or a header, that cannot be used.
	BadAddress Code = "bad_address"
	// NameUnknown is a host that there is none of.
	NameUnknown Code = "name_unknown"
	// AddressRefused is one of this computer or of a private network.
	AddressRefused Code = "address_refused"
	// Unreachable is a host that there is no connection to.
	Unreachable Code = "unreachable"
	// NotTrusted is a host whose certificate is not accepted, or that has none.
	NotTrusted Code = "not_trusted"
	// TimedOut is a server that did not answer in time.
	TimedOut Code = "timed_out"
	// Cancelled is a request that nobody waits for any more.
	Cancelled Code = "cancelled"
	// Unauthorized is a server that refuses the key or the token.
	Unauthorized Code = "unauthorized"
	// Forbidden is a server that refuses this user.
	Forbidden Code = "forbidden"
	// NotFound is a path that the server has not.
	NotFound Code = "not_found"
	// WrongMethod is a path that takes no messages.
	WrongMethod Code = "wrong_method"
	// ServerFailed is a server that reports a fault of its own.
	ServerFailed Code = "server_failed"
	// Busy is a server that wants to be asked later.
	Busy Code = "busy"
	// NotMCP is an answer that is none of the protocol.
	NotMCP Code = "not_mcp"
	// Redirected is a redirect that is not followed.
	Redirected Code = "redirected"
	// TooLarge is an answer that is longer than is read.
	TooLarge Code = "too_large"
	// TooOften is a server that ends its stream time and again.
	TooOften Code = "too_often"
	// SessionEnded is a session that the server does not know any more: to connect
	// once more begins a new one.
	SessionEnded Code = "session_ended"
	// SignInNeeded is a server that wants the user to sign in, where nobody was asked.
	SignInNeeded Code = "sign_in_needed"
	// SignInDeclined is a user who said no, here or in the browser.
	SignInDeclined Code = "sign_in_declined"
	// SignInFailed is every other end of a sign-in.
	SignInFailed Code = "sign_in_failed"
	// Other is every other failure.
	Other Code = "other"
)

// Fault is why a server was not reached, or did not do what it was asked.
type Fault struct {
	Code Code
	// Text is one sentence for the user.
	Text string
	// Err is the cause; nil for none.
	Err error
}

func (f *Fault) Error() string { return f.Text }

func (f *Fault) Unwrap() error { return f.Err }

// fault makes a Fault whose text has no key in it.
func (s *Server) fault(code Code, cause error, format string, args ...any) *Fault {
	return &Fault{Code: code, Text: s.options.Redactor.String(fmt.Sprintf(format, args...)), Err: cause}
}

// shortText makes a text of others fit for one line: at most maxText characters, none
// that cannot be seen.
func shortText(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > maxText {
		text = string(runes[:maxText]) + "…"
	}
	return text
}
