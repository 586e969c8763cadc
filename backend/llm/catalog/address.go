package catalog

import (
	"net"
	"net/url"
	"strings"
)

// CleanURL returns a base URL as the client needs it: without a slash or
// /chat/completions at its end. What is no such URL gives a *UsageError that
// never repeats a password in it.
func CleanURL(raw string) (string, error) {
	raw = strings.TrimSpace(raw)
	address, err := url.Parse(raw)
	switch {
	case err != nil:
		// The parser's error repeats the text, which may hold a password.
		return "", badURL("it cannot be read", "")
	case address.Scheme != "http" && address.Scheme != "https":
		return "", badURL("it does not begin with http:// or https://", "")
	case address.User != nil:
		return "", badURL("it has a name or password in it", "name the variable that holds the key with --api-key-env")
	case address.Hostname() == "":
		return "", badURL("it names no host", "")
	case address.RawQuery != "" || address.Fragment != "":
		return "", badURL("it has a ? or # part, which no call can keep", "")
	}
	path := strings.TrimRight(address.EscapedPath(), "/")
	path = strings.TrimRight(strings.TrimSuffix(path, "/chat/completions"), "/")
	return address.Scheme + "://" + strings.ToLower(address.Host) + path, nil
}

func badURL(why, hint string) *UsageError {
	if hint == "" {
		hint = "give the address before /chat/completions, such as http://localhost:8080/v1"
	}
	return &UsageError{Message: "cannot use the base URL: " + why, Hint: hint}
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// sameHost reports whether two clean base URLs are served by the same host and
// port.
func sameHost(a, b string) bool {
	return hostPort(a) != "" && hostPort(a) == hostPort(b)
}

func hostPort(baseURL string) string {
	address, err := url.Parse(baseURL)
	if err != nil || address.Host == "" {
		return ""
	}
	port := address.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[address.Scheme]
	}
	return net.JoinHostPort(strings.TrimSuffix(address.Hostname(), "."), port)
}
