package wire_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/wire"
)

// failing is a transport that only fails.
type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// slow is a network error that says it ran out of time.
type slow struct{ error }

func (slow) Timeout() bool   { return true }
func (slow) Temporary() bool { return true }

func untrustedReason(err error) error { return &tls.CertificateVerificationError{Err: err} }

func TestRET01_NetworkErrors(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	for _, test := range []struct {
		err  error
		want string
	}{
		{
			&net.OpError{Op: "dial", Err: errors.New("the target machine actively refused it.")},
			"connect to model.invalid: the target machine actively refused it; is the server at model.invalid running?",
		},
		{refused, "connect to model.invalid: connection refused; is the server at model.invalid running?"},
		{&net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "model.invalid"}}, "find the address of model.invalid: no such host; check the base URL and the network"},
		{&net.OpError{Op: "proxyconnect", Err: refused}, "connect to model.invalid through the proxy: dial tcp: connection refused; check the proxy of the settings, or HTTPS_PROXY and HTTP_PROXY"},
		{&net.OpError{Op: "dial", Err: slow{errors.New("i/o timeout")}}, "connect to model.invalid: no connection in time; check the network; is the server at model.invalid running?"},
		{untrustedReason(x509.UnknownAuthorityError{}), "connect to model.invalid: its certificate is not trusted: certificate signed by unknown authority; " +
			"check the base URL and the proxy, or name its certificate authority in the setting ca_file"},
		{
			untrustedReason(x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"other.invalid"}}, Host: "model.invalid"}),
			"connect to model.invalid: its certificate is not trusted: certificate is valid for other.invalid, not model.invalid; check the base URL",
		},
		{
			untrustedReason(x509.CertificateInvalidError{Reason: x509.Expired, Detail: "it is over"}),
			"connect to model.invalid: its certificate is not trusted: certificate has expired or is not yet valid: it is over; " +
				"check the clock of this computer; if it is right, the certificate has to be renewed",
		},
		{untrustedReason(errors.New("no")), "connect to model.invalid: its certificate is not trusted: no; check the base URL, the clock and the proxy"},
		{errors.New("reset by peer"), "the connection to model.invalid broke: reset by peer; check the network and try again"},
	} {
		transport := &wire.Transport{Base: failing{test.err}}
		_, err := ask(t, t.Context(), transport, "http://model.invalid")
		var failed *llm.Error
		if !errors.As(err, &failed) || failed.Class != llm.Network || !errors.Is(err, test.err) {
			t.Errorf("%v became %v", test.err, err)
			continue
		}
		if failed.Error() != test.want {
			t.Errorf("got  %s\nwant %s", failed, test.want)
		}
	}
}

func TestRET01_TLSErrors(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	base := wire.NewBase(wire.Network{})
	defer base.CloseIdleConnections()
	for url, want := range map[string]string{
		secure.URL: "its certificate is not trusted: ",
		strings.Replace(plain.URL, "http:", "https:", 1): "it does not speak TLS",
	} {
		_, err := ask(t, t.Context(), &wire.Transport{Base: base}, url)
		var failed *llm.Error
		if !errors.As(err, &failed) || failed.Class != llm.Network || !strings.Contains(failed.Message, want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

func TestRET01_ConnectionThatBreaks(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: {\"choices\":[]}\n\n")
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	got, err := ask(t, t.Context(), &wire.Transport{Base: server.Client().Transport}, server.URL)
	var failed *llm.Error
	if !errors.As(err, &failed) || failed.Class != llm.Truncated || !failed.Retryable() {
		t.Errorf("error %v", err)
	}
	if got != "data: {\"choices\":[]}\n\n" {
		t.Errorf("before it broke: %q", got)
	}
}
