// Package publicnet connects to the public internet and to nothing else: the address that
// a name leads to is checked at the moment of connecting, so that a name which leads
// elsewhere the next time gains nothing.
package publicnet

import (
	"fmt"
	"net"
	"net/netip"
	"strings"
)

// Kind says in words what an address is that is not of the public internet.
type Kind string

// The kinds.
const (
	// ThisComputer is loopback, and what the interfaces of this computer have.
	ThisComputer Kind = "an address of this computer"
	// Private is a network of one household, company or provider.
	Private Kind = "a private network"
	// LocalLink is what routers do not pass on; clouds serve credentials there.
	LocalLink Kind = "an address of the local network"
	// NotPublic is every other range with a purpose of its own, and what is not given
	// out.
	NotPublic Kind = "no address of the public internet"
)

// block is a range of addresses that are not of the public internet.
type block struct {
	prefix netip.Prefix
	kind   Kind
}

// blocks are the ranges of the IANA special-purpose address registries
// (RFC 6890) that are not for the public internet, and those that carry another
// address inside: NAT64, Teredo and 6to4.
var blocks = []block{
	{netip.MustParsePrefix("0.0.0.0/8"), ThisComputer},
	{netip.MustParsePrefix("127.0.0.0/8"), ThisComputer},
	{netip.MustParsePrefix("10.0.0.0/8"), Private},
	{netip.MustParsePrefix("100.64.0.0/10"), Private},
	{netip.MustParsePrefix("172.16.0.0/12"), Private},
	{netip.MustParsePrefix("192.168.0.0/16"), Private},
	{netip.MustParsePrefix("169.254.0.0/16"), LocalLink},
	{netip.MustParsePrefix("192.0.0.0/24"), NotPublic},
	{netip.MustParsePrefix("192.0.2.0/24"), NotPublic},
	{netip.MustParsePrefix("192.88.99.0/24"), NotPublic},
	{netip.MustParsePrefix("198.18.0.0/15"), NotPublic},
	{netip.MustParsePrefix("198.51.100.0/24"), NotPublic},
	{netip.MustParsePrefix("203.0.113.0/24"), NotPublic},
	{netip.MustParsePrefix("224.0.0.0/4"), NotPublic},
	{netip.MustParsePrefix("240.0.0.0/4"), NotPublic},
	{netip.MustParsePrefix("::/127"), ThisComputer},
	{netip.MustParsePrefix("fc00::/7"), Private},
	{netip.MustParsePrefix("fec0::/10"), Private},
	{netip.MustParsePrefix("fe80::/10"), LocalLink},
	{netip.MustParsePrefix("2001::/23"), NotPublic},
	{netip.MustParsePrefix("2001:db8::/32"), NotPublic},
	{netip.MustParsePrefix("2002::/16"), NotPublic},
	{netip.MustParsePrefix("3fff::/20"), NotPublic},
}

// unicast6 holds every IPv6 address that is given out for the public internet
// (RFC 4291). Whatever lies outside it is refused, named in blocks or not.
var unicast6 = netip.MustParsePrefix("2000::/3")

// Plain returns an address without its zone, and as IPv4 where it only wraps one.
func Plain(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

// specialKind returns what an address is that is not of the public internet; empty for
// one that is.
func specialKind(addr netip.Addr) Kind {
	addr = Plain(addr)
	for _, b := range blocks {
		if b.prefix.Contains(addr) {
			return b.kind
		}
	}
	if addr.Is4() || unicast6.Contains(addr) {
		return ""
	}
	return NotPublic
}

// isOwn reports whether addr is one of those that the interfaces of this computer have:
// one may be public, and what listens there often trusts this computer.
func isOwn(addr netip.Addr, interfaces []net.Addr) bool {
	for _, one := range interfaces {
		prefix, err := netip.ParsePrefix(one.String())
		if err == nil && Plain(prefix.Addr()) == Plain(addr) {
			return true
		}
	}
	return false
}

// IsLocalName reports whether a name, in lower case, means this computer wherever it is
// looked up (RFC 6761, and the names that Linux distributions give it).
func IsLocalName(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	return last == "localhost" || last == "localdomain" || name == "ip6-localhost" || name == "ip6-loopback"
}

// DeniedError reports that an address is not of the public internet.
type DeniedError struct {
	Addr netip.Addr
	Kind Kind
}

func (e *DeniedError) Error() string {
	return fmt.Sprintf("%s, %s", e.Addr, e.Kind)
}
