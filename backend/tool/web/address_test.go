package web

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/publicnet"
	"fairlead/backend/publicnet/publicnettest"
	"fairlead/backend/tool/tooltest"
)

// trap is a listener that nobody may reach, and counts who does.
type trap struct {
	net.Listener
	reached atomic.Int64
}

// newTrap listens at an address of this computer; nil where there is none such.
func newTrap(t *testing.T, address string) *trap {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Logf("no listener at %s: %v", address, err)
		return nil
	}
	one := &trap{Listener: listener}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			one.reached.Add(1)
			_, _ = conn.Read(make([]byte, 1000))
			_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return one
}

func (o *trap) port() string {
	_, port, _ := net.SplitHostPort(o.Addr().String())
	return port
}

// traps are listeners at the two loopback addresses, at the same port if they can be.
func traps(t *testing.T) []*trap {
	t.Helper()
	first := newTrap(t, "127.0.0.1:0")
	if first == nil {
		t.Fatal("no loopback")
	}
	if second := newTrap(t, "[::1]:"+first.port()); second != nil {
		return []*trap{first, second}
	}
	return []*trap{first}
}

func wantUnreached(t *testing.T, traps []*trap) {
	t.Helper()
	for _, one := range traps {
		if n := one.reached.Load(); n > 0 {
			t.Errorf("%s was reached %d times", one.Addr(), n)
		}
	}
}

// spellings are hosts that lead, or might be taken to lead, where nothing is fetched
// from.
var spellings = strings.Fields(`
	127.0.0.1 127.0.0.1. 127.0.0.2 127.255.255.254 127.1 127.0.1 2130706433 0x7f000001 0x7F.0.0.1 0177.0.0.1 017700000001
	127.0.0.1.. 127.0.0.01 0 0.0.0.0 0.0.0.1 0x0 00000000000 ::1 1.0.0.127.in-addr.arpa.0
	[::1] [::] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [::ffff:0:127.0.0.1]
	[::127.0.0.1] [::7f00:1] [64:ff9b::7f00:1] [64:ff9b::127.0.0.1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:0001::1]
	[2001::1] [2001:0:7f00:1::] [2001:db8::1] [3fff::1] [100::1] [5f00::1] [4000::1] [fe80::1%25lo] [fe80::1%25eth0] [fe80::1]
	[::1%25lo] [fc00::1] [fd12:3456::1] [fec0::1] [ff02::1] [ff01::1] [::ffff:10.0.0.1] [::ffff:169.254.169.254]
	localhost LOCALHOST LOCALHOST. localhost. sub.localhost localhost.localdomain ip6-localhost ip6-loopback
	127。0。0。1 １２７.0.0.1 １２７．０．０．１ 127｡0｡0｡1 ①②⑦.0.0.1 ｌｏｃａｌｈｏｓｔ ⓛocalhost 127.0.0.1。 %EF%BC%91%EF%BC%92%EF%BC%97.0.0.1
	10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.0.1
	192.168.255.255 192.0.0.1 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
	239.255.255.255 240.0.0.1 255.255.255.255 0x7f.1 0xa9fea9fe 2852039166 %31%32%37.0.0.1 127.0.0.1%2f 127.0.0.1%00
	127.0.0.1\ \127.0.0.1 user@127.0.0.1 @127.0.0.1 127.0.0.1:80@127.0.0.1
`)

func TestSEC_NoSpellingReachesThisComputer(t *testing.T) {
	g, proxied := bare(t, nil), bare(t, &url.URL{Scheme: "http", Host: "proxy.invalid:1"})
	listeners := traps(t)
	for _, host := range spellings {
		address := "http://" + host + ":" + listeners[0].port() + "/"
		for name, subject := range map[string]*getter{"direct": g, "proxied": proxied} {
			result := tooltest.Run(t.Context(), subject, input(address))
			if result.Error == nil || result.Error.Code != message.NetworkDenied && result.Error.Code != message.InvalidArguments {
				t.Errorf("%s, %s: %s", address, name, result.Text())
			}
		}
		if _, err := g.Prepare(t.Context(), input(address)); err == nil {
			t.Errorf("%s: is prepared", address)
		}
	}
	wantUnreached(t, listeners)
}

func TestSEC_DeniedAddressIsNamed(t *testing.T) {
	g := bare(t, nil)
	for host, words := range map[string]string{
		"127.0.0.1":          "127.0.0.1 leads to 127.0.0.1, an address of this computer; http_get fetches from the public internet only",
		"localhost":          "localhost leads to this computer",
		"192.168.1.1":        "192.168.1.1, a private network",
		"169.254.169.254":    "169.254.169.254, an address of the local network",
		"[::ffff:10.1.2.3]":  "10.1.2.3 leads to 10.1.2.3, a private network",
		"[64:ff9b::7f00:1]":  "64:ff9b::7f00:1, no address of the public internet",
		"[fd00::1]":          "fd00::1, a private network",
		"255.255.255.255":    "no address of the public internet",
		"[::ffff:0:7f00:1]":  "no address of the public internet",
		"[::]":               "::, an address of this computer",
		"[ff02::1]":          "no address of the public internet",
		"１９２.168.0.1":        "192.168.0.1, a private network",
		"[fe80::1]":          "fe80::1, an address of the local network",
		"foo.localhost:8080": "foo.localhost:8080 leads to this computer",
	} {
		wantFailure(t, tooltest.Run(t.Context(), g, input("http://"+host+"/")), message.NetworkDenied, words)
	}
}

