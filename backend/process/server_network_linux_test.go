package process

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fairlead/backend/publicnet"
	"fairlead/backend/publicnet/publicnettest"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/relay"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/sandbox/supervisor"
)

// atOnce bounds what is refused: no program waits for a network that is not there. It leaves
// time for the start of a program on a busy machine.
const atOnce = 8 * time.Second

// site stands for the hosts of the internet: a server of this test, which answers by TLS and in
// plain text with the host that it was asked for.
type site struct {
	secure, plain *httptest.Server
	// authority is a file with the certificate that is to be trusted.
	authority string

	mu sync.Mutex
	// dialed are the hosts that were connected to, and refused what was not carried.
	dialed, refused []string
}

// siteNames are the hosts that the certificate is for.
var siteNames = []string{"api.example.com", "other.example.com"}

func newSite(t testing.TB, folder string) *site {
	t.Helper()
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "hello from %s", r.Host) })
	s := &site{authority: filepath.Join(folder, "authority.pem")}
	s.plain = httptest.NewServer(answer)
	s.secure = httptest.NewUnstartedServer(answer)
	s.secure.TLS = &tls.Config{Certificates: []tls.Certificate{newCertificate(t, s.authority)}}
	s.secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.secure.StartTLS()
	t.Cleanup(s.secure.Close)
	t.Cleanup(s.plain.Close)
	return s
}

// newCertificate makes a certificate that signs itself, and a file of it.
func newCertificate(t testing.TB, file string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "tests"}, DNSNames: siteNames, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{certificate}, PrivateKey: key}
}

// reach has hosts carried to the servers of the test, by their port.
func (s *site) reach() relay.Options {
	return relay.Options{
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			s.mu.Lock()
			s.dialed = append(s.dialed, address)
			s.mu.Unlock()
			to := s.plain
			if strings.HasSuffix(address, ":443") || strings.HasSuffix(address, ":8443") {
				to = s.secure
			}
			return new(net.Dialer).DialContext(ctx, network, to.Listener.Addr().String())
		},
		Refused: func(host publicnet.Host, reason error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.refused = append(s.refused, host.String()+": "+reason.Error())
		},
	}
}

// hosts reads hosts as a user writes them.
func hosts(t testing.TB, texts ...string) (all []publicnet.Host) {
	t.Helper()
	for _, text := range texts {
		host, err := publicnet.ParseHost(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, host)
	}
	return all
}

// client is a program with which servers reach hosts.
type client struct {
	name, program string
	// line fetches $URL, whose certificate $CA signs, and prints the answer.
	line string
}

func clients() []client {
	const node = `node -e 'fetch(process.env.URL).then(r => r.text()).then(console.log, e => { console.error(e.cause ?? e); process.exit(1) })'`
	const python = `python3 -c '
import os, ssl, urllib.request
print(urllib.request.urlopen(os.environ["URL"], context=ssl.create_default_context(cafile=os.environ["CA"]), timeout=20).read().decode())'`
	return []client{
		{"curl", "curl", `curl -sS --max-time 20 --cacert "$CA" "$URL"`},
		{"Node's fetch", "node", `NODE_EXTRA_CA_CERTS="$CA" ` + node},
		{"Python", "python3", python},
		{"Go", "", `"$INSTALL/attack" fetch "$URL" "$(cat "$CA")"`},
	}
}

// newNetwork is a network of hosts for the servers of a test.
func newNetwork(t testing.TB, r environment) (*grounds, *site) {
	t.Helper()
	g := newGrounds(t, r)
	if err := os.Link(sandboxtest.Program("attack"), filepath.Join(g.install, "attack")); err != nil {
		t.Fatal(err)
	}
	return g, newSite(t, g.install)
}

