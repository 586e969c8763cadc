package desktop

import (
	"net/http"
	"slices"

	"fairlead/backend"
	"fairlead/backend/mcp"
	"fairlead/backend/mcp/registry"
	"fairlead/backend/message"
)

// ServerGrant is what a server may reach, as the user writes it.
type ServerGrant struct {
	Folder mcp.Folder `json:"folder"`
	// Hosts are names with a port, which is 443 where there is none.
	Hosts []string `json:"hosts"`
	// Variables are the names of those that it is given.
	Variables []string `json:"variables"`
}

// read returns the grant; the error is a refusal with INVALID_PARAMS.
func (g ServerGrant) read(definition mcp.Definition) (mcp.Grant, error) {
	grant := mcp.Grant{Folder: g.Folder, Variables: g.Variables}
	for _, text := range g.Hosts {
		host, err := mcp.ParseHost(text)
		if err != nil {
			return mcp.Grant{}, invalidServer(err)
		}
		grant.Hosts = append(grant.Hosts, host)
	}
	if err := grant.Check(definition); err != nil {
		return mcp.Grant{}, invalidServer(err)
	}
	return grant, nil
}

// shownGrant is a grant for the page.
func shownGrant(g mcp.Grant) ServerGrant {
	shown := ServerGrant{Folder: g.Folder, Hosts: []string{}, Variables: append([]string{}, g.Variables...)}
	if shown.Folder == "" {
		shown.Folder = mcp.FolderNone
	}
	for _, host := range g.Hosts {
		shown.Hosts = append(shown.Hosts, host.String())
	}
	return shown
}

func invalidServer(err error) error {
	return &message.Refusal{Code: message.InvalidParams, Message: err.Error()}
}

// ServerTool is a tool of a server.
type ServerTool struct {
	Name string `json:"name"`
	// Title and Description are as the server wrote them: the page makes hidden characters visible.
	Title       string `json:"title"`
	Description string `json:"description"`
	// Cut is how many bytes of the description are left out.
	Cut int `json:"cut"`
	// ReadOnly is the server's word that the tool changes nothing.
	ReadOnly bool `json:"readOnly"`
	// Text is all that the user agrees to of it, hidden characters visible.
	Text string `json:"text"`
}

// Server is a server that the user has added, as it is for the open folder.
type Server struct {
	Name string   `json:"name"`
	Kind mcp.Kind `json:"kind"`
	// Runs is its command line, or its address, hidden characters visible.
	Runs      string   `json:"runs"`
	Variables []string `json:"variables"`
	Headers   []string `json:"headers"`
	// Package is what is installed for it, with its exact version; empty for nothing.
	Package string `json:"package"`
	// Private reports whether its address may be one of this computer or of a private network.
	Private bool `json:"private"`
	// Hash is what a grant is bound to.
	Hash string `json:"hash"`
	// Grant is null where the user does not let it run for the folder.
	Grant *ServerGrant `json:"grant"`
	// AsksAtStart reports whether each start is asked about, because the system cannot hold it to the
	// hosts that it was granted.
	AsksAtStart bool      `json:"asksAtStart"`
	State       mcp.State `json:"state"`
	// Reason is why it is suspended or has failed.
	Reason string        `json:"reason"`
	Level  message.Level `json:"level"`
	// Agreed reports whether the user has agreed to tools of it.
	Agreed bool `json:"agreed"`
	// ToolsHash is that of Tools, which agreeing is bound to; both are those that it has listed last,
	// or else those agreed to.
	ToolsHash string       `json:"toolsHash"`
	Tools     []ServerTool `json:"tools"`
	// Difference is how they differ from those agreed to, where it is suspended for that.
	Difference *mcp.Difference `json:"difference"`
	LeftOut    []mcp.LeftOut   `json:"leftOut"`
	// Log are the last lines that it has written.
	Log []string `json:"log"`
	// On reports whether it is switched on in the conversation that is shown.
	On bool `json:"on"`
}

// ServerList are all servers that the user has added, by name.
type ServerList struct {
	Servers []Server `json:"servers"`
	// Path is the file that they are in.
	Path string `json:"path"`
}

// readServers lists the servers, as they are for the open folder.
func (w *Window) readServers(request *http.Request) (any, error) {
	all, err := w.backend.Servers.Registry.Servers()
	if err != nil {
		return nil, err
	}
	list := ServerList{Servers: []Server{}, Path: w.backend.Servers.Registry.Path()}
	view := w.folder.currentView()
	off, err := w.groupsOff(request.Context(), view.shown)
	if err != nil && !isMissing(err) {
		return nil, err
	}
	servers, _ := w.folder.openServers()
	var agreed []string
	if servers != nil {
		if agreed, err = servers.Refresh(); err != nil {
			return nil, err
		}
	}
	for _, one := range all {
		shown := w.shownServer(one)
		shown.On = !slices.Contains(off, backend.ServerSwitch(one.Name))
		if slices.Contains(agreed, one.Name) {
			if server := servers.Servers.Server(one.Name); server != nil {
				status := server.Status()
				shown.addStatus(status)
				shown.AsksAtStart = w.asksAtStart(status.Definition, status.Grant)
			}
		}
		list.Servers = append(list.Servers, shown)
	}
	return list, nil
}

// shownServer is a server that is not let run.
func (w *Window) shownServer(server registry.Server) Server {
	shown := Server{
		Name: server.Name, Kind: server.Kind, Runs: server.String(), Private: server.Private, Hash: server.Hash(), State: mcp.StateConfigured,
		Variables: append([]string{}, server.Variables...), Headers: append([]string{}, server.Headers...),
		Tools: []ServerTool{}, LeftOut: []mcp.LeftOut{}, Log: []string{},
	}
	if installed, err := w.backend.Servers.Installs.Open(server.Install); err == nil {
		shown.Package = installed.Package + "@" + installed.Version
	}
	return shown
}

// addStatus adds what is known of a server that is let run.
func (s *Server) addStatus(status mcp.Status) {
	grant := shownGrant(status.Grant)
	s.Grant, s.State, s.Reason, s.Level = &grant, status.State, status.Reason, status.Level
	s.Agreed, s.Difference = status.Agreed != nil, status.Difference
	s.LeftOut, s.Log = append(s.LeftOut, status.LeftOut...), append(s.Log, status.Log...)
	pin := status.Found
	if pin == nil {
		pin = status.Agreed
	}
	if pin == nil {
		return
	}
	s.ToolsHash = pin.Hash
	for _, t := range pin.Tools {
		s.Tools = append(s.Tools, ServerTool{
			Name: t.Name, Title: t.Title, Description: t.Description, Cut: t.Cut,
			ReadOnly: t.ReadOnly(), Text: t.String(),
		})
	}
}
