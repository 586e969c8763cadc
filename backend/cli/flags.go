package cli

import (
	"os"
	"strings"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/models"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

// runCommand holds the flags of fairlead run, but for those that are settings (options).
type runCommand struct {
	Prompt string `arg:"" optional:"" help:"The task; - reads it from standard input."`

	Workspace string `placeholder:"DIR" help:"The folder to work on."`

	ProjectInstructions bool     `help:"Give the model AGENTS.md of the folder, and those below it, which you have read."`
	ProjectSkills       bool     `help:"Let the model read the skills of the folder, which you have read."`
	AllowNetwork        bool     `help:"Answer questions about the network with yes: of commands, and of pages of a new host."`
	AllowSecret         []string `sep:"none" placeholder:"FILE" help:"Let commands that nobody is asked about read this file of the folder, which may hold keys; can be given several times."`
	AllowTools          *string  `placeholder:"LIST" help:"Only these tools, separated by commas; empty is none."`

	NoServers bool `help:"Leave out the MCP servers that you have agreed to for the folder."`

	Session   string `placeholder:"ID" help:"Go on with a saved conversation; last is the one last worked on."`
	Draft     string `placeholder:"ID" help:"Go on with a draft, in its conversation."`
	NoSession bool   `help:"Save nothing of this conversation."`

	Output string `default:"text" enum:"text,jsonl" placeholder:"FORM" help:"text, or jsonl: the events, one a line."`
	Input  string `enum:"jsonl," default:"" placeholder:"FORM" help:"jsonl: answers and orders from standard input, one a line."`
	Stats  bool   `help:"End with one JSON line of figures on standard error."`

	DataDir string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// allowTools is the flag whose value can be empty.
const allowTools = "allow-tools"

// newTask is what flags and settings ask for. Who asks and who agrees to instructions is not
// set.
func (c *runCommand) newTask(file settings.File) (backend.Task, error) {
	endpoint, err := models.Providers(file).Choose(catalog.Choice{
		Provider: file.Value("provider"), BaseURL: file.Value("base_url"), Model: file.Value("model"), KeyEnv: file.Value("api_key_env"),
	}, os.Getenv)
	if err != nil {
		return backend.Task{}, err
	}
	if c.Session != "" && c.NoSession {
		return backend.Task{}, &usageError{
			problem: "--session and --no-session cannot both be given", hint: "leave one of them out",
		}
	}
	if c.Workspace == "" && c.Session == "" && c.Draft == "" && endpoint.Provider.Name != catalog.Demo {
		return backend.Task{}, &usageError{
			problem: "no folder is named to work on", hint: "give --workspace DIR; --workspace . is the one you are in",
		}
	}
	if c.Draft != "" && (c.Session != "" || c.NoSession) {
		return backend.Task{}, &usageError{
			problem: "--draft names a conversation, as --session does", hint: "leave out --session and --no-session",
		}
	}
	limits, err := file.Limits()
	if err != nil {
		return backend.Task{}, err
	}
	task := backend.Task{
		Folder: c.Workspace, Session: c.Session, Unsaved: c.NoSession, Endpoint: endpoint,
		Mode: session.Mode(file.Value("mode")), Limits: limits, Approve: approve.Mode(file.Value("approve")),
		AllowNetwork: c.AllowNetwork, Instructions: file.Value("instructions"),
		NoServers: c.NoServers, Memory: file.Value("memory") == "true", Presets: file.ToolPresets(), Defaults: file.ToolDefaults(),
	}
	if c.AllowTools != nil {
		task.AllowTools = strings.FieldsFunc(*c.AllowTools, func(r rune) bool { return r == ',' || r == ' ' })
	}
	return task, nil
}
