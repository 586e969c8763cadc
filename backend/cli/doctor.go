package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

type doctorCommand struct {
	DataDir string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// finding is one line of the doctor: what was looked at, and what to do when it
// is not well. A broken one makes the exit code 1; a missing one is optional.
type finding struct {
	name   string
	state  string // ok, missing or broken
	detail string
}

// Run checks what a run needs, one line each.
func (doctorCommand) Run(with *surroundings) error {
	keys := secret.NewKeys()
	keyringErr := keys.CheckKeyring(context.Background())
	findings := []finding{
		settingsFinding(with), foldersFinding(with.folders), changesFinding(with), commandsFinding(), confinementFinding(with.folders),
	}
	findings = append(findings, systemFindings(with, keyringErr)...)
	findings = append(findings, providerFindings(context.Background(), with.file, lookup{keys, keyringErr == nil})...)
	broken := false
	for _, f := range findings {
		writeFinding(with.streams.Out, f)
		broken = broken || f.state == "broken"
	}
	if broken {
		return &endedError{exitError}
	}
	return nil
}

func writeFinding(out io.Writer, f finding) {
	fmt.Fprintf(out, "%-8s %-12s %s\n", f.state, f.name, message.Visible(f.detail))
}

func settingsFinding(with *surroundings) finding {
	path := filepath.Join(with.folders.Config, settings.FileName)
	if with.fileErr != nil {
		return finding{"settings", "broken", oneLine(with.fileErr.Error()) + "; mend that line, the defaults are used until then"}
	}
	return finding{"settings", "ok", path + " (defaults for what it does not say)"}
}

func foldersFinding(folders settings.Folders) finding {
	for _, dir := range []string{folders.Data, folders.State} {
		if err := settings.MakeFolder(dir); err != nil {
			return finding{"folders", "broken", oneLine(err.Error())}
		}
	}
	return finding{"folders", "ok", "data in " + folders.Data + ", log in " + folders.State}
}

// changesFinding compares what is kept of changes with the conversations.
func changesFinding(with *surroundings) finding {
	var kept session.KeptChanges
	err := toRead(with, func(ctx context.Context, b *backend.Backend) (err error) {
		kept, err = b.Sessions.CheckChanges(ctx)
		return err
	})
	const mega = 1 << 20
	size := fmt.Sprintf("%d MB of at most %d MB keep what can be taken back", kept.Bytes/mega, kept.Limit/mega)
	switch {
	case err != nil:
		return finding{"changes", "broken", oneLine(err.Error())}
	case kept.Lost > 0:
		return finding{"changes", "broken", fmt.Sprintf("%s; %d files are missing there, so that their changes cannot be taken back", size, kept.Lost)}
	case kept.Left > 0:
		return finding{"changes", "ok", fmt.Sprintf("%s; %d files belong to no conversation", size, kept.Left)}
	}
	return finding{"changes", "ok", size}
}

// commandsFinding runs a command, rather than look for the shell.
func commandsFinding() finding {
	ctx, stop := context.WithTimeout(context.Background(), commandTime)
	defer stop()
	exit, err := process.Run(ctx, process.Command{Line: "exit 0", Dir: os.TempDir()})
	if err != nil || exit.Code != 0 {
		return finding{"commands", "broken", fmt.Sprintf("the system's shell does not run (code %d, %v); the shell tool will fail", exit.Code, err)}
	}
	return finding{"commands", "ok", "the system's shell runs"}
}

// confinementFinding tries how far commands are confined.
func confinementFinding(folders settings.Folders) finding {
	level, sentence, why, err := backend.InspectConfinement(folders)
	switch {
	case err != nil:
		return finding{"confinement", "broken", oneLine(err.Error())}
	case level == message.LevelFull:
		return finding{"confinement", "ok", "full. " + sentence}
	case level == message.LevelLimited:
		return finding{"confinement", "missing", "limited. " + sentence + " Missing for full: " + oneLine(why)}
	}
	return finding{"confinement", "missing", "none: " + oneLine(why) + "; each command runs with all your rights, so read before you approve"}
}
