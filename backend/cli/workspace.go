package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"fairlead/backend"
)

// workspaceCommand is about the folders that conversations work on.
type workspaceCommand struct {
	Moved movedCommand `cmd:"" help:"Have the conversations of a folder that was moved or renamed, and what they changed, stay with it."`

	DataDir string `placeholder:"DIR" help:"Keep all state in this folder."`
}

// movedCommand takes where a folder was and where it is now.
type movedCommand struct {
	From string `arg:"" name:"old" help:"Where the folder was."`
	To   string `arg:"" name:"new" help:"Where it is now."`
}

// Run moves the conversations.
func (c *movedCommand) Run(with *surroundings) error {
	return withLibrary(with, func(ctx context.Context, b *backend.Backend) error {
		from, err := filepath.Abs(c.From)
		if err != nil {
			return fmt.Errorf("find %s: %w", c.From, err)
		}
		// Conversations know the folder by its path without links, of which the end is gone.
		if above, err := filepath.EvalSymlinks(filepath.Dir(from)); err == nil {
			from = filepath.Join(above, filepath.Base(from))
		}
		if _, err := os.Lstat(from); !errors.Is(err, fs.ErrNotExist) {
			return &usageError{problem: from + " is still there", hint: "name the folder that was moved or renamed, and where it is now"}
		}
		folder, err := b.OpenFolder(c.To)
		if err != nil {
			return err
		}
		to := folder.Path()
		if err := folder.Close(); err != nil {
			return err
		}
		moved, err := b.Sessions.MoveWorkspace(ctx, from, to)
		if err != nil {
			return err
		}
		if moved == 0 {
			return fmt.Errorf("no conversation works on %s; fairlead sessions list shows their folders", from)
		}
		_, err = fmt.Fprintf(with.streams.Err, "Moved with their changes to %s: %d %s.\n", to, moved, plural(moved, "conversation", "conversations"))
		return err
	})
}
