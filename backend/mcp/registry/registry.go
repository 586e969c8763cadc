// Package registry keeps which MCP servers the user has added, and what they have agreed to for each
// workspace. Definitions are in the configuration folder, in a file that the user may write too.
// Agreements lie in the state folder: each is to a definition, a grant and a set of tools as they
// were, and holds for nothing else. No value of a variable or a header is in either.
package registry

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fairlead/backend/mcp"
	"fairlead/backend/message"
	"fairlead/backend/settings"
)

const (
	// File is the name of the file with the definitions in the configuration folder.
	File = "servers.json"
	// agreementsFile and pinsFolder are those of the state folder: the agreements, and the sets of
	// tools, by their hashes.
	agreementsFile = "server-agreements.json"
	pinsFolder     = "server-tools"
	// maxFile bounds a file that is read, in bytes.
	maxFile = 16 << 20
	// maxServers is how many servers there may be.
	maxServers = 200
)

// Server is a server that the user has added.
type Server struct {
	mcp.Definition
	// Install is the name of the install that it is started from, where its definition fetches;
	// empty for others.
	Install string
	// Private reports whether the user has agreed to an address of this computer or of a private
	// network.
	Private bool
}

// Hash names everything that decides what runs or where it connects: SHA-256 in hexadecimal.
func (s Server) Hash() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %q %v", s.Definition.Hash(), s.Install, s.Private))
	return hex.EncodeToString(sum[:])
}

// Agreement is what the user agreed to of a server, for one workspace.
type Agreement struct {
	Server
	Grant mcp.Grant
	// Pin is its set of tools; nil where none was agreed to yet.
	Pin *mcp.Pin
}

// kept is an agreement in the file.
type kept struct {
	Workspace string    `json:"workspace"`
	Name      string    `json:"name"`
	Server    string    `json:"server"` // the hash of the server
	Grant     mcp.Grant `json:"grant"`
	Tools     string    `json:"tools,omitempty"` // the hash of the set of tools
}

// Registry is safe for concurrent use, also by several processes.
type Registry struct{ config, state string }

// New returns the registry of a configuration folder and a state folder, which need not exist.
func New(config, state string) *Registry { return &Registry{config, state} }

// Path is the file with the definitions.
func (r *Registry) Path() string { return filepath.Join(r.config, File) }

// Stamp changes whenever what the registry keeps does; it costs next to nothing.
func (r *Registry) Stamp() string {
	var stamp []byte
	for _, path := range []string{r.Path(), r.agreements()} {
		if info, err := os.Stat(path); err == nil {
			stamp = fmt.Appendf(stamp, "%d %d;", info.ModTime().UnixNano(), info.Size())
		}
	}
	return string(stamp)
}

func (r *Registry) agreements() string { return filepath.Join(r.state, agreementsFile) }

// definitions is the file with the definitions, by name.
type definitions struct {
	Servers map[string]written `json:"servers"`
}

// written is a server in the file. One with an address is reached over streamable HTTP, and any other
// is a program, unless the kind says otherwise.
type written struct {
	Kind      mcp.Kind `json:"kind,omitempty"`
	Command   string   `json:"command,omitempty"`
	Args      []string `json:"args,omitempty"`
	URL       string   `json:"url,omitempty"`
	Variables []string `json:"variables,omitempty"`
	Headers   []string `json:"headers,omitempty"`
	Install   string   `json:"install,omitempty"`
	Private   bool     `json:"private,omitempty"`
}

// server returns what is written under a name.
func (w written) server(name string) Server {
	if w.Kind == "" {
		w.Kind = mcp.KindStdio
		if w.URL != "" {
			w.Kind = mcp.KindHTTP
		}
	}
	slices.Sort(w.Variables)
	slices.Sort(w.Headers)
	return Server{
		Definition: mcp.Definition{
			Name: name, Kind: w.Kind, Command: w.Command, Args: w.Args, URL: w.URL, Variables: w.Variables, Headers: w.Headers,
		},
		Install: w.Install, Private: w.Private,
	}
}

