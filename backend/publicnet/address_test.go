package publicnet

import (
	"net/netip"
	"strings"
	"testing"
)

// global is another way to tell the addresses of the public internet, to compare with:
// the words of the standard library, and bits for what they leave out.
func global(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLoopback() || addr.IsLinkLocalUnicast() {
		return false
	}
	if addr.Is4() {
		b := addr.As4()
		shared, benchmarks := b[0] == 100 && b[1]>>6 == 1, b[0] == 198 && b[1]>>1 == 9
		return b[0] != 0 && b[0] < 224 && !shared && !benchmarks
	}
	b := addr.As16()
	protocols, tunnels := b[0] == 0x20 && b[1] == 1 && b[2] < 2, b[0] == 0x20 && b[1] == 2
	return b[0]>>5 == 1 && !protocols && !tunnels
}

func FuzzSpecialKind(f *testing.F) {
	for _, text := range []string{
		"127.0.0.1", "0.0.0.0", "10.0.0.1", "100.64.0.1", "169.254.169.254", "172.16.0.1", "192.168.0.1", "198.18.0.1", "224.0.0.1",
		"255.255.255.255", "1.1.1.1", "::1", "::", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1",
		"2001:db8::1", "3fff::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "2606:4700::1111",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if addr, err := netip.ParseAddr(text); err == nil && specialKind(addr) == "" && !global(addr) {
			t.Errorf("%s is permitted", addr)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, host := range strings.Fields(`127.0.0.1 127.0.0.1. 127.1 2130706433 0x7F.0.0.1 0177.0.0.1 127.0.0.1.. 0 [::1] [::ffff:7f00:1] [fe80::1%25lo]
		LOCALHOST. 127。0。0。1 １２７．０．０．１ ⓛocalhost %31%32%37.0.0.1 127.0.0.1%00 user@127.0.0.1 1.1.1.1 example.org [2606:4700::1111] 例え.テスト a.b:80`) {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		to, err := Parse("http://" + host + "/")
		if err != nil {
			return
		}
		again, err := Parse(to.URL.String())
		if err != nil || again.URL.String() != to.URL.String() || again.Literal != to.Literal {
			t.Errorf("%q has a second spelling: %s, then %s, %v", host, to.URL, again.URL, err)
		}
		// What the resolver would be given is no number that one of them may read as
		// an address.
		name := to.URL.Hostname()
		if last := name[strings.LastIndexByte(name, '.')+1:]; !to.Literal.IsValid() && isNumeric(last) {
			t.Errorf("%q is looked up as the number %s", host, name)
		}
	})
}
