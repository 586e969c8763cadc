package desktop

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"fairlead/backend"
	"fairlead/backend/mcp"
	"fairlead/backend/mcp/host"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/mcp/remote"
	"fairlead/backend/message"
)

// Servers is bound to the page: it works on the MCP servers that the user has added, for the open
// folder. What is shown of them is read over the asset routes.
type Servers struct {
	window *Window
	// changing is held while one is added, so that two answers to one page add one server.
	changing *sync.Mutex
}

// changeServer does something with a server for the open folder, and has every page read what is
// shown of it.
func changeServer[T any](s *Servers, do func(ctx context.Context, servers *host.Workspace, folder string) (T, error)) (T, error) {
	return Guard(s.window, func() (result T, err error) {
		w := s.window
		if err := w.conversations.beginCall(); err != nil {
			return result, err
		}
		defer w.conversations.endCall()
		servers, folder := w.folder.openServers()
		if servers == nil {
			_, err := w.openFolder()
			return result, err
		}
		defer w.stateChanged()
		return do(w.ctx, servers, folder)
	})
}

// Grant lets a server run for the open folder within a grant. hash is that of the server as it was
// shown; where it is another one by now, that is INVALID_STATE.
func (s *Servers) Grant(name, hash string, grant ServerGrant) (None, error) {
	return changeServer(s, func(ctx context.Context, servers *host.Workspace, folder string) (None, error) {
		server, err := s.window.backend.Servers.Registry.Server(name)
		if err != nil {
			return None{}, err
		}
		if server.Hash() != hash {
			return None{}, changedServer(name)
		}
		granted, err := grant.read(server.Definition)
		if err != nil {
			return None{}, err
		}
		if err := s.window.agreeReach(server.Definition, granted); err != nil {
			return None{}, err
		}
		if err := s.window.backend.Servers.Grant(ctx, folder, name, granted); err != nil {
			return None{}, err
		}
		startGranted(servers, name)
		return None{}, nil
	})
}

// startGranted starts a server that the user has just let run, which is a yes to its start where each
// one is asked about.
func startGranted(servers *host.Workspace, name string) {
	servers.LetStart(name)
	if server := servers.Servers.Server(name); server != nil {
		server.Start()
	}
}

// Agree agrees to the tools of a server that have this hash. Where they are others by now, that is
// INVALID_STATE.
func (s *Servers) Agree(name, hash string) (None, error) {
	return changeServer(s, func(ctx context.Context, servers *host.Workspace, _ string) (None, error) {
		// What else was changed meanwhile ends the server, and is not agreed to along with its tools.
		if _, err := servers.Refresh(); err != nil {
			return None{}, err
		}
		if server := servers.Servers.Server(name); server != nil {
			if found := server.Status().Found; found == nil || found.Hash != hash {
				return None{}, changedServer(name)
			}
		}
		return None{}, servers.Agree(ctx, name, hash)
	})
}

func changedServer(name string) error {
	return &message.Refusal{
		Code: message.InvalidState, Message: "the server " + message.Inline(name) + " has changed since it was shown; look at it again before you decide",
	}
}

// Revoke ends a server for the open folder.
func (s *Servers) Revoke(name string) (None, error) {
	return changeServer(s, func(ctx context.Context, _ *host.Workspace, folder string) (None, error) {
		return None{}, s.window.backend.Servers.Revoke(ctx, folder, name)
	})
}

// Remove forgets a server, for all folders.
func (s *Servers) Remove(name string) (None, error) {
	return changeServer(s, func(ctx context.Context, _ *host.Workspace, _ string) (None, error) {
		return None{}, s.window.backend.Servers.Remove(ctx, name)
	})
}

// Try starts a server again, and returns when it runs or does not, which its state says. Where each
// start is asked about, that is a yes to this one.
func (s *Servers) Try(name string) (None, error) {
	return changeServer(s, func(ctx context.Context, servers *host.Workspace, _ string) (None, error) {
		asking, err := servers.AsksAtStart()
		if err != nil {
			return None{}, err
		}
		if server := servers.Servers.Server(name); server != nil && slices.Contains(asking, name) {
			status := server.Status()
			if err := s.window.agreeReach(status.Definition, status.Grant); err != nil {
				return None{}, err
			}
			if status.State == mcp.StateConfigured || status.State == mcp.StateFailed {
				servers.LetStart(name)
			}
		}
		_, err = servers.Try(ctx, name)
		return None{}, err
	})
}

// asksAtStart reports whether each start of a server within a grant is asked about: the system cannot
// hold it to its hosts.
func (w *Window) asksAtStart(definition mcp.Definition, grant mcp.Grant) bool {
	return definition.Kind == mcp.KindStdio && len(grant.Hosts) > 0 && w.backend.Confinement().Level != message.LevelFull
}

// KeptValue says how a value was kept.
type KeptValue struct {
	// Unsaved is why it is kept only as long as Fairlead runs; empty where it is saved.
	Unsaved string `json:"unsaved"`
}