// Servers returns the servers that the user has added, in the order of names. No file is none; the
// error names a file that cannot be used, which stays as it is.
func (r *Registry) Servers() ([]Server, error) {
	var file definitions
	if err := readJSON(r.Path(), &file); err != nil {
		return nil, fmt.Errorf("read the MCP servers: %w", err)
	}
	servers := make([]Server, 0, len(file.Servers))
	for name, w := range file.Servers {
		server := w.server(name)
		if err := server.Check(); err != nil {
			return nil, fmt.Errorf("read the MCP servers: %s: %w", r.Path(), err)
		}
		servers = append(servers, server)
	}
	slices.SortFunc(servers, func(a, b Server) int { return cmp.Compare(a.Name, b.Name) })
	return servers, nil
}

// Put adds a server, in the place of one of the same name, to which no agreement holds any more.
func (r *Registry) Put(ctx context.Context, server Server) error {
	if err := server.Check(); err != nil {
		return err
	}
	return r.change(ctx, "add an MCP server", func() error {
		servers, err := r.Servers()
		if err != nil {
			return err
		}
		servers = slices.DeleteFunc(servers, func(s Server) bool { return s.Name == server.Name })
		if len(servers) == maxServers {
			return &message.Refusal{Code: message.InvalidState, Message: fmt.Sprintf("there are %d servers already; remove one first", maxServers)}
		}
		return r.writeServers(append(servers, server))
	})
}

// Remove removes a server with all agreements to it. One that is not there is a *message.Refusal
// with NOT_FOUND.
func (r *Registry) Remove(ctx context.Context, name string) error {
	return r.change(ctx, "remove an MCP server", func() error {
		servers, err := r.Servers()
		if err != nil {
			return err
		}
		at := slices.IndexFunc(servers, func(s Server) bool { return s.Name == name })
		if at < 0 {
			return missing(name)
		}
		all, err := r.readAgreements()
		if err != nil {
			return err
		}
		if err := r.writeAgreements(slices.DeleteFunc(all, func(k kept) bool { return k.Name == name })); err != nil {
			return err
		}
		return r.writeServers(slices.Delete(servers, at, at+1))
	})
}

// Server returns a server by its name. One that is not there is a *message.Refusal with NOT_FOUND.
func (r *Registry) Server(name string) (Server, error) {
	servers, err := r.Servers()
	if err != nil {
		return Server{}, err
	}
	at := slices.IndexFunc(servers, func(s Server) bool { return s.Name == name })
	if at < 0 {
		return Server{}, missing(name)
	}
	return servers[at], nil
}

func missing(name string) error {
	return &message.Refusal{Code: message.NotFound, Message: fmt.Sprintf("there is no MCP server %s; fairlead mcp list shows those that there are", message.Inline(name))}
}

// Agreed returns the servers that the user agreed to for a workspace, in the order of names. Where a
// server has changed since, the agreement holds no longer.
func (r *Registry) Agreed(workspace string) ([]Agreement, error) {
	servers, err := r.Servers()
	if err != nil || len(servers) == 0 {
		return nil, err
	}
	all, err := r.readAgreements()
	if err != nil {
		return nil, err
	}
	var agreed []Agreement
	for _, server := range servers {
		for _, k := range all {
			if k.Workspace != workspace || k.Name != server.Name || k.Server != server.Hash() {
				continue
			}
			agreement := Agreement{Server: server, Grant: k.Grant}
			if agreement.Pin, err = r.readPin(k.Tools); err != nil {
				return nil, err
			}
			agreed = append(agreed, agreement)
		}
	}
	return agreed, nil
}

