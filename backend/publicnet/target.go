package publicnet

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

const (
	// MaxURL is the length of the longest URL that is requested, characters.
	MaxURL = 2048
	// maxName is the length of the longest name of a host, characters (RFC 1035).
	maxName = 253
	// nameCharacters may stand in the name of a host.
	nameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-_."
)

// Target is an address that may be requested, in one spelling: host in lower case
// and ASCII, no port that the scheme has anyway, no fragment, ASCII throughout.
type Target struct {
	URL *url.URL
	// Literal is the address and port where the host is an IP address; else it is
	// not valid.
	Literal netip.AddrPort
}

// Origin names what the user agrees to: scheme, host, and the port where it is not
// the scheme's own.
func (t Target) Origin() string { return t.URL.Scheme + "://" + t.URL.Host }

// Parse reads a URL. The error says what is wrong with it.
func Parse(text string) (Target, error) {
	switch {
	case utf8.RuneCountInString(text) > MaxURL:
		return Target{}, fmt.Errorf("the url is longer than %d characters", MaxURL)
	case !utf8.ValidString(text) || strings.ContainsFunc(text, isBlank):
		return Target{}, errors.New("the url holds spaces or control characters; write them as %20 and the like")
	}
	u, err := url.Parse(text)
	if err != nil {
		var cause *url.Error
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return Target{}, fmt.Errorf("the url cannot be read: %w", err)
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return Target{}, errors.New("the url begins neither with http:// nor with https://")
	case u.User != nil:
		return Target{}, errors.New("the url holds a user name or a password")
	case u.Opaque != "" || u.Hostname() == "":
		return Target{}, errors.New("the url names no host")
	}
	literal, err := settleURL(u)
	if err != nil {
		return Target{}, err
	}
	if len(u.String()) > MaxURL {
		return Target{}, fmt.Errorf("the url, with what is not ASCII written as %%xx, is longer than %d characters", MaxURL)
	}
	return Target{URL: u, Literal: literal}, nil
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// settleURL brings u into its one spelling.
func settleURL(u *url.URL) (literal netip.AddrPort, err error) {
	name, addr, err := parseHost(u.Hostname())
	if err != nil {
		return literal, err
	}
	standard := uint16(80)
	if u.Scheme == "https" {
		standard = 443
	}
	port := standard
	if given := u.Port(); given != "" {
		number, err := strconv.ParseUint(given, 10, 16)
		if err != nil || number == 0 {
			return literal, fmt.Errorf("the url has the port %s, which is none", given)
		}
		port = uint16(number)
	}
	if addr.IsValid() {
		name, literal = addr.String(), netip.AddrPortFrom(addr, port)
	}
	switch {
	case port != standard:
		u.Host = net.JoinHostPort(name, strconv.Itoa(int(port)))
	case addr.Is6():
		u.Host = "[" + name + "]"
	default:
		u.Host = name
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.Fragment, u.RawFragment = "", ""
	u.RawQuery = EncodeQuery(u.RawQuery)
	return literal, nil
}

// parseHost returns the one spelling of a host: an address, or a name as it is looked up.
func parseHost(text string) (name string, addr netip.Addr, err error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		if addr.Zone() != "" {
			return "", addr, errors.New("the url names a zone, which only the local network has")
		}
		return "", Plain(addr), nil
	}
	name = strings.ToLower(text)
	if strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		if name, err = idna.Lookup.ToASCII(name); err != nil {
			return "", addr, fmt.Errorf("the url names no valid host: %w", err)
		}
	}
	name = strings.TrimSuffix(name, ".")
	if addr, err := netip.ParseAddr(name); err == nil {
		return "", Plain(addr), nil
	}
	labels := strings.Split(name, ".")
	if slices.Contains(labels, "") || strings.ContainsFunc(name, notInName) || len(name) > maxName {
		return "", addr, errors.New("the url names no valid host")
	}
	if isNumeric(labels[len(labels)-1]) {
		// Some resolvers read 127.1 or 0x7f000001 as an address, others do not.
		return "", addr, errors.New("the url names an address in a short or unusual form; write it in full, as in 192.0.2.1")
	}
	return name, addr, nil
}

func notInName(r rune) bool { return !strings.ContainsRune(nameCharacters, r) }

// isNumeric reports whether the last label of a name makes the name a number, as the URL
// standard has it (https://url.spec.whatwg.org/#ends-in-a-number-checker).
func isNumeric(label string) bool {
	digits := "0123456789"
	number, hexadecimal := strings.CutPrefix(label, "0x")
	if hexadecimal {
		digits += "abcdef"
	}
	return strings.Trim(number, digits) == ""
}

// EncodeQuery writes as %xx what the URL standard does not let stand in a query.
func EncodeQuery(raw string) string {
	var out strings.Builder
	for _, b := range []byte(raw) {
		if b > ' ' && b < 0x7f && !strings.ContainsRune("\"#<>'", rune(b)) {
			out.WriteByte(b)
		} else {
			fmt.Fprintf(&out, "%%%02X", b)
		}
	}
	return out.String()
}