// fetch runs a client as a server.
func (g *grounds) fetch(t *testing.T, s *site, c client, url string, granted ...string) (output string, took time.Duration) {
	t.Helper()
	space := g.openSpace(t, sandbox.AccessNone, func(p *sandbox.ServerPlace) { p.Hosts, p.Reach = hosts(t, granted...), s.reach() })
	began := time.Now()
	server := startProgram(t, space, ServerCommand{
		Program: "/bin/sh", Arguments: []string{"-c", "exec 2>&1\n" + c.line},
		Variables: []string{"URL=" + url, "CA=" + s.authority, "INSTALL=" + g.install},
	})
	text, err := io.ReadAll(server.Output)
	if err != nil {
		t.Fatal(err)
	}
	<-server.Done()
	return string(text), time.Since(began)
}

func TestEXT01_GrantedHostsAreReachedAndNoOther(t *testing.T) {
	tests := []struct {
		url string
		// granted are the hosts; answer is what comes, or part of it; empty for nothing.
		granted []string
		answer  string
		// dialed is what was connected to outside, and refused part of why nothing was.
		dialed, refused string
	}{
		{"https://api.example.com/", []string{"api.example.com:443"}, "hello from api.example.com", "api.example.com:443", ""},
		{"https://api.example.com:8443/", []string{"api.example.com:443", "api.example.com:8443", "api.example.com:443"}, "hello from api.example.com:8443", "api.example.com:8443", ""},
		{"http://api.example.com:8080/", []string{"api.example.com:8080"}, "hello from api.example.com:8080", "api.example.com:8080", ""},
		{"https://other.example.com/", []string{"api.example.com:443", "other.example.com:443"}, "hello from other.example.com", "other.example.com:443", ""},
		{"https://other.example.com/", []string{"api.example.com:443"}, "", "", ""},
		{"https://api.example.com:8443/", []string{"api.example.com:443"}, "", "", ""},
		{"https://api.example.com/", nil, "", "", ""},
		{"http://api.example.com:443/", []string{"api.example.com:443"}, "", "", "does not begin as TLS does"},
		{"https://127.7.0.1/", []string{"api.example.com:443"}, "", "", ": it"},
		{"https://127.7.0.2/", []string{"api.example.com:443"}, "", "", ""},
		{"http://93.184.216.34/", []string{"api.example.com:443"}, "", "", ""},
		{"http://169.254.169.254/latest/", []string{"api.example.com:443"}, "", "", ""},
		{"http://[2606:4700::1]/", []string{"api.example.com:443"}, "", "", ""},
	}
	for _, c := range clients() {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath(c.program); c.program != "" && err != nil {
				t.Skipf("%s is not installed", c.program)
			}
			g, s := newNetwork(t, confinedEnvironments()[0])
			for _, test := range tests {
				s.dialed, s.refused = nil, nil
				output, took := g.fetch(t, s, c, test.url, test.granted...)
				if hello := strings.Contains(output, "hello from"); hello != (test.answer != "") || !strings.Contains(output, test.answer) {
					t.Errorf("%s: got %s", test.url, output)
				}
				dialed, refused := strings.Join(s.dialed, " "), strings.Join(s.refused, " ")
				if dialed != test.dialed || !strings.Contains(refused, test.refused) || test.refused == "" && refused != "" {
					t.Errorf("%s: connected to %q, refused %q", test.url, dialed, refused)
				}
				if took > atOnce {
					t.Errorf("%s: took %v: %s", test.url, took, output)
				}
			}
		})
	}
}

// The name that is asked for by TLS is that of the host, whatever address is connected to.
func TestEXT01_AnotherNameByTLSIsRefused(t *testing.T) {
	g, s := newNetwork(t, confinedEnvironments()[0])
	for port, c := range map[string]client{
		"443":  {line: `curl -sS --cacert "$CA" --connect-to other.example.com:443:api.example.com:443 "$URL"`},
		"8443": {line: `curl -sS --cacert "$CA" --connect-to other.example.com:8443:api.example.com:8443 "$URL"`},
	} {
		s.refused = nil
		output, _ := g.fetch(t, s, c, "https://other.example.com:"+port+"/", "api.example.com:"+port)
		if strings.Contains(output, "hello") || !strings.Contains(output, "unrecognized name") {
			t.Errorf("got %s", output)
		}
		if len(s.refused) != 1 || s.refused[0] != "api.example.com:"+port+`: it asks for the host "other.example.com" by TLS` {
			t.Errorf("refused %q", s.refused)
		}
	}
}

