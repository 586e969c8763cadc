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
	// Grant says in English, without a full stop, what the server can reach.
	Grant string `json:"grant"`
	// ReadOnly is the server's word that the tool changes nothing.
	ReadOnly bool `json:"readOnly,omitempty"`
}
