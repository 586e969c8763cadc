package cli

import (
	"context"
	"fmt"

	"fairlead/backend"
	"fairlead/backend/doctor"
	"fairlead/backend/message"
	"fairlead/backend/secret"
	"fairlead/backend/session"
)

type doctorCommand struct {
	DataDir string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// Run checks what a run needs, one line each. A broken one makes the exit code 1; a missing
// one is optional.
func (doctorCommand) Run(with *surroundings) error {
	findings := doctor.Check(context.Background(), doctor.Options{
		Folders: with.folders, File: with.file, FileErr: with.fileErr, Keys: secret.NewKeys(),
		Changes: func(context.Context) (kept session.KeptChanges, err error) {
			err = toRead(with, func(ctx context.Context, b *backend.Backend) (err error) {
				kept, err = b.Sessions.CheckChanges(ctx)
				return err
			})
			return kept, err
		},
		Window: windowFinding(with.streams.OpenWindow != nil),
	})
	broken := false
	for _, f := range findings {
		fmt.Fprintf(with.streams.Out, "%-8s %-12s %s\n", f.State, f.Name, message.Visible(f.Detail))
		broken = broken || f.State == doctor.Broken
	}
	if broken {
		return &endedError{exitError}
	}
	return nil
}

// windowFinding looks for the program that opens the window, and for a display to
// open it on.
func windowFinding(itself bool) doctor.Finding {
	program, missing := findWindow(itself)
	if missing != "" {
		return doctor.Finding{Name: "window", State: doctor.Missing, Detail: missing + "; fairlead run works without"}
	}
	return doctor.Finding{Name: "window", State: doctor.OK, Detail: program + " opens it"}
}
