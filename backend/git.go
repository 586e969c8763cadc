package backend

import (
	"context"
	"os"

	"fairlead/backend/process"
	"fairlead/backend/workspace"
	"fairlead/backend/workspace/autorun"
)

// askGit returns what asks the user's git, which must not lie in the folder; nil where
// there is none.
func askGit(folder *workspace.Folder) autorun.AskGit {
	program, ok := process.Find("git", folder.Path())
	if !ok {
		return nil
	}
	env := []string{"PATH=" + process.SearchPath(folder.Path())}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return func(ctx context.Context, arguments ...string) ([]byte, error) {
		return process.Capture(ctx, program, env, arguments...)
	}
}
