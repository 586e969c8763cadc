package message

// ResultData is what a tool knows of a result beside its text, for programs: what
// shows a result reads this and never the text. A tool sets what it knows; the zero value
// of a field means that it does not apply.
type ResultData struct {
	// ExitCode is that of a command that has ended by itself; nil where a signal ended
	// it, or nobody knows.
	ExitCode *int `json:"exitCode,omitempty"`
	// Signal names the signal that ended a command: SIGKILL.
	Signal string `json:"signal,omitempty"`
	// Exceeded is the limit at which a command was ended.
	Exceeded *Exceeded `json:"exceeded,omitempty"`
	// Network says that a command had the network.
	Network bool `json:"network,omitempty"`
	// ProcessID names the command in the background that a call started or was about.
	ProcessID string `json:"processId,omitempty"`
	// Running says that it still ran, Killed that the call ended it.
	Running bool `json:"running,omitempty"`
	Killed  bool `json:"killed,omitempty"`
	// Covered are the files and folders that may hold keys, and that a command which failed saw
	// empty, by their paths in the folder.
	Covered []string `json:"covered,omitempty"`
	// Changes says what became of the changes that a call had made in a copy; empty for a
	// call that had none.
	Changes ChangesFate `json:"changes,omitempty"`
	// HTTPStatus is the status of an answer, ContentType its media type without
	// parameters, and URL where it came from after redirects.
	HTTPStatus  int    `json:"httpStatus,omitempty"`
	ContentType string `json:"contentType,omitempty"`
	URL         string `json:"url,omitempty"`
	// Bytes is how much was read, after decompression.
	Bytes int `json:"bytes,omitempty"`
	// Lines counts the lines of a text in the result, Entries those of a listing, and
	// Matches the lines that were looked for and found, without what is around them.
	Lines   int `json:"lines,omitempty"`
	Entries int `json:"entries,omitempty"`
	Matches int `json:"matches,omitempty"`
}

// ChangesFate is what became of the changes that a call had made in a copy.
type ChangesFate string

// What may become of them.
const (
	ChangesApplied ChangesFate = "applied"
	ChangesDropped ChangesFate = "dropped"
	// ChangesSetAside are kept, to be decided about later.
	ChangesSetAside ChangesFate = "set_aside"
	// ChangesNone is a call in a copy that has changed nothing.
	ChangesNone ChangesFate = "none"
)

// Resource is something that a command may use so much of.
type Resource string

// The resources.
const (
	// Memory is counted in bytes.
	Memory Resource = "memory"
	// Processes are processes and threads.
	Processes Resource = "processes"
	// Processor is the processors' time, in seconds.
	Processor Resource = "processor"
	// Written is what is written to the folder, in bytes.
	Written Resource = "written"
)

// Exceeded is a limit at which a command was ended, with all that it had started.
type Exceeded struct {
	Resource Resource `json:"resource"`
	// Used is what it used, and Most what it may, in units of the resource.
	Used uint64 `json:"used"`
	Most uint64 `json:"most"`
}
