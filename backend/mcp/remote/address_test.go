package remote

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"fairlead/backend/secret"
)

func TestEXT01_OtherAddressesAreRefused(t *testing.T) {
	site := newSite(t, http.NotFoundHandler())
	names := map[string]string{"private.example.com": "10.0.0.1", "metadata.example.com": "169.254.169.254", "shared.example.com": "100.64.0.1", "six.example.com": "::1"}
	for name, words := range map[string]string{
		"private.example.com": "10.0.0.1, a private network", "metadata.example.com": "169.254.169.254, an address of the local network",
		"shared.example.com": "100.64.0.1, a private network", "six.example.com": "::1, an address of this computer",
	} {
		wantFault(t, site.openAt(t, site.at(name, "/"), names), AddressRefused, name, words)
	}
	for address, code := range map[string]Code{
		"https://127.0.0.1:1/": AddressRefused, "http://localhost:1/": AddressRefused, "https://localhost/": AddressRefused,
		"https://10.1.2.3/": AddressRefused, "https://[::ffff:192.168.0.1]/": AddressRefused, "https://169.254.169.254/": AddressRefused,
		"https://[64:ff9b::7f00:1]/": AddressRefused, "https://127.1/": BadAddress, "http://mcp.example.com/": BadAddress,
		"ftp://mcp.example.com/": BadAddress, "https://ada:secret@mcp.example.com/": BadAddress, "https:///mcp": BadAddress,
	} {
		_, err := Open(Options{Server: "notes", URL: address, Redactor: &secret.Redactor{}})
		fault, ok := err.(*Fault) //nolint:errorlint // it is what Open returns
		if !ok || fault.Code != code || strings.Contains(fault.Text, "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	// What the user agreed to is a network, not what clouds serve there.
	for _, address := range []string{"https://169.254.169.254/", "https://[fe80::1]/", "https://198.18.0.1/", "http://10.0.0.1/"} {
		if _, err := Open(Options{Server: "notes", URL: address, Private: true, Redactor: &secret.Redactor{}}); err == nil {
			t.Errorf("%s is opened", address)
		}
	}
	for _, address := range []string{"https://10.0.0.1/", "https://nas.local:8443/", "http://127.0.0.1:3000/", "http://localhost:3000/", "http://[::1]:3000/"} {
		s, err := Open(Options{Server: "notes", URL: address, Private: true, Redactor: &secret.Redactor{}})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		s.Close()
	}
}

// What the user agreed to is one host and port.
func TestEXT01_AnAgreedAddressIsNoOther(t *testing.T) {
	other := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was reached") }))
	s := open(t, "http://127.0.0.1:1/")
	if _, err := s.dialServer(t.Context(), "tcp", other.Listener.Addr().String()); err == nil {
		t.Error("another port of this computer is connected to")
	}
	own := netip.MustParseAddrPort(other.Listener.Addr().String())
	agreed := open(t, other.URL)
	conn, err := agreed.dialServer(t.Context(), "tcp", own.String())
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	conn, err = s.dialIssuer(t.Context(), "tcp", own.String())
	if err != nil {
		t.Fatal("what gives tokens may be beside a server of this computer: ", err)
	}
	conn.Close()
	public := open(t, "https://mcp.example.com/", func(o *Options) { o.Private = false })
	if _, err := public.dialIssuer(t.Context(), "tcp", own.String()); err == nil {
		t.Error("what gives tokens for a public server is this computer")
	}
}

func TestEXT01_Redirects(t *testing.T) {
	stolen := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		t.Errorf("%s %s was reached", request.Method, request.URL)
	}))
	for to, test := range map[string]struct {
		code  Code
		words string
	}{
		"http://169.254.169.254/latest/": {AddressRefused, "169.254.169.254"},
		"https://10.0.0.1/":              {AddressRefused, "10.0.0.1, a private network"},
		stolen.URL:                       {AddressRefused, "an address of this computer"},
		"file:///etc/passwd":             {Redirected, "neither with http:// nor with https://"},
		"https://other.example.com/":     {Redirected, "redirects to another host, https://other.example.com"},
		"/loop":                          {Redirected, "redirects more than 5 times"},
	} {
		server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
			http.Redirect(w, request, to, http.StatusTemporaryRedirect)
		}))
		wantFault(t, open(t, server.URL+"/mcp", header("X-Api-Key", "canary-key-1")), test.code, test.words)
	}
	lost := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		http.Redirect(w, request, "/elsewhere", http.StatusFound)
	}))
	wantFault(t, open(t, lost.URL+"/mcp"), Redirected, "loses the message", "/elsewhere")

	inner := streamable(t)
	moved := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path == "/mcp" {
			http.Redirect(w, request, "/mcp/", http.StatusPermanentRedirect)
			return
		}
		inner.ServeHTTP(w, request)
	}))
	wantEcho(t, open(t, moved.URL+"/mcp"))
}

func TestEXT01_AnOldServerNamesAnotherHost(t *testing.T) {
	stolen := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was reached") }))
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: %s/messages\n\n", stolen.URL)
		_ = http.NewResponseController(w).Flush()
		<-request.Context().Done()
	}))
	wantFault(t, open(t, server.URL, sse), Redirected, "names another host for its messages")
}
