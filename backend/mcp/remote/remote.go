// Package remote reaches MCP servers over HTTP. Nothing is sent to an address of this
// computer or of a private network but to the one that the user typed and agreed to, keys
// and tokens go to the server's origin alone, and what a server answers is bounded.
//
// A request goes through request (its way, and what is made of the answer), client (the
// connections) and, where the server wants the user to sign in, signin (which of the
// tokens to use), discover (who gives them), browser and callback (the user), grant (the
// requests for tokens) and tokens (the keyring).
package remote

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/net/http/httpguts"

	"fairlead/backend/publicnet"
	"fairlead/backend/secret"
)

// Kind is how a server is spoken to.
type Kind string

// The kinds.
const (
	// HTTP is streamable HTTP.
	HTTP Kind = "http"
	// SSE is HTTP with server-sent events, as in the protocol of 2024-11-05.
	SSE Kind = "sse"
)

// Client is this program as an authorization server knows it already.
type Client struct {
	ID string
	// Secret is the zero Key for a client that has none.
	Secret secret.Key
	// Port is that of the redirect address, http://127.0.0.1:PORT/callback; 0 for any.
	Port int
}

// Question is what the user is asked before the browser is opened.
type Question struct {
	Server string
	// Issuer is who the user signs in with.
	Issuer string
	// URL is the whole address that the browser is sent to.
	URL string
	// Scopes are what the server may do with what the user has there; empty where the
	// issuer decides.
	Scopes []string
}

// Options say how a server is reached.
type Options struct {
	// Server is the name that the user gave it.
	Server string
	URL    string
	Kind   Kind
	// Private reports whether the user agreed to a URL that leads to this computer or to a
	// private network. It holds for its host and port only.
	Private bool
	// Headers go with each request, keys in their values. With one called
	// Authorization nobody is asked to sign in.
	Headers map[string]secret.Key
	// Client is nil where the program registers itself.
	Client *Client
	// Tokens keeps what signing in gave.
	Tokens TokenStore
	// Redactor is told every key and token.
	Redactor *secret.Redactor
	// Confirm asks the user; nil where nobody can be asked.
	Confirm func(context.Context, Question) bool
	// Later has no request ask the user: one that the server wants a sign-in for is a
	// Fault with the code SignInNeeded, and SignIn asks.
	Later bool
	// Browser opens an address.
	Browser func(url string) error
	// Proxy carries every request but those to this computer; nil for none. The
	// environment names none.
	Proxy *url.URL
	// Roots are the certificate authorities that are trusted; nil for the system's.
	Roots *x509.CertPool
	Log   *slog.Logger
}

// Server is a server that requests may be sent to. It is safe for concurrent use.
type Server struct {
	options Options
	target  publicnet.Target
	// endpoint is host:port of the target, with the port always there.
	endpoint string
	// loopback reports whether the target names this computer.
	loopback bool
	headers  http.Header
	signIn   *signIn
	// dialer connects to the public internet.
	dialer publicnet.Dialer
	// transport carries what goes to the server, and sender what goes to those that give
	// tokens.
	transport *http.Transport
	sender    *http.Client
	// life ends with Close.
	life  context.Context
	close context.CancelFunc
	limits

	mu sync.Mutex
	// recent are the last faults of requests. The SDK keeps the text of some only.
	recent []*Fault
	// broken is why a stream or an answer ended early; nil for none, and once it was
	// explained. The SDK drops it.
	broken *Fault
	// streams are when streams of the server's own messages were begun.
	streams []time.Time
}

// Open reads the options. It sends nothing. The error is a *Fault with the code
// BadAddress.
func Open(o Options) (*Server, error) {
	target, err := publicnet.Parse(o.URL)
	if err != nil {
		return nil, &Fault{Code: BadAddress, Text: fmt.Sprintf("%s cannot be reached: %v", o.Server, err), Err: err}
	}
	s := &Server{options: o, target: target, endpoint: endpointOf(target.URL), loopback: isThisComputer(target), limits: usual}
	if s.headers, err = readHeaders(o.Headers); err != nil {
		return nil, &Fault{Code: BadAddress, Text: fmt.Sprintf("%s cannot be reached: %v", o.Server, err), Err: err}
	}
	for _, value := range o.Headers {
		o.Redactor.Add(value.Reveal())
		// Of "Bearer KEY" the key alone is known, too.
		if _, key, ok := strings.Cut(value.Reveal(), " "); ok {
			o.Redactor.Add(key)
		}
	}
	if o.Client != nil {
		o.Redactor.Add(o.Client.Secret.Reveal())
	}
	s.life, s.close = context.WithCancel(context.Background())
	s.signIn = newSignIn(s)
	s.transport = s.newTransport(s.dialServer)
	s.sender = &http.Client{
		Transport: &tokenRequests{s, s.newTransport(s.dialIssuer)}, CheckRedirect: s.checkIssuerRedirect, Timeout: s.tokenWait,
	}
	if err := s.checkTarget(target, false); err != nil {
		return nil, err
	}
	return s, nil
}

