// Package web has the tool that fetches pages from the public internet. A user
// agrees to every host, sees the whole address, and no request reaches this computer
// or a private network: the address that a name leads to is checked at the moment of
// connecting, so that a name which leads elsewhere the next time gains nothing.
//
// A call goes through target (one spelling of the address), fetch and dial (the
// requests), page (what is read, and its kind), and content (what the model is given).
package web

import (
	"context"
	"crypto/x509"
	_ "embed" // the description
	"net"
	"net/url"
	"strings"
	"sync"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/publicnet"
	"fairlead/backend/tool"
	"fairlead/backend/workspace"
)

// limit is how long one call may take.
const limit = 20 * time.Second

// What a user is told before a request is made.
const (
	checked   = "Addresses of this computer and of private networks are refused."
	unchecked = "The proxy of your settings resolves names, so that it is not checked whether one leads to this computer or a private network."
)

//go:embed http_get.md
var description string

// Options say how pages are fetched.
type Options struct {
	// Outputs keeps what is too long for the model.
	Outputs *workspace.Outputs
	// Proxy is the user's proxy; nil for none. The environment names none.
	Proxy *url.URL
	// Roots are the certificate authorities that are trusted; nil for the system's.
	Roots *x509.CertPool
}

// New returns the tool http_get. A host that one call was approved for needs no
// approval for the next, as long as this value lives: a session has its own.
func New(o Options) tool.Tool {
	g := &getter{
		outputs: o.Outputs, proxy: o.Proxy, roots: o.Roots,
		agreed: map[string]bool{},
	}
	g.connect = g.dialer.DialContext
	if o.Proxy != nil {
		// What is connected to is the proxy, which often runs on this computer.
		g.connect = (&net.Dialer{}).DialContext
	}
	return g
}

// getter is the tool.
type getter struct {
	outputs *workspace.Outputs
	proxy   *url.URL
	roots   *x509.CertPool
	// connect opens a connection.
	connect func(ctx context.Context, network, address string) (net.Conn, error)
	// dialer connects without a proxy, and checks addresses; a test sets its fields.
	dialer publicnet.Dialer

	mu sync.Mutex
	// agreed holds the origins of the calls that were run.
	agreed map[string]bool
}

type arguments struct {
	URL string `json:"url" jsonschema:"whole, with http:// or https://"`
}

// Definition implements tool.Tool.
func (g *getter) Definition() tool.Definition {
	return tool.Definition{
		Name:        "http_get",
		Description: strings.TrimSpace(description),
		Parameters:  tool.Schema[arguments](),
		Confirm:     true,
		Effect:      message.EffectNetwork,
		Group:       "web",
		Display: message.Display{
			Title: "Fetch a page", Verb: message.VerbFetch, Icon: message.IconGlobe,
			Subject: message.Subject{Arguments: []string{"url"}, Kind: message.SubjectAddress},
			Form:    []message.FormField{{At: "url"}},
		},
	}
}

// Prepare implements tool.Tool. Nobody is asked about a host that a call was run for.
func (g *getter) Prepare(_ context.Context, in tool.Input) (tool.Plan, error) {
	t, failure := g.read(in)
	if failure != nil {
		return tool.Plan{}, failure
	}
	preview := message.Preview{Effect: message.EffectNetwork, URL: t.URL.String(), Confinement: checked, Addresses: message.AddressesChecked}
	if g.proxy != nil {
		preview.Confinement, preview.Addresses = unchecked, message.AddressesUnchecked
	}
	return tool.Plan{
		Preview: preview, Asks: !g.isAgreed(t), Limit: limit,
		Run: func(ctx context.Context, _ func(string)) tool.Outcome {
			return tool.Outcome{Result: g.get(ctx, t, in.CallID)}
		},
	}, nil
}

func (g *getter) get(ctx context.Context, t publicnet.Target, callID string) message.Result {
	g.noteAgreed(t)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, tool.ErrTimeout)
	defer cancel()
	answer, t, failure := g.fetchPage(ctx, t)
	if failure != nil {
		return message.Result{Error: failure}
	}
	defer answer.Body.Close()
	return g.pageResult(ctx, readPage(answer, t), callID)
}

// read reads and checks the arguments.
func (g *getter) read(in tool.Input) (publicnet.Target, *message.ToolError) {
	args, err := tool.Decode[arguments](in.Arguments)
	if err != nil {
		return publicnet.Target{}, &message.ToolError{Code: message.InvalidArguments, Message: err.Error()}
	}
	t, err := publicnet.Parse(args.URL)
	if err != nil {
		return publicnet.Target{}, &message.ToolError{Code: message.InvalidArguments, Message: err.Error()}
	}
	return t, g.refuseTarget(t)
}

// noteAgreed notes that a call to t was run, which it is only after the user agreed.
func (g *getter) noteAgreed(t publicnet.Target) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.agreed[t.Origin()] = true
}

// isAgreed reports whether a call to where t leads was run.
func (g *getter) isAgreed(t publicnet.Target) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.agreed[t.Origin()]
}
