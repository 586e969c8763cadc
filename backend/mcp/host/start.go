package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"fairlead/backend/mcp"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/mcp/remote"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/publicnet"
	"fairlead/backend/sandbox"
	"fairlead/backend/sandbox/relay"
	"fairlead/backend/secret"
)

// start starts a server of the workspace, or connects to it. It implements mcp.Starter.
func (w *Workspace) start(ctx context.Context, definition mcp.Definition, grant mcp.Grant) (*mcp.Connection, error) {
	agreed, ok := w.agreement(definition.Name)
	if !ok || agreed.Definition.Hash() != definition.Hash() || agreed.Grant.Hash() != grant.Hash() {
		return nil, errors.New("it is not what the user agreed to")
	}
	if agreed.Kind != mcp.KindStdio {
		return w.host.reach(ctx, agreed)
	}
	if err := w.takeStart(agreed); err != nil {
		return nil, err
	}
	return w.startProgram(ctx, agreed)
}

// startProgram starts a server that is a program, confined.
func (w *Workspace) startProgram(ctx context.Context, a registry.Agreement) (*mcp.Connection, error) {
	h, workspace := w.host, w.path
	argv, install, err := h.findProgram(ctx, workspace, a.Server)
	if err != nil {
		return nil, err
	}
	variables, err := h.variables(ctx, a)
	if err != nil {
		return nil, err
	}
	command := process.ServerCommand{Program: argv[0], Arguments: argv[1:], Variables: variables}
	writes := a.Grant.Folder == mcp.FolderWrite
	sees := writes || a.Grant.Folder == mcp.FolderRead
	kept := Kept{Release: func() {}}
	if sees {
		if kept, err = w.lookGuarded(ctx, writes); err != nil {
			return nil, fmt.Errorf("its program was not started, because files of the folder could not be kept from it: %w", err)
		}
		command.Repositories, command.Cover = kept.Repositories, kept.Cover
	}
	place := h.placeOf(workspace, a, install)
	if install == "" {
		command.Program = showProgram(&place, argv[0])
	}
	space, err := h.Confinement().OpenServer(place)
	if err != nil {
		kept.Release()
		return nil, fmt.Errorf("its program was not started, because it could not be confined: %w", err)
	}
	server, err := process.StartServer(space, command)
	if err != nil {
		kept.Release()
		return nil, err
	}
	if sees {
		w.note(server, writes, kept.Release)
	}
	return &mcp.Connection{
		Transport: mcp.PipeTransport(server.Output, server.Input), Stderr: server.Errors, Level: server.Level(), Done: server.Done(),
		Unstarted: func() error {
			select {
			case <-server.Done():
				return server.Exit().Err
			default:
				return nil
			}
		},
		Close: server.Close,
	}, nil
}

// showProgram has a place show the program of a server, and returns its path there: a link in a
// folder that is not shown is followed.
func showProgram(place *sandbox.ServerPlace, program string) string {
	real, err := filepath.EvalSymlinks(program) //nolint:forbidigo // it is a program of the user, in no workspace
	if err != nil {
		real = program // the start will tell
	}
	within := func(folder string) bool {
		local, err := filepath.Rel(folder, program)
		return err == nil && filepath.IsLocal(local)
	}
	shown := !within(place.Home) || slices.ContainsFunc(place.Read, within)
	place.Read = append(place.Read, real)
	if shown {
		return program
	}
	return real
}

// findProgram returns what a server runs, by an absolute path, and the install that it is started
// from; empty for none.
func (h *Host) findProgram(ctx context.Context, workspace string, s registry.Server) (argv []string, dir string, err error) {
	if fetch, fetches := s.Fetches(); fetches {
		installed, err := h.Installs.Open(s.Install)
		if err != nil {
			return nil, "", fmt.Errorf("%s is not installed; install it with fairlead mcp add", message.Inline(fetch.Package))
		}
		if err := installed.Verify(ctx); err != nil {
			return nil, "", fmt.Errorf("%s: %w; remove the server and add it again", message.Inline(fetch.Package), err)
		}
		start, err := installed.Command(fetch.Args, workspace)
		return start.Argv, start.Dir, err
	}
	program := s.Command
	if !filepath.IsAbs(program) {
		found, ok := process.Find(program, workspace)
		if !ok {
			return nil, "", fmt.Errorf("%s was not found in PATH (PATH is %s)", message.Inline(program), process.SearchPath(workspace))
		}
		program = found
	}
	if !process.LiesOutside(program, workspace) {
		return nil, "", fmt.Errorf("%s is not there, or lies in the folder, where the model can change it: move it elsewhere", message.Inline(program))
	}
	return append([]string{program}, s.Args...), "", nil
}