// A name that leads to this computer or to a private network is not connected to.
func TestEXT01_NamesThatLeadToPrivateAddressesAreRefused(t *testing.T) {
	g, s := newNetwork(t, confinedEnvironments()[0])
	for _, address := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "::1"} {
		s.refused = nil
		reach := s.reach()
		dialer := publicnet.Dialer{Resolver: publicnettest.Resolver(t, func(string) []netip.Addr { return []netip.Addr{netip.MustParseAddr(address)} })}
		reach.Dial = dialer.DialContext
		space := g.openSpace(t, sandbox.AccessNone, func(p *sandbox.ServerPlace) { p.Hosts, p.Reach = hosts(t, "api.example.com:8080"), reach })
		output, _ := awaitScript(t, space, `curl -sS --max-time 20 http://api.example.com:8080/ 2>&1`)
		if len(s.refused) != 1 || !strings.Contains(s.refused[0], address) {
			t.Errorf("%s: refused %q, got %s", address, s.refused, output)
		}
	}
}

// Below level full hosts cannot be kept apart, and a server that was granted any has the network.
func TestEXT01_BelowLevelFullAHostIsTheNetwork(t *testing.T) {
	g, s := newNetwork(t, confinedEnvironments()[1])
	address := s.plain.URL
	for _, granted := range [][]string{{"api.example.com:443"}, nil} {
		output, _ := g.fetch(t, s, client{line: `curl -sS "$URL" || echo refused`}, address, granted...)
		if reached := strings.Contains(output, "hello from"); reached != (granted != nil) {
			t.Errorf("granted %q: got %s", granted, output)
		}
	}
}

func TestEXT01_HostsThatCannotBeGrantedOpenNoPlace(t *testing.T) {
	g := newGrounds(t, serverEnvironments()[0])
	for host, want := range map[publicnet.Host]string{
		{Name: "127.0.0.1", Port: 443}: "is an address", {Name: "a.example\n127.0.0.1 b.example", Port: 443}: "no name of a host",
	} {
		_, err := g.system.OpenServer(sandbox.ServerPlace{Access: sandbox.AccessNone, Hosts: []publicnet.Host{host}, Place: sandbox.Place{Private: g.private}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", host, err)
		}
	}
	many := make([]publicnet.Host, 200)
	for i := range many {
		many[i] = publicnet.Host{Name: "api.example.com", Port: uint16(i + 1)}
	}
	_, err := g.system.OpenServer(sandbox.ServerPlace{Access: sandbox.AccessNone, Hosts: many, Place: sandbox.Place{Private: g.private}})
	if err == nil || !strings.Contains(err.Error(), "200 hosts") {
		t.Errorf("error %v", err)
	}
	if _, err := g.system.OpenServer(sandbox.ServerPlace{Place: sandbox.Place{Private: g.private}}); err == nil {
		t.Error("a place without an access is opened")
	}
	if _, err := os.Stat(g.private); err == nil {
		t.Error("a private folder is left")
	}
}

func TestEXT01_AsManyHostsAsCanBeAreReached(t *testing.T) {
	g, s := newNetwork(t, confinedEnvironments()[0])
	var granted []string
	for i := range supervisor.MostHosts {
		granted = append(granted, fmt.Sprintf("h%d.example.com:%d", i, i+1))
	}
	last := granted[len(granted)-1]
	output, _ := g.fetch(t, s, client{line: `curl -sS "$URL"`}, "http://"+last+"/", granted...)
	if output != "hello from "+last {
		t.Errorf("got %s", output)
	}
}
