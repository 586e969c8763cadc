package backend

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/wire"
	"fairlead/backend/settings"
)

// maxAuthorities is how long a file of certificate authorities may be, in bytes: that
// of a whole system has some 250 kB.
const maxAuthorities = 8 << 20

// network is the way to providers that the settings name. The error is a
// *catalog.UsageError.
func network(calls settings.Calls) (wire.Network, error) {
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
		roots, err := authorities(calls.CAFile)
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

// authorities are the system's certificate authorities and those of a PEM file.
func authorities(path string) (*x509.CertPool, error) {
	file, err := os.Open(path)
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fault.Err
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxAuthorities+1))
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, fault.Err
	}
	if err != nil {
		return nil, err
	}
	if len(text) > maxAuthorities {
		return nil, errors.New("the file is larger than 8 MiB")
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("read the system's own: %w", err)
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, errors.New("the file holds no certificate that can be read")
	}
	return roots, nil
}
