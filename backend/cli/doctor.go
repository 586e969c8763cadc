package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"fairlead/backend/llm/catalog"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/settings"
)

// commandTime is how long the command may take that shows whether any runs.
const commandTime = 10 * time.Second

// knockTime is how long a server on this computer may take to answer.
const knockTime = 500 * time.Millisecond

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
	keys := settings.NewKeys()
	keyringErr := keys.CheckKeyring(context.Background())
	findings := []finding{settingsFinding(with), foldersFinding(with.folders), commandsFinding(), confinementFinding()}
	findings = append(findings, systemFindings(with, keyringErr)...)
	findings = append(findings, providerFindings(keys, keyringErr == nil)...)
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

func confinementFinding() finding {
	return finding{"confinement", "missing", "commands are not confined on " + runtime.GOOS +
		" yet: each runs with all your rights, so read before you approve"}
}

// providerFindings asks the keyring for keys only where it answers.
func providerFindings(keys *settings.Keys, keyring bool) []finding {
	var findings []finding
	for _, p := range catalog.Providers() {
		endpoint, err := catalog.Locate(catalog.Choice{Provider: p.Name}, os.Getenv)
		switch {
		case err != nil:
			findings = append(findings, finding{p.Name, "broken", oneLine(err.Error())})
		case endpoint.KeyRequired:
			if !keyring {
				endpoint.Account = ""
			}
			findings = append(findings, keyFinding(keys, endpoint))
		case endpoint.BaseURL != "":
			findings = append(findings, serverFinding(endpoint))
		default:
			findings = append(findings, finding{p.Name, "ok", p.Title + ", needs no key and no network"})
		}
	}
	return findings
}

// keyFinding looks for the provider's key where it is by custom, and never shows
// it.
func keyFinding(keys *settings.Keys, endpoint catalog.Endpoint) finding {
	name, variable := endpoint.Provider.Name, endpoint.KeyEnv
	place := settings.KeyPlace{Variable: variable, Account: settings.Account(endpoint.Account)}
	_, source, err := keys.Find(context.Background(), place, settings.Background)
	if fault, ok := errors.AsType[*settings.KeyError](err); ok {
		return finding{name, "broken", oneLine(fault.Error())}
	}
	switch {
	case err != nil:
		return finding{name, "missing", "set " + variable + " or save the key in the window to use " + endpoint.Provider.Title}
	case source == settings.FromKeyring:
		return finding{name, "ok", "key found in the system's keyring"}
	}
	return finding{name, "ok", "key found in " + variable}
}

// serverFinding knocks at a provider on this computer.
func serverFinding(endpoint catalog.Endpoint) finding {
	p, host := endpoint.Provider, endpoint.Host()
	connection, err := net.DialTimeout("tcp", host, knockTime)
	if err != nil {
		return finding{p.Name, "missing", "nothing answers at " + host + "; start " + p.Title + " to use it"}
	}
	_ = connection.Close()
	return finding{p.Name, "ok", p.Title + " answers at " + host}
}
