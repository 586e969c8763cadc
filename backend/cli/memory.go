package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"fairlead/backend"
	"fairlead/backend/message"
)

// memoryCommand is about what was noted about a folder.
type memoryCommand struct {
	Show  showMemory  `cmd:"" default:"withargs" help:"Print what was noted about a folder in earlier conversations."`
	Clear clearMemory `cmd:"" help:"Delete what was noted about a folder."`

	DataDir string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// memoryFolder names the folder that notes are about.
type memoryFolder struct {
	Workspace string `default:"." placeholder:"DIR" help:"The folder; without it the one you are in."`
}

// memoryLine is a memory as JSON.
type memoryLine struct {
	Workspace string `json:"workspace"`
	Path      string `json:"path"`
	Text      string `json:"text"`
	Bytes     int    `json:"bytes"`
	// PromptBytes is how much of it a task begins with.
	PromptBytes int `json:"promptBytes"`
}

type showMemory struct {
	memoryFolder
	Output string `default:"text" enum:"text,json" placeholder:"FORM" help:"text, or json."`
}

// Run prints the notes, and on standard error where they are kept.
func (c *showMemory) Run(with *surroundings) error {
	return toRead(with, func(_ context.Context, b *backend.Backend) error {
		folder, err := realPath(c.Workspace)
		if err != nil {
			return err
		}
		kept := b.Memory(folder)
		notes, err := kept.Read()
		if err != nil {
			return err
		}
		if c.Output == "json" {
			return writeJSON(with.streams.Out, memoryLine{folder, kept.Path(), notes.Text, len(notes.Text), len(notes.Prompt())})
		}
		if notes.Text == "" {
			_, err := fmt.Fprintf(with.streams.Err, "Nothing is noted about %s.\n", message.Inline(folder))
			return err
		}
		if _, err := fmt.Fprintf(with.streams.Err, "What is noted about %s is kept in %s:\n", message.Inline(folder), message.Inline(kept.Path())); err != nil {
			return err
		}
		_, err = io.WriteString(with.streams.Out, message.Harmless(strings.TrimSuffix(notes.Text, "\n"))+"\n")
		return err
	})
}

type clearMemory struct{ memoryFolder }

// Run deletes the notes.
func (c *clearMemory) Run(with *surroundings) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		folder, err := realPath(c.Workspace)
		if err != nil {
			return err
		}
		if err := b.Memory(folder).Clear(ctx); err != nil {
			return err
		}
		_, err = fmt.Fprintf(with.streams.Err, "What was noted about %s is deleted.\n", message.Inline(folder))
		return err
	})
}