// Agree notes that the user agreed to a server as it is now for a workspace, with a grant, and with
// a set of tools, which may be nil for none yet.
func (r *Registry) Agree(ctx context.Context, workspace, name string, grant mcp.Grant, pin *mcp.Pin) error {
	return r.change(ctx, "note the agreement to an MCP server", func() error {
		server, err := r.Server(name)
		if err != nil {
			return err
		}
		if err := grant.Check(server.Definition); err != nil {
			return err
		}
		k := kept{Workspace: workspace, Name: name, Server: server.Hash(), Grant: grant}
		if pin != nil {
			k.Tools = pin.Hash
			if err := r.writePin(pin); err != nil {
				return err
			}
		}
		all, err := r.readAgreements()
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(old kept) bool { return old.Workspace == workspace && old.Name == name })
		return r.writeAgreements(append(all, k))
	})
}

// Revoke removes the agreement to a server for a workspace; none to remove is no error.
func (r *Registry) Revoke(ctx context.Context, workspace, name string) error {
	return r.change(ctx, "take back the agreement to an MCP server", func() error {
		all, err := r.readAgreements()
		if err != nil {
			return err
		}
		return r.writeAgreements(slices.DeleteFunc(all, func(k kept) bool { return k.Workspace == workspace && k.Name == name }))
	})
}

// change keeps other processes, and this one, from changing the files meanwhile.
func (r *Registry) change(ctx context.Context, what string, do func() error) (err error) {
	if err := errors.Join(settings.MakeFolder(r.config), settings.MakeFolder(r.state)); err != nil {
		return err
	}
	unlock, err := settings.LockFile(ctx, filepath.Join(r.state, agreementsFile+".lock"))
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	if err := do(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func (r *Registry) writeServers(servers []Server) error {
	file := definitions{map[string]written{}}
	for _, s := range servers {
		file.Servers[s.Name] = written{s.Kind, s.Command, s.Args, s.URL, s.Variables, s.Headers, s.Install, s.Private}
	}
	content, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	return settings.ReplaceFile(r.Path(), append(content, '\n'), 0o600)
}

func (r *Registry) readAgreements() ([]kept, error) {
	var all []kept
	if err := readJSON(r.agreements(), &all); err != nil {
		return nil, fmt.Errorf("read what was agreed to of MCP servers: %w", err)
	}
	return all, nil
}

// writeAgreements writes the agreements, and removes the sets of tools that none of them names.
func (r *Registry) writeAgreements(all []kept) error {
	if err := writeJSON(r.agreements(), all); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(r.state, pinsFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		if !slices.ContainsFunc(all, func(k kept) bool { return k.Tools+".json" == entry.Name() }) {
			if err := os.Remove(filepath.Join(r.state, pinsFolder, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Registry) pinPath(hash string) string {
	return filepath.Join(r.state, pinsFolder, filepath.Base(hash)+".json")
}

// readPin returns a set of tools; nil for an empty hash, and for one that is gone, to which the user
// is asked to agree once more.
func (r *Registry) readPin(hash string) (*mcp.Pin, error) {
	if hash == "" {
		return nil, nil //nolint:nilnil // no set is none
	}
	pin := &mcp.Pin{}
	if err := readJSON(r.pinPath(hash), pin); err != nil {
		return nil, fmt.Errorf("read the tools of an MCP server: %w", err)
	}
	if pin.Hash != hash {
		return nil, nil //nolint:nilnil // as above
	}
	return pin, nil
}

func (r *Registry) writePin(pin *mcp.Pin) error {
	if err := settings.MakeFolder(filepath.Join(r.state, pinsFolder)); err != nil {
		return err
	}
	return writeJSON(r.pinPath(pin.Hash), pin)
}

// readJSON reads a file; one that is not there leaves the value as it is.
func readJSON(path string, into any) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = fmt.Errorf("it has more than %d MiB", maxFile>>20)
	}
	if err == nil {
		reading := json.NewDecoder(bytes.NewReader(content))
		reading.DisallowUnknownFields()
		err = reading.Decode(into)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; mend it with an editor, or move it away", path, err)
	}
	return nil
}

func writeJSON(path string, value any) error {
	content, err := json.Marshal(value) // a schema with white space would be longer for the model
	if err != nil {
		return err
	}
	return settings.ReplaceFile(path, content, 0o600)
}
