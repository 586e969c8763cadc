package publicnet_test

import (
	"errors"
	"net"
	"net/netip"
	"strconv"
	"testing"

	"fairlead/backend/publicnet"
	"fairlead/backend/publicnet/publicnettest"
)

func TestSEC_NamesAreCheckedAfterTheyAreLookedUp(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	own := netip.MustParseAddrPort(listener.Addr().String())
	dialer := publicnet.Dialer{Resolver: publicnettest.Resolver(t, func(name string) []netip.Addr {
		if name == "site.test" {
			return []netip.Addr{own.Addr()}
		}
		return nil
	})}
	address := net.JoinHostPort("site.test", strconv.Itoa(int(own.Port())))
	_, err = dialer.DialContext(t.Context(), "tcp", address)
	denied, ok := errors.AsType[*publicnet.DeniedError](err)
	if !ok || denied.Addr != own.Addr() || denied.Kind != publicnet.ThisComputer {
		t.Errorf("got %v", err)
	}
	dialer.Permit = func(to netip.AddrPort) bool { return to == own }
	conn, err := dialer.DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	_, err = dialer.DialContext(t.Context(), "tcp", "missing.test:1")
	if missing, ok := errors.AsType[*net.DNSError](err); !ok || !missing.IsNotFound {
		t.Errorf("got %v", err)
	}
}
