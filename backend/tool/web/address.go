package web

import (
	"fmt"
	"net"
	"net/netip"
)

// Words for an address that nothing is fetched from.
const (
	thisComputer = "an address of this computer"
	private      = "a private network"
	localLink    = "an address of the local network"
	notPublic    = "no address of the public internet"
)

// block is a range of addresses that nothing is fetched from.
type block struct {
	prefix netip.Prefix
	kind   string
}

// blocks are the ranges of the IANA special-purpose address registries
// (RFC 6890) that are not for the public internet, and those that carry another
// address inside: NAT64, Teredo and 6to4.
var blocks = []block{
	{netip.MustParsePrefix("0.0.0.0/8"), thisComputer},
	{netip.MustParsePrefix("127.0.0.0/8"), thisComputer},
	{netip.MustParsePrefix("10.0.0.0/8"), private},
	{netip.MustParsePrefix("100.64.0.0/10"), private},
	{netip.MustParsePrefix("172.16.0.0/12"), private},
	{netip.MustParsePrefix("192.168.0.0/16"), private},
	{netip.MustParsePrefix("169.254.0.0/16"), localLink},
	{netip.MustParsePrefix("192.0.0.0/24"), notPublic},
	{netip.MustParsePrefix("192.0.2.0/24"), notPublic},
	{netip.MustParsePrefix("192.88.99.0/24"), notPublic},
	{netip.MustParsePrefix("198.18.0.0/15"), notPublic},
	{netip.MustParsePrefix("198.51.100.0/24"), notPublic},
	{netip.MustParsePrefix("203.0.113.0/24"), notPublic},
	{netip.MustParsePrefix("224.0.0.0/4"), notPublic},
	{netip.MustParsePrefix("240.0.0.0/4"), notPublic},
	{netip.MustParsePrefix("::/127"), thisComputer},
	{netip.MustParsePrefix("fc00::/7"), private},
	{netip.MustParsePrefix("fec0::/10"), private},
	{netip.MustParsePrefix("fe80::/10"), localLink},
	{netip.MustParsePrefix("2001::/23"), notPublic},
	{netip.MustParsePrefix("2001:db8::/32"), notPublic},
	{netip.MustParsePrefix("2002::/16"), notPublic},
	{netip.MustParsePrefix("3fff::/20"), notPublic},
}

// unicast6 holds every IPv6 address that is given out for the public internet
// (RFC 4291). Whatever lies outside it is refused, named in blocks or not.
var unicast6 = netip.MustParsePrefix("2000::/3")

// plainAddress is an address without its zone, and as IPv4 where it only wraps one.
func plainAddress(addr netip.Addr) netip.Addr { return addr.Unmap().WithZone("") }

// specialReason says in words what an address is that nothing is fetched from; empty for
// an address of the public internet.
func specialReason(addr netip.Addr) string {
	addr = plainAddress(addr)
	for _, b := range blocks {
		if b.prefix.Contains(addr) {
			return b.kind
		}
	}
	if addr.Is4() || unicast6.Contains(addr) {
		return ""
	}
	return notPublic
}

// isOwn reports whether addr is one of those that the interfaces of this computer have:
// one may be public, and what listens there often trusts this computer.
func isOwn(addr netip.Addr, interfaces []net.Addr) bool {
	for _, one := range interfaces {
		prefix, err := netip.ParsePrefix(one.String())
		if err == nil && plainAddress(prefix.Addr()) == plainAddress(addr) {
			return true
		}
	}
	return false
}

// deniedError says that an address is one that nothing is fetched from.
type deniedError struct {
	addr netip.Addr
	kind string
}

func (e *deniedError) Error() string {
	return fmt.Sprintf("%s, %s", e.addr, e.kind)
}
