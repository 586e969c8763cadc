package settings

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"os"
)

// maxAuthorities is how long a file of certificate authorities may be, in bytes: that
// of a whole system has some 250 kB.
const maxAuthorities = 8 << 20

// Authorities returns the system's certificate authorities and those of a PEM file. Its
// errors do not name the file.
func Authorities(path string) (*x509.CertPool, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, innerError(err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxAuthorities+1))
	if err != nil {
		return nil, innerError(err)
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
