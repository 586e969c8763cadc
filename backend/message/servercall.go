package message

// ServerCall is what the user is shown of the call of a tool of an MCP server. Its texts have their
// hidden characters visible.
type ServerCall struct {
	// Server and Tool are names, and Title is what the server calls the tool; empty for nothing.
	Server string `json:"server"`
	Tool   string `json:"tool"`
	Title  string `json:"title,omitempty"`
	// Arguments are indented JSON.
	Arguments string `json:"arguments"`
	// Runs is the command line of the server, or its address.
	Runs string `json:"runs"`
	// Elsewhere reports whether the server is not a program of this computer, so that it is sent the
	// arguments.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Folder is what the server can do with the folder: none, read or write. Hosts are those that it
	// can reach, as name:port, and Variables the names of those that it is given.
	Folder    string   `json:"folder"`
	Hosts     []string `json:"hosts,omitempty"`
	Variables []string `json:"variables,omitempty"`
	// Grant says all that in English, without a full stop.
	Grant string `json:"grant"`
	// ReadOnly is the server's word that the tool changes nothing.
	ReadOnly bool `json:"readOnly,omitempty"`
}
