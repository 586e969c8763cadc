package cli

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/models"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

// runCommand holds the flags of fairlead run.
type runCommand struct {
	Prompt string `arg:"" optional:"" help:"The task; - reads it from standard input."`

	Workspace string `placeholder:"DIR" help:"The folder to work on."`
	Provider  string `placeholder:"NAME" help:"openai, anthropic, openrouter, ollama or another one, one of your settings file, or demo for the guided tour; a wrong name lists all."`
	BaseURL   string `name:"base-url" placeholder:"URL" help:"Any OpenAI-compatible endpoint."`
	Model     string `placeholder:"NAME" help:"The model's name at the provider."`
	APIKeyEnv string `name:"api-key-env" placeholder:"VAR" help:"The environment variable that holds the key for this endpoint."`

	Approve string `placeholder:"MODE" help:"What passes unasked: ask (nothing), writes (file changes), all, none (refuse what would ask); without it ${default}."`
	Mode    string `placeholder:"MODE" help:"react works with tools, single answers once without; without it ${default}."`

	MaxSteps       int            `placeholder:"N" help:"Tool rounds (${default})."`
	RunTimeout     time.Duration  `placeholder:"D" help:"Time of the whole run, without waiting for you (${default})."`
	StepTimeout    time.Duration  `placeholder:"D" help:"How long the model may stay silent (${default})."`
	ToolTimeout    *time.Duration `placeholder:"D" help:"Time of one tool call (60s, commands 2m)."`
	ConfirmTimeout time.Duration  `placeholder:"D" help:"How long a question waits for you (${default})."`
	Attempts       int            `placeholder:"N" help:"Tries of one model call (${default}); 1 is no retry."`
	Parallel       int            `placeholder:"N" help:"Calls that run side by side (${default})."`
	Budget         int            `placeholder:"TOKENS" help:"Tokens after which a run asks before it goes on (${default} is no limit)."`
	ContextWindow  int            `placeholder:"N" help:"Tokens that the model takes at once (${default} is what is known of it)."`

	StopOnToolError     bool    `help:"End the run after a round with a failed call."`
	NoDoom              bool    `help:"Let the model repeat the same calls, or words, without end."`
	NoCompact           bool    `help:"Never leave out or sum up what was said, however long it gets."`
	ProjectInstructions bool    `help:"Give the model AGENTS.md of the folder, which you have read."`
	AllowNetwork        bool    `help:"Answer questions about the network with yes: of commands, and of pages of a new host."`
	AllowTools          *string `placeholder:"LIST" help:"Only these tools, separated by commas; empty is none."`

	Session   string `placeholder:"ID" help:"Go on with a saved conversation; last is the one last worked on."`
	NoSession bool   `help:"Save nothing of this conversation."`

	Output string `default:"text" enum:"text,jsonl" placeholder:"FORM" help:"text, or jsonl: the events, one a line."`
	Input  string `enum:"jsonl," default:"" placeholder:"FORM" help:"jsonl: answers and orders from standard input, one a line."`
	Stats  bool   `help:"End with one JSON line of figures on standard error."`

	DataDir  string `placeholder:"DIR" help:"Keep all state in this folder."`
	LogLevel string `placeholder:"LEVEL" help:"debug, info, warn or error."`
}

// check tests the ranges of the settings that were given.
func (c *runCommand) check() error {
	given := [][2]string{
		{"approve", c.Approve},
		{"mode", c.Mode},
		{"max-steps", strconv.Itoa(c.MaxSteps)},
		{"run-timeout", c.RunTimeout.String()},
		{"step-timeout", c.StepTimeout.String()},
		{"confirm-timeout", c.ConfirmTimeout.String()},
		{"attempts", strconv.Itoa(c.Attempts)},
		{"parallel", strconv.Itoa(c.Parallel)},
		{"budget", strconv.Itoa(c.Budget)},
		{"context-window", strconv.Itoa(c.ContextWindow)},
		{"api-key-env", c.APIKeyEnv},
		{"log-level", c.LogLevel},
	}
	if c.ToolTimeout != nil {
		given = append(given, [2]string{"tool-timeout", c.ToolTimeout.String()})
	}
	for _, flag := range given {
		if err := settings.Check(flag[0], flag[1]); err != nil {
			return unusable(fmt.Errorf("--%s %w", flag[0], err))
		}
	}
	// These are settings without a flag, whose file was checked when it was read.
	for _, setting := range unflagged {
		variable := settings.Variable(setting)
		if value, ok := os.LookupEnv(variable); ok {
			if err := settings.Check(setting, value); err != nil {
				return unusable(fmt.Errorf("%s %w", variable, err))
			}
		}
	}
	return nil
}

// allowTools is the flag whose value can be empty.
const allowTools = "allow-tools"

// The settings that have no flag.
const (
	continueMessage = "continue-message"
	instructions    = "instructions"
)

// unflagged are these and those of how models are called, which the backend is given.
var unflagged = []string{
	continueMessage, instructions, "reasoning-effort", "max-output-tokens", "temperature", "budget-usd", "proxy", "ca-file",
}

// task is what the flags ask for, and the settings that have none. Who asks and who
// agrees to instructions is not set.
func (c *runCommand) task(file settings.File) (backend.Task, error) {
	endpoint, err := models.Providers(file).Choose(catalog.Choice{
		Provider: c.Provider, BaseURL: c.BaseURL, Model: c.Model, KeyEnv: c.APIKeyEnv,
	}, os.Getenv)
	if err != nil {
		return backend.Task{}, err
	}
	if c.Session != "" && c.NoSession {
		return backend.Task{}, &usageError{
			problem: "--session and --no-session cannot both be given", hint: "leave one of them out",
		}
	}
	if c.Workspace == "" && c.Session == "" && endpoint.Provider.Name != catalog.Demo {
		return backend.Task{}, &usageError{
			problem: "no folder is named to work on", hint: "give --workspace DIR; --workspace . is the one you are in",
		}
	}
	limits, err := file.Limits()
	if err != nil {
		return backend.Task{}, err
	}
	task := backend.Task{
		Folder: c.Workspace, Session: c.Session, Unsaved: c.NoSession, Endpoint: endpoint, Mode: session.Mode(c.Mode),
		Limits: session.Limits{
			MaxSteps: c.MaxSteps, Run: c.RunTimeout, Silence: c.StepTimeout, Attempts: c.Attempts,
			Parallel: c.Parallel, StopOnToolError: c.StopOnToolError, Budget: c.Budget,
			NoDoom: c.NoDoom, NoCompact: c.NoCompact, Urge: limits.ContinueMessage, BudgetUSD: limits.BudgetUSD,
		},
		Approve:        approve.Mode(c.Approve),
		AllowNetwork:   c.AllowNetwork,
		ConfirmTimeout: c.ConfirmTimeout,
		ContextWindow:  c.ContextWindow,
		Instructions:   file.Value(instructions),
		Presets:        file.ToolPresets(),
		Defaults:       file.ToolDefaults(),
	}
	if c.ToolTimeout != nil {
		task.ToolTimeout = *c.ToolTimeout
	}
	if c.AllowTools != nil {
		task.AllowTools = strings.FieldsFunc(*c.AllowTools, func(r rune) bool { return r == ',' || r == ' ' })
	}
	return task, nil
}
