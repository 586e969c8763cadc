package settings

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// webAddress reports whether a text is the address of an endpoint. No error shows it: it
// may have a password in it.
func webAddress(value string) error {
	address, err := url.Parse(value)
	switch {
	case err != nil || !slices.Contains([]string{"http", "https"}, address.Scheme) || address.Hostname() == "":
		return errors.New(`must be an address that begins with http:// or https://, such as "http://localhost:8080/v1"`)
	case address.User != nil:
		return errors.New("cannot have a name or password in it; name the variable that holds the key with api_key_env")
	case address.RawQuery != "" || address.Fragment != "":
		return errors.New("cannot have a ? or # part")
	}
	return nil
}

// proxyAddress is webAddress for a proxy.
func proxyAddress(value string) error {
	address, err := url.Parse(value)
	switch {
	case err != nil || !slices.Contains([]string{"http", "https", "socks5"}, address.Scheme) || address.Hostname() == "":
		return errors.New(`must be an address that begins with http://, https:// or socks5://, such as "http://proxy.example:3128"`)
	case address.User != nil:
		return errors.New("cannot have a name or password in it; put such an address into the environment variable HTTPS_PROXY")
	case strings.Trim(address.Path, "/") != "" || address.RawQuery != "" || address.Fragment != "":
		return errors.New("must be a host and a port, with nothing after them")
	}
	return nil
}

// fullPath refuses a path that means another file in every folder.
func fullPath(value string) error {
	if !filepath.IsAbs(value) {
		return fmt.Errorf("must be the full path of a file, not %q", value)
	}
	return nil
}

// fullPaths refuses a list with a path that means another folder in every folder.
func fullPaths(value string) error {
	for _, path := range filepath.SplitList(value) {
		if !filepath.IsAbs(path) {
			return fmt.Errorf("must be full paths of folders, with %q between them, not %q", filepath.ListSeparator, path)
		}
	}
	return nil
}

// checkTitle reports whether a text fits where names are shown.
func checkTitle(value string) error {
	if value == "" || len(value) > 60 || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errors.New("must have 1 to 60 bytes on one line")
	}
	return nil
}
