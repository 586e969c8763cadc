package models

import (
	"fmt"
	"net/url"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/wire"
	"fairlead/backend/settings"
)

// Network is the way to providers that the settings name. The error is a
// *catalog.UsageError.
func (m *Models) Network() (wire.Network, error) {
	calls := m.calls.Load()
	var network wire.Network
	if calls.Proxy != "" {
		proxy, err := url.Parse(calls.Proxy)
		if err != nil {
			// The parser's error repeats the address, which may hold a password.
			return wire.Network{}, &catalog.UsageError{
				Message: "cannot use the proxy: its address cannot be read", Hint: "mend proxy in the settings file, or FAIRLEAD_PROXY",
			}
		}
		network.Proxy = proxy
	}
	if calls.CAFile != "" {
		roots, err := settings.Authorities(calls.CAFile)
		if err != nil {
			return wire.Network{}, &catalog.UsageError{
				Message: fmt.Sprintf("cannot trust the certificate authorities in %s: %v", calls.CAFile, err),
				Hint:    "give ca_file, or FAIRLEAD_CA_FILE, a PEM file with certificates, or leave it out",
			}
		}
		network.Roots = roots
	}
	return network, nil
}
