package mcp

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxHosts is how many hosts one server may be granted.
const maxHosts = 32

// Folder is what a server may do with the workspace.
type Folder string

// The grants of the folder.
const (
	FolderNone  Folder = "none"
	FolderRead  Folder = "read"
	FolderWrite Folder = "write"
)

// Host is a host that a server may reach, at one port.
type Host struct {
	// Name is in ASCII and lower case.
	Name string `json:"name"`
	Port uint16 `json:"port"`
}

// String is the host as name:port.
func (h Host) String() string { return net.JoinHostPort(h.Name, strconv.Itoa(int(h.Port))) }

// ParseHost reads a host as a user writes it: a name and a port, which is 443 where there is none.
func ParseHost(text string) (Host, error) {
	name, port := text, "443"
	if at := strings.LastIndexByte(text, ':'); at >= 0 && !strings.HasSuffix(text, "]") {
		name, port = text[:at], text[at+1:]
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return Host{}, fmt.Errorf("the host %s has no port from 1 to 65535: write it as api.example.org:443", shownText(text))
	}
	if ascii, err := idna.Lookup.ToASCII(strings.TrimSuffix(name, ".")); err == nil {
		name = strings.ToLower(ascii)
	}
	host := Host{Name: name, Port: uint16(number)}
	return host, host.check()
}

// check returns an error where the host is not one that can be granted.
func (h Host) check() error {
	labels := strings.Split(h.Name, ".")
	last := labels[len(labels)-1]
	_, addressErr := netip.ParseAddr(strings.Trim(h.Name, "[]"))
	switch {
	case h.Port == 0:
		return fmt.Errorf("the host %s has no port", shownText(h.Name))
	case strings.ContainsAny(h.Name, "*?"):
		return fmt.Errorf("the host %s stands for several: name each", shownText(h.Name))
	case addressErr == nil || strings.ContainsAny(h.Name, "/[]:") || last != "" && strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x"):
		return fmt.Errorf("%s is an address, not the name of a host", shownText(h.Name))
	case last == "localhost" || strings.HasSuffix(h.Name, "localhost.localdomain"):
		return fmt.Errorf("the host %s is this computer, which no server is granted", shownText(h.Name))
	case len(h.Name) > 253:
		return errors.New("the name of a host is longer than 253 characters")
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return fmt.Errorf("%s is no name of a host", shownText(h.Name))
		}
	}
	if len(labels) == 1 {
		return fmt.Errorf("the host %s has no dot in its name: only names of the public internet are granted", shownText(h.Name))
	}
	return nil
}

// Grant is what a server may reach. The zero value grants nothing.
type Grant struct {
	Folder Folder `json:"folder"`
	// Hosts are those that a program may reach. A server with an address is reached by Fairlead.
	Hosts []Host `json:"hosts,omitempty"`
	// Variables are those of the definition that the program is given.
	Variables []string `json:"variables,omitempty"`
}

// Check returns an error where the grant is none for this definition.
func (g Grant) Check(d Definition) error {
	if !slices.Contains([]Folder{"", FolderNone, FolderRead, FolderWrite}, g.Folder) {
		return fmt.Errorf("the grant of the folder is %s: there are none, read and write", shownText(string(g.Folder)))
	}
	if len(g.Hosts) > maxHosts {
		return fmt.Errorf("more than %d hosts are granted", maxHosts)
	}
	if d.Kind != KindStdio && (g.Folder != FolderNone && g.Folder != "" || len(g.Hosts) > 0 || len(g.Variables) > 0) {
		return fmt.Errorf("the server %s is not on this computer: it can be granted nothing of it", d.Name)
	}
	for i, host := range g.Hosts {
		if err := host.check(); err != nil {
			return err
		}
		if slices.Contains(g.Hosts[:i], host) {
			return fmt.Errorf("the host %s is granted twice", host)
		}
	}
	for _, name := range g.Variables {
		if !slices.Contains(d.Variables, name) {
			return fmt.Errorf("the variable %s is granted and not in the definition", shownText(name))
		}
	}
	return nil
}

// Hash names what is granted, whatever the order: SHA-256 in hex.
func (g Grant) Hash() string {
	hosts := make([]string, len(g.Hosts))
	for i, host := range g.Hosts {
		hosts[i] = host.String()
	}
	variables := append([]string{}, g.Variables...)
	slices.Sort(hosts)
	slices.Sort(variables)
	folder := g.Folder
	if folder == "" {
		folder = FolderNone
	}
	return hashOf("grant", []any{folder, hosts, variables})
}

// String is the grant in words, without a full stop.
func (g Grant) String() string {
	text := map[Folder]string{FolderRead: "reads the folder", FolderWrite: "reads and changes the folder"}[g.Folder]
	if text == "" {
		text = "sees nothing of the folder"
	}
	if len(g.Hosts) == 0 {
		text += "; has no network"
	} else {
		hosts := make([]string, len(g.Hosts))
		for i, host := range g.Hosts {
			hosts[i] = host.String()
		}
		text += "; reaches " + strings.Join(hosts, ", ")
	}
	if len(g.Variables) > 0 {
		text += "; is given " + strings.Join(g.Variables, ", ")
	}
	return text
}
