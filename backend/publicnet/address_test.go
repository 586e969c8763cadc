package publicnet

import (
	"net/netip"
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
