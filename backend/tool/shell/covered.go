package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/workspace"
)

// namedCovers is how many covered files a result names.
const namedCovers = 20

// Covers are the files with keys that the commands of a conversation see empty where nobody was
// asked about them (SPEC PRE-10), but for those that the user lets them read. The zero value is
// ready, and it is safe for concurrent use.
type Covers struct {
	mu sync.Mutex
	// readable are the paths, as they are shown, of files and folders that they may read.
	readable map[string]bool
}

// Allow lets the commands that follow read a file or a folder, by its path in the folder as it
// is shown.
func (c *Covers) Allow(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.readable == nil {
		c.readable = map[string]bool{}
	}
	c.readable[path] = true
}

// without returns the names of those that stay covered.
func (c *Covers) without(names []string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(names, func(name string) bool { return c.readable[workspace.Shown(name)] })
}

// cover has a command see the files with keys empty.
func (c *commands) cover(ctx context.Context, command *process.Command) *message.ToolError {
	names, err := c.Folder.Secrets(ctx)
	if err != nil {
		return stoppedError(ctx, fmt.Errorf("the command was not run, because the files with keys could not be covered: %w", err))
	}
	command.Cover = c.Covers.without(names)
	return nil
}

// addCovered says in the result of a command that failed which files it saw empty.
func addCovered(result message.Result, opened []string) message.Result {
	if result.Error == nil || len(opened) == 0 {
		return result
	}
	var quoted []string
	for _, name := range opened[:min(len(opened), namedCovers)] {
		shown := workspace.Shown(name)
		result.Data.Covered = append(result.Data.Covered, shown)
		quoted = append(quoted, message.Inline(shown))
	}
	text := strings.Join(quoted, ", ")
	if more := len(opened) - len(quoted); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	result.Content = result.Content.After("(it saw these empty, because they may hold keys, and only the user can let commands read them: " + text + ")")
	return result
}
