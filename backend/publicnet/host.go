package publicnet

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Host is a host of the public internet at one port.
type Host struct {
	// Name is its name in lower case and ASCII, of two parts at least.
	Name string `json:"name"`
	Port uint16 `json:"port"`
}

// String is the host as name:port.
func (h Host) String() string { return net.JoinHostPort(h.Name, strconv.Itoa(int(h.Port))) }

// maxLabel is how long a part of a name is at most, in bytes (RFC 1035).
const maxLabel = 63

var (
	errPort     = errors.New("it has no port from 1 to 65535, as api.example.org:443 has")
	errWildcard = errors.New("it stands for several: name each")
	errName     = errors.New("it is no name of a host on the internet, such as api.example.org")
	errAddress  = errors.New("it is an address, not the name of a host")
	errLocal    = errors.New("it is this computer")
)

// Check returns an error where the host is not named as one of the public internet.
func (h Host) Check() error {
	err := checkName(h.Name)
	if h.Port == 0 {
		err = errPort
	}
	if err != nil {
		return fmt.Errorf("the host %q cannot be used: %w", h, err)
	}
	return nil
}

// ParseHost reads a host as a user writes it: a name and a port, which is 443 where there is none.
func ParseHost(text string) (Host, error) {
	if strings.ContainsFunc(text, isHidden) { // which the rules for names would leave out
		return Host{}, fmt.Errorf("the host %q cannot be used: %w", text, errName)
	}
	name, port := text, "443"
	if at := strings.LastIndexByte(text, ':'); at >= 0 && !strings.HasSuffix(text, "]") {
		name, port = text[:at], text[at+1:]
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return Host{}, fmt.Errorf("the host %q cannot be used: %w", text, errPort)
	}
	if ascii, err := idna.Lookup.ToASCII(strings.TrimSuffix(name, ".")); err == nil {
		name = strings.ToLower(ascii)
	}
	host := Host{Name: name, Port: uint16(number)}
	if err := host.Check(); err != nil {
		return Host{}, err
	}
	return host, nil
}

// isHidden reports whether a character cannot be seen.
func isHidden(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Z) }

func checkName(name string) error {
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	switch {
	case strings.ContainsAny(name, "*?"):
		return errWildcard
	case IsLocalName(name):
		return errLocal
	case strings.ContainsAny(name, ":[]") || last != "" && isNumeric(last):
		return errAddress
	case len(labels) < 2 || len(name) > maxName:
		return errName
	}
	for _, label := range labels {
		if label == "" || len(label) > maxLabel || strings.Trim(label, "-") != label || strings.ContainsFunc(label, notInName) {
			return errName
		}
	}
	return nil
}