// placeOf is where the program of a server runs.
func (h *Host) placeOf(workspace string, a registry.Agreement, install string) sandbox.ServerPlace {
	sum := sha256.Sum256([]byte(workspace + "\x00" + a.Name))
	place := sandbox.ServerPlace{
		Place:  h.Place(workspace, "server-"+hex.EncodeToString(sum[:8])),
		Access: map[mcp.Folder]sandbox.Access{mcp.FolderRead: sandbox.AccessRead, mcp.FolderWrite: sandbox.AccessWrite}[a.Grant.Folder],
		Hosts:  a.Grant.Hosts,
	}
	if place.Access == "" {
		place.Access = sandbox.AccessNone
	}
	if install != "" {
		place.Install = append(place.Install, install)
	}
	place.Reach = relay.Options{
		Dial: (&publicnet.Dialer{}).DialContext, Refused: func(host publicnet.Host, reason error) {
			h.Log.Info("a server was kept from a host", "server", a.Name, "host", host.String(), "reason", reason)
		},
	}
	return place
}

// variables are those that the program of a server is given, as NAME=value.
func (h *Host) variables(ctx context.Context, a registry.Agreement) (variables []string, err error) {
	for _, name := range a.Grant.Variables {
		value, err := h.Values.find(ctx, a.Name, name, os.LookupEnv)
		if err != nil {
			return nil, err
		}
		h.Redactor.Add(value)
		variables = append(variables, name+"="+value)
	}
	return variables, nil
}

// reach connects to a server elsewhere.
func (h *Host) reach(ctx context.Context, a registry.Agreement) (*mcp.Connection, error) {
	server, err := h.openRemote(ctx, a.Server, SignIn{})
	if err != nil {
		return nil, err
	}
	transport, end := server.Transport()
	return &mcp.Connection{
		Transport: transport, Explain: func(err error) error { return server.Explain(err) },
		Close: func() error {
			end()
			server.Close()
			return nil
		},
	}, nil
}

// SignIn is how the user signs in to a server elsewhere.
type SignIn struct {
	// Confirm asks whether the browser may be opened, and Browser opens it.
	Confirm func(context.Context, remote.Question) bool
	Browser func(url string) error
}

// openRemote makes ready what reaches a server elsewhere. With the zero SignIn nobody is asked.
func (h *Host) openRemote(ctx context.Context, s registry.Server, signIn SignIn) (*remote.Server, error) {
	proxy, roots, err := h.Network()
	if err != nil {
		return nil, err
	}
	headers := map[string]secret.Key{}
	for _, name := range s.Headers {
		value, err := h.Values.find(ctx, s.Name, name, func(string) (string, bool) { return "", false })
		if err != nil {
			return nil, err
		}
		headers[name] = secret.NewKey(value)
	}
	return remote.Open(remote.Options{
		Server: s.Name, URL: s.URL, Kind: remote.Kind(s.Kind), Private: s.Private, Headers: headers, Tokens: h.Tokens, Redactor: h.Redactor,
		Confirm: signIn.Confirm, Browser: signIn.Browser, Proxy: proxy, Roots: roots, Log: h.Log,
	})
}

// SignIn has the user sign in to a server elsewhere, which is not used otherwise. It may take as long
// as the user does.
func (h *Host) SignIn(ctx context.Context, name string, signIn SignIn) error {
	s, err := h.Registry.Server(name)
	if err != nil {
		return err
	}
	if s.Kind == mcp.KindStdio {
		return &message.Refusal{Code: message.InvalidParams, Message: fmt.Sprintf("the server %s is a program: nobody signs in to it", name)}
	}
	server, err := h.openRemote(ctx, s, signIn)
	if err != nil {
		return err
	}
	defer server.Close()
	transport, end := server.Transport()
	defer end()
	client := sdk.NewClient(&sdk.Implementation{Name: "fairlead", Version: h.Version}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return server.Explain(err)
	}
	return session.Close()
}
