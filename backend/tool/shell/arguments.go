package shell

import (
	"fmt"
	"strings"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
)

// waiting are the arguments of shell.
type waiting struct {
	Command string `json:"command"`
	Timeout int    `json:"timeout,omitempty" jsonschema:"seconds, 1 to 600; default 120"`
	Network bool   `json:"network,omitempty" jsonschema:"true asks the user for network access"`
}

// starting are the arguments of shell_start.
type starting struct {
	Command string `json:"command"`
	Network bool   `json:"network,omitempty" jsonschema:"true asks the user for network access"`
}

// pointing are the arguments of shell_status and shell_kill.
type pointing struct {
	ProcessID string `json:"processId" jsonschema:"from shell_start"`
}

// readWaiting reads and checks the arguments of shell.
func readWaiting(in tool.Input) (waiting, *message.ToolError) {
	args, err := tool.Decode[waiting](in.Arguments)
	text := unfit(args.Command)
	switch {
	case err != nil:
		text = err.Error()
	case text != "":
	case args.Timeout < 0 || args.Timeout > int(maxLimit/time.Second):
		text = fmt.Sprintf("timeout is %d: it is 1 to %.0f seconds", args.Timeout, maxLimit.Seconds())
	}
	return args, invalid(text)
}

// readStarting reads and checks the arguments of shell_start.
func readStarting(in tool.Input) (starting, *message.ToolError) {
	args, err := tool.Decode[starting](in.Arguments)
	text := unfit(args.Command)
	if err != nil {
		text = err.Error()
	}
	return args, invalid(text)
}

// readPointing reads and checks the arguments of shell_status and shell_kill.
func readPointing(in tool.Input) (pointing, *message.ToolError) {
	args, err := tool.Decode[pointing](in.Arguments)
	text := ""
	switch {
	case err != nil:
		text = err.Error()
	case args.ProcessID == "":
		text = "processId is empty"
	}
	return args, invalid(text)
}

// unfit says why a command line is none; it is empty for one.
func unfit(line string) string {
	switch {
	case strings.TrimSpace(line) == "":
		return "command is empty"
	case strings.ContainsRune(line, 0):
		return "command holds a NUL character, which no command line can"
	default:
		return ""
	}
}

// invalid is the error of arguments for which there is a text; nil without one.
func invalid(text string) *message.ToolError {
	if text == "" {
		return nil
	}
	return &message.ToolError{Code: message.InvalidArguments, Message: text}
}