func TestSEC_OwnPublicAddressIsRefused(t *testing.T) {
	g := bare(t, nil)
	g.dialer.Interfaces = func() ([]net.Addr, error) {
		return []net.Addr{
			&net.IPNet{IP: net.ParseIP("2606:4700::1"), Mask: net.CIDRMask(64, 128)},
			&net.IPNet{IP: net.ParseIP("1.2.3.4"), Mask: net.CIDRMask(24, 32)},
		}, nil
	}
	for host, want := range map[string]bool{
		"1.2.3.4": true, "[::ffff:1.2.3.4]": true, "[2606:4700::1]": true,
		"1.2.3.5": false, "[2606:4700::2]": false, "[::ffff:8.8.8.8]": false,
	} {
		_, err := g.Prepare(t.Context(), input("http://"+host+"/"))
		if refused := err != nil && strings.Contains(err.Error(), string(publicnet.ThisComputer)); refused != want {
			t.Errorf("%s: %v", host, err)
		}
	}
	g.dialer.Interfaces = func() ([]net.Addr, error) { return nil, errors.New("no right to know") }
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://1.2.3.4/")), message.ExecutionError, "no right to know")
}

// names makes the tool look hosts up by a function, which is given the name without the
// last dot.
func (g *getter) names(t *testing.T, answer func(name string) []netip.Addr) {
	t.Helper()
	g.dialer.Resolver = publicnettest.Resolver(t, answer)
}

func addresses(texts ...string) []netip.Addr {
	var list []netip.Addr
	for _, text := range texts {
		list = append(list, netip.MustParseAddr(text))
	}
	return list
}

// leads are what names of the test lead to.
var leads = map[string][]netip.Addr{
	"loopback.test":    addresses("127.0.0.1"),
	"other.test":       addresses("127.0.0.9"),
	"loopback6.test":   addresses("::1"),
	"unspecified.test": addresses("0.0.0.0"),
	"nowhere6.test":    addresses("::"),
	"mapped.test":      addresses("::ffff:127.0.0.1"),
	"both.test":        addresses("127.0.0.1", "::1"),
}

func TestSEC_NamesAreCheckedAfterTheyAreLookedUp(t *testing.T) {
	for _, permitted := range []bool{false, true} {
		t.Run(fmt.Sprint("permitted ", permitted), func(t *testing.T) {
			g, listeners := bare(t, nil), traps(t)
			g.names(t, func(name string) []netip.Addr { return leads[name] })
			g.dialer.Permit = func(netip.AddrPort) bool { return permitted }
			for name := range leads {
				result := tooltest.Run(t.Context(), g, input("http://"+name+":"+listeners[0].port()+"/"))
				if !permitted {
					wantFailure(t, result, message.NetworkDenied, name, "public internet only")
				}
			}
			if !permitted {
				wantUnreached(t, listeners)
			} else if listeners[0].reached.Load() == 0 {
				t.Error("the names lead nowhere, so that the test proves nothing")
			}
		})
	}
}

func TestSEC_NameThatLeadsElsewhereTheSecondTime(t *testing.T) {
	g, listeners := bare(t, nil), traps(t)
	site := newTrap(t, "[::1]:0") // stands for a public address
	if site == nil {
		t.Skip("no IPv6 here")
	}
	var moved atomic.Bool
	g.names(t, func(name string) []netip.Addr {
		if moved.Load() {
			return addresses("127.0.0.1")
		}
		return addresses("::1")
	})
	permitted := netip.MustParseAddrPort(site.Addr().String())
	g.dialer.Permit = func(to netip.AddrPort) bool { return to == permitted }
	if result := tooltest.Run(t.Context(), g, input("http://site.test:"+site.port()+"/")); !result.Success() {
		t.Fatal(result.Error)
	}
	moved.Store(true)
	wantFailure(t, tooltest.Run(t.Context(), g, input("http://site.test:"+listeners[0].port()+"/")), message.NetworkDenied,
		"leads to 127.0.0.1, an address of this computer")
	wantUnreached(t, listeners)
}

func TestSEC_OnlyThePublicAddressOfANameIsTried(t *testing.T) {
	g := bare(t, nil)
	private := newTrap(t, "127.0.0.1:0")
	public := newTrap(t, "[::1]:"+private.port())
	if public == nil {
		t.Skip("no IPv6 here")
	}
	g.names(t, func(string) []netip.Addr { return addresses("127.0.0.1", "::1", "10.0.0.1") })
	permitted := netip.MustParseAddrPort(public.Addr().String())
	g.dialer.Permit = func(to netip.AddrPort) bool { return to == permitted }
	for range 3 {
		if result := tooltest.Run(t.Context(), g, input("http://site.test:"+private.port()+"/")); !result.Success() {
			t.Error(result.Error)
		}
	}
	wantUnreached(t, []*trap{private})
	if n := public.reached.Load(); n != 3 {
		t.Errorf("the public address was reached %d times", n)
	}
}

func TestSEC_RedirectsToThisComputerAreRefused(t *testing.T) {
	listeners := traps(t)
	g := open(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Location"] = []string{r.URL.Query().Get("to")}
		w.WriteHeader(http.StatusFound)
	})
	for _, host := range spellings {
		to := "http://" + host + ":" + listeners[0].port() + "/"
		result := tooltest.Run(t.Context(), g, input("http://site.test/?to="+url.QueryEscape(to)))
		if result.Error == nil || result.Error.Code != message.NetworkDenied && result.Error.Code != message.HTTPError {
			t.Errorf("%s: %s", to, result.Text())
		}
	}
	wantUnreached(t, listeners)
}
