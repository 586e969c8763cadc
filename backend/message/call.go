package message

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
)

// Call is one tool call that a model asked for.
type Call struct {
	// ID is the provider's id, made unique within the session.
	ID string `json:"id"`
	// Name is the tool asked for.
	Name string `json:"name"`
	// Arguments is the JSON object to call the tool with; nil when what the model
	// wrote was not one and could not be repaired.
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Raw is what the model wrote, to the byte.
	Raw string `json:"rawArguments,omitempty"`
	// Repaired says that Arguments was mended from Raw, which was malformed or had a key
	// twice.
	Repaired bool `json:"repaired,omitempty"`
	// Written says that the model wrote the call into the text of its reply, so that
	// it may have been meant as an example: the user decides, whatever the tool (SPEC
	// MSG-08).
	Written bool `json:"written,omitempty"`
	// Extra is what the provider sent with the call and wants back with it; nil for
	// nothing.
	Extra json.RawMessage `json:"extra,omitempty"`
}

// WithKeysOnce returns the call with each key of its arguments once (see LastOfEachKey).
func (c Call) WithKeysOnce() Call {
	once := LastOfEachKey(c.Arguments)
	c.Repaired = c.Repaired || len(once) != len(c.Arguments)
	c.Arguments = once
	return c
}

// Hash names exactly this tool with exactly these argument bytes (hex SHA-256).
// An approval carries it, so that it can serve for nothing else.
func (c Call) Hash() string {
	sum := sha256.New()
	sum.Write([]byte(c.Name))
	sum.Write([]byte{0})
	sum.Write(c.Arguments)
	return hex.EncodeToString(sum.Sum(nil))
}

// ToolCode is a tool failure's code. The list is closed (SPEC DSP-04).
type ToolCode string

// The codes of tool failures.
const (
	ToolNotFound         ToolCode = "TOOL_NOT_FOUND"
	ToolNotAllowed       ToolCode = "TOOL_NOT_ALLOWED"
	InvalidArguments     ToolCode = "INVALID_ARGUMENTS"
	ExecutionError       ToolCode = "EXECUTION_ERROR"
	ToolTimeout          ToolCode = "TOOL_TIMEOUT"
	Rejected             ToolCode = "REJECTED"
	ConfirmTimeout       ToolCode = "CONFIRM_TIMEOUT"
	Cancelled            ToolCode = "CANCELLED"
	DoomLoop             ToolCode = "DOOM_LOOP"
	PathOutsideWorkspace ToolCode = "PATH_OUTSIDE_WORKSPACE"
	UnsupportedFile      ToolCode = "UNSUPPORTED_FILE"
	FileNotFound         ToolCode = "FILE_NOT_FOUND"
	DeniedFile           ToolCode = "DENIED_FILE"
	StaleFile            ToolCode = "STALE_FILE"
	EditNoMatch          ToolCode = "EDIT_NO_MATCH"
	EditAmbiguous        ToolCode = "EDIT_AMBIGUOUS"
	CommandFailed        ToolCode = "COMMAND_FAILED"
	ProcessNotFound      ToolCode = "PROCESS_NOT_FOUND"
	HTTPError            ToolCode = "HTTP_ERROR"
	NetworkDenied        ToolCode = "NETWORK_DENIED"
	OutputTooLarge       ToolCode = "OUTPUT_TOO_LARGE"
)

// ToolError is why a call failed, in words for the model and the user.
type ToolError struct {
	Code    ToolCode `json:"code"`
	Message string   `json:"message"`
}

func (e *ToolError) Error() string { return string(e.Code) + ": " + e.Message }

// Result is the result of a tool call.
type Result struct {
	// Content is what the tool returned. A failed call can have some too: a command's
	// output, for one.
	Content Content `json:"content,omitempty"`
	// Data is what of it programs need: a command's exit code, for one. Nil for nothing.
	Data *ResultData `json:"data,omitempty"`
	// Error is nil when the call succeeded.
	Error *ToolError `json:"error,omitempty"`
	// Truncated says that Content is not the whole output.
	Truncated bool `json:"truncated,omitempty"`
	// ProcessID names the command in the background that the call started, or that its
	// own was moved to; empty for other calls.
	ProcessID string `json:"processId,omitempty"`
	// Level is how far a command was confined; empty for a call that ran none.
	Level Level `json:"level,omitempty"`
	// Notices are what the user should know beside the result. The model reads them
	// after Text.
	Notices []Notice `json:"notices,omitempty"`
	// Changes are the files the call changed, relative to the workspace.
	Changes []Change `json:"changes,omitempty"`
	// Duration is how long the call ran, waiting for the user not included.
	Duration time.Duration `json:"durationNs"`
}

// Change is one path that a call changed.
type Change struct {
	// Path is relative to the workspace, with slashes.
	Path string `json:"path"`
	// Kind is created, modified or deleted.
	Kind string `json:"kind"`
	// Added and Removed count lines, of texts.
	Added   int `json:"added"`
	Removed int `json:"removed"`
	// Op is what was done: create, modify, delete, mkdir, rmdir, symlink or mode. It and
	// what follows is empty in results that were saved before changes could be taken back.
	Op string `json:"op,omitempty"`
	// From is the path that it was moved from, and To the one that it was moved to.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// SetID names the change set that it is in (SPEC CHG-11).
	SetID string `json:"setId,omitempty"`
}

// Fail returns a failed result.
func Fail(code ToolCode, text string) Result {
	return Result{Error: &ToolError{Code: code, Message: text}}
}

// Success reports whether the call succeeded.
func (r Result) Success() bool { return r.Error == nil }

// Text is the result in plain text, an error first with its code and a colon, never
// empty. The notices are not in it.
func (r Result) Text() string {
	content := r.Content.Text()
	switch {
	case r.Error == nil && content == "":
		return "(no output)"
	case r.Error == nil:
		return content
	case content == "":
		return r.Error.Error()
	default:
		return r.Error.Error() + "\n" + content
	}
}

// Told is the result as the model reads it: Text, and the notices in a last line. Nothing
// that shortens the text comes near that line.
func (r Result) Told() string {
	text, line := r.Text(), NoticeLine(r.Notices)
	if line != "" && !strings.HasSuffix(text, "\n") {
		line = "\n" + line
	}
	return text + line
}
