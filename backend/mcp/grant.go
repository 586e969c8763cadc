package mcp

import (
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/publicnet"
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
type Host = publicnet.Host

// ParseHost reads a host as a user writes it: a name and a port, which is 443 where there is none.
func ParseHost(text string) (Host, error) { return publicnet.ParseHost(text) }

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
		if err := host.Check(); err != nil {
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