// readHeaders checks the user's headers.
func readHeaders(headers map[string]secret.Key) (http.Header, error) {
	read := http.Header{}
	for name, value := range headers {
		name = http.CanonicalHeaderKey(name)
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			return nil, fmt.Errorf("%.100q cannot be the name of a header", name)
		case !httpguts.ValidHeaderFieldValue(value.Reveal()):
			return nil, fmt.Errorf("the value of the header %s has characters that none may have", name)
		case isOurs(name):
			return nil, fmt.Errorf("the header %s is set by Fairlead itself", name)
		}
		read.Set(name, value.Reveal())
	}
	return read, nil
}

// isOurs reports whether a header is part of the protocol, or of the connection.
func isOurs(name string) bool {
	switch name {
	case "Accept", "Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Cookie", "Host", "Keep-Alive",
		"Last-Event-Id", "Origin", "Proxy-Authorization", "Referer", "Te", "Trailer", "Transfer-Encoding", "Upgrade":
		return true
	default:
		return strings.HasPrefix(name, "Mcp-")
	}
}

// Transport returns what a client of the SDK connects by, and what ends that: all requests
// of its session, also those that the SDK makes without the context of a caller. A session
// is closed before. Each session has a transport of its own.
//
// Nothing may be wrapped around the connections: the SDK looks for methods of theirs that it
// does not export. The context of each call is to end with the call: the SDK reads the
// stream of an answer until then.
func (s *Server) Transport() (transport mcp.Transport, end func()) {
	life, end := context.WithCancel(s.life)
	client := &http.Client{Transport: &requests{Server: s, life: life}, CheckRedirect: s.checkRedirect}
	if s.options.Kind == SSE {
		return &mcp.SSEClientTransport{Endpoint: s.target.URL.String(), HTTPClient: client, MaxEventSize: int(s.maxEvent)}, end
	}
	return &mcp.StreamableClientTransport{
		Endpoint: s.target.URL.String(), HTTPClient: client, MaxRetries: maxRetries, MaxEventSize: int(s.maxEvent),
	}, end
}

// Close ends everything.
func (s *Server) Close() {
	s.close()
	s.transport.CloseIdleConnections()
	s.sender.CloseIdleConnections()
}

// SignIn has the user sign in, for what the last request wanted that was refused. Sessions
// go on with the new token. The error is a *Fault.
func (s *Server) SignIn(ctx context.Context) error {
	if err := s.signIn.ask(ctx); err != nil {
		return s.Explain(err)
	}
	return nil
}

// SignedIn returns who the user is signed in with; false for nobody.
func (s *Server) SignedIn() (SignedIn, bool) { return s.signIn.state() }

// Explain says in one sentence why a session of this server failed: as a *Fault, whatever
// the error is. It is not nil.
func (s *Server) Explain(err error) *Fault {
	fault, found := errors.AsType[*Fault](err)
	switch {
	case found:
		return fault
	case errors.Is(err, mcp.ErrSessionMissing):
		return s.fault(SessionEnded, err, "%s has ended the session", s.host())
	case errors.Is(err, context.DeadlineExceeded):
		return s.fault(TimedOut, err, "%s did not answer in time", s.host())
	case errors.Is(err, context.Canceled):
		return s.fault(Cancelled, err, "the request to %s was cancelled", s.host())
	}
	if noted := s.takeNoted(err); noted != nil {
		return noted
	}
	text := err.Error()
	if query := s.target.URL.RawQuery; query != "" {
		text = strings.ReplaceAll(text, "?"+query, "") // some write keys there
	}
	return s.fault(Other, err, "%s: %s", s.host(), shortText(text))
}

// noteFault keeps the fault of a request.
func (s *Server) noteFault(fault *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent = append(s.recent, fault)
	s.recent = s.recent[max(0, len(s.recent)-maxRecent):]
}

// noteBroken keeps why an answer ended early.
func (s *Server) noteBroken(fault *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = fault
}

// takeNoted returns the fault that an error of the SDK comes from; nil for none. Of a
// connection that was closed the SDK may keep no text, either.
func (s *Server) takeNoted(err error) *Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := err.Error()
	for _, fault := range slices.Backward(s.recent) {
		if strings.Contains(text, fault.Text) {
			return fault
		}
	}
	noted := s.broken
	if noted == nil && errors.Is(err, mcp.ErrConnectionClosed) && len(s.recent) > 0 {
		noted = s.recent[len(s.recent)-1]
	}
	s.broken, s.recent = nil, nil
	return noted
}

// host names the server in texts.
func (s *Server) host() string { return s.target.URL.Host }
