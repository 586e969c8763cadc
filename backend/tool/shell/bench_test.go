package shell_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/tooltest"
	"fairlead/backend/workspace"
)

// bench are the tools in a folder of their own.
type bench struct {
	shell.Options
	tools map[string]tool.Tool
}

// open returns the tools. set may change the options; it may be nil.
func open(t *testing.T, set func(o *shell.Options)) *bench {
	t.Helper()
	folder, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	outputs, err := workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = outputs.Remove() })
	b := &bench{shell.Options{Folder: folder, Outputs: outputs, Level: always(message.LevelFull)}, map[string]tool.Tool{}}
	b.Jobs = process.NewJobs(process.JobsOptions{})
	if set != nil {
		set(&b.Options)
	}
	t.Cleanup(b.Jobs.Close)
	for _, subject := range shell.New(b.Options) {
		b.tools[subject.Definition().Name] = subject
	}
	return b
}

// input is a call of a name, from which its id follows, with arguments.
func input(arguments string) tool.Input {
	return tool.Input{CallID: "call-1", Arguments: json.RawMessage(arguments)}
}

// run calls a tool.
func (b *bench) run(t *testing.T, name, arguments string) message.Result {
	t.Helper()
	return tooltest.Run(t.Context(), b.tools[name], input(arguments))
}

// command is the arguments of a call that runs the line.
func command(t *testing.T, line string) string {
	text, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// always is a level that is known.
func always(level message.Level) func() message.Level {
	return func() message.Level { return level }
}
