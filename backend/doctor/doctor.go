// Package doctor looks at all that a run needs on this computer, and says what to do where
// something is not well.
package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fairlead/backend"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/secret"
	"fairlead/backend/session"
	"fairlead/backend/settings"
)

// commandTime is how long the command may take that shows whether any runs.
const commandTime = 10 * time.Second

// State says how well something is.
type State string

// The states: what is missing is not needed for everything, what is broken is to be mended.
const (
	OK      State = "ok"
	Missing State = "missing"
	Broken  State = "broken"
)

// Finding is what was found of one thing, and what to do where it is not well.
type Finding struct {
	Name   string `json:"name"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
}

// Options are what is looked at.
type Options struct {
	Folders settings.Folders
	// File is what the settings file says, and FileErr why it could not be used.
	File    settings.File
	FileErr error
	Keys    *secret.Keys
	// Changes compares what is kept of changes with the conversations.
	Changes func(context.Context) (session.KeptChanges, error)
	// Window is what was found of the program of the window.
	Window Finding
}

// Check looks at all of it. No finding has a key in it.
func Check(ctx context.Context, o Options) []Finding {
	keyringErr := o.Keys.CheckKeyring(ctx)
	findings := []Finding{settingsFinding(o.Folders, o.FileErr), foldersFinding(o.Folders), changesFinding(o.Changes(ctx)), commandsFinding(ctx), confinementFinding(o.Folders)}
	findings = append(findings, systemFindings(o.Window, keyringErr)...)
	return append(findings, providerFindings(ctx, o.File, lookup{o.Keys, keyringErr == nil})...)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func settingsFinding(folders settings.Folders, fileErr error) Finding {
	path := filepath.Join(folders.Config, settings.FileName)
	if fileErr != nil {
		return Finding{"settings", Broken, oneLine(fileErr.Error()) + "; mend that line, the defaults are used until then"}
	}
	return Finding{"settings", OK, path + " (defaults for what it does not say)"}
}

func foldersFinding(folders settings.Folders) Finding {
	for _, dir := range []string{folders.Data, folders.State} {
		if err := settings.MakeFolder(dir); err != nil {
			return Finding{"folders", Broken, oneLine(err.Error())}
		}
	}
	return Finding{"folders", OK, "data in " + folders.Data + ", log in " + folders.State}
}

// changesFinding compares what is kept of changes with the conversations.
func changesFinding(kept session.KeptChanges, err error) Finding {
	const mega = 1 << 20
	size := fmt.Sprintf("%d MB of at most %d MB keep what can be taken back", kept.Bytes/mega, kept.Limit/mega)
	switch {
	case err != nil:
		return Finding{"changes", Broken, oneLine(err.Error())}
	case kept.Lost > 0:
		return Finding{"changes", Broken, fmt.Sprintf("%s; %d files are missing there, so that their changes cannot be taken back", size, kept.Lost)}
	case kept.Left > 0:
		return Finding{"changes", OK, fmt.Sprintf("%s; %d files belong to no conversation", size, kept.Left)}
	}
	return Finding{"changes", OK, size}
}

// commandsFinding runs a command, rather than look for the shell.
func commandsFinding(ctx context.Context) Finding {
	ctx, stop := context.WithTimeout(ctx, commandTime)
	defer stop()
	exit, err := process.Run(ctx, process.Command{Line: "exit 0", Dir: os.TempDir()})
	if err != nil || exit.Code != 0 {
		return Finding{"commands", Broken, fmt.Sprintf("the system's shell does not run (code %d, %v); the shell tool will fail", exit.Code, err)}
	}
	return Finding{"commands", OK, "the system's shell runs"}
}

// confinementFinding tries how far commands are confined.
func confinementFinding(folders settings.Folders) Finding {
	level, sentence, why, err := backend.InspectConfinement(folders)
	switch {
	case err != nil:
		return Finding{"confinement", Broken, oneLine(err.Error())}
	case level == message.LevelFull:
		return Finding{"confinement", OK, "full. " + sentence}
	case level == message.LevelLimited:
		return Finding{"confinement", Missing, "limited. " + sentence + " Missing for full: " + oneLine(why)}
	}
	return Finding{"confinement", Missing, "none: " + oneLine(why) + "; each command runs with all your rights, so read before you approve"}
}
