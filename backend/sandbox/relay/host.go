package relay

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
)

// Host is a host at one port, as a server is granted it.
type Host struct {
	// Name is its name in lower case and ASCII, of two parts at least.
	Name string
	Port uint16
}

func (h Host) String() string { return net.JoinHostPort(h.Name, strconv.Itoa(int(h.Port))) }

const (
	// mostName and mostLabel are how long a name and a part of one are at most, in bytes (RFC 1035).
	mostName  = 253
	mostLabel = 63
)

var (
	errPort     = errors.New("it needs a port from 1 to 65535, as in api.example.com:443")
	errWildcard = errors.New("each host is named itself, without *")
	errName     = errors.New("it is no name of a host on the internet: small letters, digits and hyphens, with a dot; other letters are written as xn--")
	errAddress  = errors.New("it is a number; a host is granted by its name")
	errLocal    = errors.New("it means this computer")
)

// Check returns an error where the host is none that can be granted.
func (h Host) Check() error {
	err := checkName(h.Name)
	if h.Port == 0 {
		err = errPort
	}
	if err != nil {
		return fmt.Errorf("the host %q cannot be granted: %w", h, err)
	}
	return nil
}

// ParseHost reads a host as a user writes it, such as api.example.com:443.
func ParseHost(text string) (Host, error) {
	host, err := parseHost(text)
	if err != nil {
		return Host{}, fmt.Errorf("read the host %q: %w", text, err)
	}
	return host, nil
}

func parseHost(text string) (Host, error) {
	name, digits, err := net.SplitHostPort(text)
	if err != nil {
		return Host{}, errPort
	}
	port, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || port == 0 {
		return Host{}, errPort
	}
	name = strings.ToLower(name)
	if err := checkName(name); err != nil {
		return Host{}, err
	}
	return Host{name, uint16(port)}, nil
}

func checkName(name string) error {
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	switch {
	case strings.Contains(name, "*"):
		return errWildcard
	case last == "localhost" || last == "localdomain" || name == "ip6-localhost" || name == "ip6-loopback":
		return errLocal
	case strings.Contains(name, ":") || isNumber(last):
		return errAddress
	case len(labels) < 2 || len(name) > mostName:
		return errName
	}
	for _, label := range labels {
		if label == "" || len(label) > mostLabel || strings.Trim(label, "-") != label || strings.ContainsFunc(label, isStrange) {
			return errName
		}
	}
	return nil
}

// isNumber reports whether the last part of a name has some programs read the name as an address
// (https://url.spec.whatwg.org/#ends-in-a-number-checker).
func isNumber(label string) bool {
	digits := "0123456789"
	number, hexadecimal := strings.CutPrefix(label, "0x")
	if hexadecimal {
		digits += "abcdef"
	}
	return label != "" && strings.Trim(number, digits) == ""
}

// isStrange reports whether a character stands in no name of a host.
func isStrange(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
}
