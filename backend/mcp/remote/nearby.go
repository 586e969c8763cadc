package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"fairlead/backend/publicnet"
)

// lookUpTime bounds the look at what a name leads to.
const lookUpTime = 3 * time.Second

// Nearby says what an address is that is reached only where the user agrees to it: of this computer
// or of a private network, by its text, or by what its name leads to now. It is empty for an address
// of the public internet, and for one that nothing is known of. An address that cannot be that of a
// server is an error.
func Nearby(ctx context.Context, address string) (kind string, err error) {
	target, err := publicnet.Parse(address)
	if err != nil {
		return "", fmt.Errorf("the address cannot be that of a server: %w", err)
	}
	if isThisComputer(target) {
		return string(publicnet.ThisComputer), nil
	}
	all := []netip.Addr{target.Literal.Addr()}
	if !target.Literal.IsValid() {
		ctx, cancel := context.WithTimeout(ctx, lookUpTime)
		defer cancel()
		if all, err = net.DefaultResolver.LookupNetIP(ctx, "ip", target.URL.Hostname()); err != nil {
			return "", nil //nolint:nilerr // the connection will tell
		}
	}
	for _, addr := range all {
		denied, ok := errors.AsType[*publicnet.DeniedError]((&publicnet.Dialer{}).Check(netip.AddrPortFrom(addr, 1)))
		if ok && (denied.Kind == publicnet.ThisComputer || denied.Kind == publicnet.Private) {
			return string(denied.Kind), nil
		}
	}
	return "", nil
}