// SetValue keeps the value of a variable or a header of a server, which takes it at its next start.
func (s *Servers) SetValue(name, variable, value string) (KeptValue, error) {
	return changeServer(s, func(ctx context.Context, _ *host.Workspace, _ string) (KeptValue, error) {
		server, err := s.window.backend.Servers.Registry.Server(name)
		if err != nil {
			return KeptValue{}, err
		}
		if !slices.Contains(slices.Concat(server.Variables, server.Headers), variable) {
			return KeptValue{}, invalidServer(fmt.Errorf("%s is no variable or header of the server %s", message.Inline(variable), name))
		}
		s.window.backend.Redactor.Add(value)
		return unsavedValue(s.window.backend.Servers.Values.Save(ctx, name, variable, value)), nil
	})
}

func unsavedValue(err error) KeptValue {
	if err == nil {
		return KeptValue{}
	}
	return KeptValue{Unsaved: err.Error()}
}

// SignIn has the user sign in to a server elsewhere, in the browser, once a native dialog that shows
// the whole address was answered with a yes. It takes as long as the user does.
func (s *Servers) SignIn(name string) (None, error) {
	return changeServer(s, func(ctx context.Context, servers *host.Workspace, _ string) (None, error) {
		w := s.window
		var refused error
		err := w.backend.Servers.SignIn(ctx, name, host.SignIn{
			Confirm: func(_ context.Context, q remote.Question) bool {
				refused = w.agreeSignIn(q)
				return refused == nil
			},
			Browser: func(url string) error {
				w.native.OpenLink(escapeLink(url))
				return nil
			},
		})
		if refused != nil {
			return None{}, refused
		}
		if err != nil {
			return None{}, err
		}
		if servers.Servers.Server(name) != nil {
			_, err = servers.Try(ctx, name)
		}
		return None{}, err
	})
}

// agreeSignIn asks before the browser is opened.
func (w *Window) agreeSignIn(q remote.Question) error {
	words := wordingOf(w.language())
	return w.requireYes(Dialog{
		Title: words.signInTitle, Heading: fmt.Sprintf(words.signIn, message.Inline(q.Server), message.Inline(q.Issuer)),
		Text: dialogText(q.URL), Yes: words.openBrowser, No: words.cancel,
	}, "the browser is opened", "the browser was not opened", "sign in with fairlead mcp sign-in "+q.Server)
}

// agreeReach asks natively before a server may reach hosts, or is sent what the model writes, where
// the network for commands is asked about natively too (SPEC SEC-02).
func (w *Window) agreeReach(definition mcp.Definition, grant mcp.Grant) error {
	if !w.asksNatively() || definition.Kind == mcp.KindStdio && len(grant.Hosts) == 0 {
		return nil
	}
	words := wordingOf(w.language())
	dialog := Dialog{Title: words.serverTitle, Heading: words.serverReaches, Yes: words.letReach, No: words.cancel}
	lines := definition.String()
	if definition.Kind != mcp.KindStdio {
		dialog.Heading = words.serverAddress
	}
	for _, one := range grant.Hosts {
		lines += "\n" + one.String()
	}
	rows, _ := foldText(lines, nil, nil)
	dialog.Text = rows
	return w.requireYes(dialog, "a server gets the network", "the server "+definition.Name+" does not run", "add it with fairlead mcp add")
}

// ServerSwitch is a server that the user lets run for the open folder, as it is switched in the
// conversation that is shown.
type ServerSwitch struct {
	Name string `json:"name"`
	// Switch is the name by which it is switched among the sets of tools.
	Switch string    `json:"switch"`
	State  mcp.State `json:"state"`
	On     bool      `json:"on"`
}

// serverSwitches are those of the open folder. Nothing is read for it.
func (w *Window) serverSwitches(off []string) []ServerSwitch {
	all := []ServerSwitch{}
	servers, _ := w.folder.openServers()
	if servers == nil {
		return all
	}
	for _, status := range servers.Servers.States() {
		name := status.Definition.Name
		all = append(all, ServerSwitch{
			Name: name, Switch: backend.ServerSwitch(name), State: status.State, On: !slices.Contains(off, backend.ServerSwitch(name)),
		})
	}
	return all
}

// serverChanged tells the page that a server is in another state.
func (w *Window) serverChanged(folder, _ string) {
	if w.folder.currentView().path == folder {
		w.stateChanged()
	}
}

// startServers starts the servers of a workspace that the user lets run there. Where none was added,
// nothing is read.
func (w *Window) startServers(opened *place) {
	if _, err := opened.servers.Refresh(); err != nil {
		w.tellUser(err.Error())
	}
}

// isReplaced reports whether there is a server of a name already.
func isReplaced(all []registry.Server, name string) bool {
	return slices.ContainsFunc(all, func(s registry.Server) bool { return s.Name == name })
}
