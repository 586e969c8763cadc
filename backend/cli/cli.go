// Package cli is the command line: it reads flags and settings, starts a run,
// writes what happens as text or as JSON lines, asks at the terminal, and turns
// the way a run ended into an exit code.
package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"fairlead/backend/settings"
)

// grammar is what can be typed, each command in a part of its own.
type grammar struct {
	runPart
	sessionsPart
	searchPart
	changesPart
	draftsPart
	undoPart
	redoPart
	workspacePart
	memoryPart
	serversPart
	doctorPart
	versionPart
}

// The parts of the grammar.
type (
	runPart struct {
		Run runCommand `cmd:"" help:"Work on a task in a folder."`
	}
	sessionsPart struct {
		Sessions sessionsCommand `cmd:"" help:"List, show, export, rename or delete saved conversations."`
	}
	searchPart struct {
		Search searchCommand `cmd:"" help:"Find a text in all saved conversations."`
	}
	changesPart struct {
		Changes changesCommand `cmd:"" help:"Show what a conversation changed in its folder."`
	}
	draftsPart struct {
		Drafts draftsCommand `cmd:"" help:"List, show, apply or drop drafts, in which runs worked on a copy of their folder."`
	}
	undoPart struct {
		Undo undoCommand `cmd:"" help:"Take back what a conversation changed."`
	}
	redoPart struct {
		Redo redoCommand `cmd:"" help:"Make again what was taken back."`
	}
	workspacePart struct {
		Workspace workspaceCommand `cmd:"" help:"Say that a folder was moved or renamed."`
	}
	memoryPart struct {
		Memory memoryCommand `cmd:"" help:"Show or delete what was noted about a folder in earlier conversations."`
	}
	serversPart struct {
		MCP serversCommand `cmd:"" name:"mcp" help:"Add MCP servers, agree to them for a folder, test and remove them."`
	}
	doctorPart struct {
		Doctor doctorCommand `cmd:"" help:"Check what Fairlead needs and say what to do."`
	}
	versionPart struct {
		Version versionCommand `cmd:"" help:"Print the version."`
	}
)

// neededGrammar is the part of the grammar that the arguments need, all of it where they begin
// with no command: reading the flags of every command takes longer than many a command.
func neededGrammar(args []string) any {
	switch args[0] {
	case "run":
		return &runPart{}
	case "sessions":
		return &sessionsPart{}
	case "search":
		return &searchPart{}
	case "changes":
		return &changesPart{}
	case "drafts":
		return &draftsPart{}
	case "undo":
		return &undoPart{}
	case "redo":
		return &redoPart{}
	case "workspace":
		return &workspacePart{}
	case "memory":
		return &memoryPart{}
	case "mcp":
		return &serversPart{}
	case "doctor":
		return &doctorPart{}
	case "version":
		return &versionPart{}
	}
	return &grammar{}
}

// surroundings are what every command is given.
type surroundings struct {
	streams Streams
	// interrupts end the program until a run takes them.
	interrupts *interrupts
	options    options
	file       settings.File
	fileErr    error
	folders    settings.Folders
}

// Main runs the command line and returns the exit code.
func Main(args []string, streams Streams) int {
	if len(args) == 0 {
		if err := openWindow(streams); err != nil {
			return reportError(streams.Err, err)
		}
		return exitOK
	}
	interrupts := noticeInterrupts()
	defer interrupts.release()
	folders, err := settings.FindFolders(dataDir(args))
	if err != nil {
		return reportError(streams.Err, &usageError{problem: err.Error()})
	}
	file, fileErr := settings.ReadFile(folders.Config)
	code, done := exitOK, false
	with := &surroundings{streams: streams, interrupts: interrupts, file: file, fileErr: fileErr, folders: folders}
	parser, err := kong.New(neededGrammar(args),
		kong.Name("fairlead"),
		kong.Description("Hand work on the files of one folder to a language model, and stay in command."),
		kong.Writers(streams.Out, streams.Err),
		kong.Exit(func(c int) { code, done = c, true }),
		kong.PostBuild(with.options.completeGrammar),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return reportError(streams.Err, fmt.Errorf("read command line: %w", err))
	}
	parsed, err := parser.Parse(args)
	if done { // help was asked for and given
		return code
	}
	if err != nil {
		return reportError(streams.Err, parseError(args, err))
	}
	if err := refuseEmpty(parsed); err != nil {
		return reportError(streams.Err, err)
	}
	if err := parsed.Run(with); err != nil {
		var ended *endedError
		if errors.As(err, &ended) {
			return ended.code
		}
		return reportError(with.streams.Err, err)
	}
	return exitOK
}

// dataDir finds --data-dir before anything else is read, because the settings
// file lies there.
func dataDir(args []string) string {
	for i, arg := range args {
		if arg == "--" {
			break
		}
		if value, ok := cutFlag(arg, "--data-dir"); ok {
			return value
		}
		if arg == "--data-dir" && i+1 < len(args) {
			return args[i+1]
		}
	}
	return os.Getenv("FAIRLEAD_DATA_DIR")
}

func cutFlag(arg, flag string) (string, bool) {
	if len(arg) <= len(flag) || arg[:len(flag)+1] != flag+"=" {
		return "", false
	}
	return arg[len(flag)+1:], true
}

// refuseEmpty refuses flags and variables that were given without a value: often it is
// a variable of a script that is not set, and what is then done is not what was meant.
// Of the flags, only the list of tools can be empty.
func refuseEmpty(parsed *kong.Context) error {
	for _, at := range parsed.Path {
		if at.Flag == nil || at.Flag.Name == allowTools {
			continue
		}
		if value, ok := at.Flag.Target.Interface().(string); ok && value == "" {
			return &usageError{problem: "--" + at.Flag.Name + " is empty", hint: "give it a value, or leave it out"}
		}
	}
	var variables []string
	for _, option := range settings.Options() {
		if option.Flag == "" {
			variables = append(variables, option.Variable())
		}
	}
	for _, flag := range parsed.Flags() {
		variables = append(variables, flag.Envs...)
	}
	for _, variable := range variables {
		if value, ok := os.LookupEnv(variable); ok && value == "" {
			return &usageError{problem: variable + " is empty", hint: "give it a value, or unset it"}
		}
	}
	return nil
}

// parseError is unusable for what does not parse. A task that begins with a dash is taken
// for a flag.
func parseError(args []string, err error) error {
	hint := hintFlags
	if strings.HasPrefix(err.Error(), "unknown flag") && slices.Contains(args, "run") {
		hint += `; a task that begins with - comes after --: fairlead run --workspace . -- "-x is ..."`
	}
	return &usageError{problem: err.Error(), hint: hint}
}

func newUsageError(err error) error {
	return &usageError{problem: err.Error(), hint: hintFlags}
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(with *surroundings) error {
	_, err := fmt.Fprintf(with.streams.Out, "fairlead %s (%s, %s/%s)\n", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// Version is the module version the program was built from, "devel" for a
// checkout.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}
