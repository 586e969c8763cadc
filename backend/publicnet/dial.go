package publicnet

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"syscall"
)

// Dialer connects to addresses of the public internet. The zero Dialer asks the system
// for names and for the addresses of this computer. It is safe for concurrent use; its
// fields are set before that.
type Dialer struct {
	// Resolver looks names up; nil is the system's.
	Resolver *net.Resolver
	// Interfaces lists the addresses of this computer; nil asks the system.
	Interfaces func() ([]net.Addr, error)
	// Permit names addresses that are connected to whatever they are; nil names none.
	Permit func(netip.AddrPort) bool
}

// DialContext connects without a proxy. Every address that a name leads to is checked
// when its turn comes; a *DeniedError is in the error for one that is refused.
func (d *Dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{
		Resolver: d.Resolver,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("read the address to connect to: %w", err)
			}
			return d.Check(to)
		},
	}
	return dialer.DialContext(ctx, network, address)
}

// Check refuses an address that is not of the public internet, with a *DeniedError.
func (d *Dialer) Check(to netip.AddrPort) error {
	if d.Permit != nil && d.Permit(to) {
		return nil
	}
	addr := Plain(to.Addr())
	if kind := specialKind(addr); kind != "" {
		return &DeniedError{Addr: addr, Kind: kind}
	}
	list := d.Interfaces
	if list == nil {
		list = net.InterfaceAddrs
	}
	interfaces, err := list()
	if err != nil {
		return fmt.Errorf("list the addresses of this computer: %w", err)
	}
	if isOwn(addr, interfaces) {
		return &DeniedError{Addr: addr, Kind: ThisComputer}
	}
	return nil
}
