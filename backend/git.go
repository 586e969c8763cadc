package backend

import (
	"context"
	"errors"
	"os"
	"sync"

	"fairlead/backend/process"
	"fairlead/backend/workspace/autorun"
)

// errNoGit says that the user has no git outside the folder.
var errNoGit = errors.New("there is no git")

// askGit returns what asks the user's git, which must not lie in the folder. It is looked
// for when it is first asked: most folders are worked on without it.
func askGit(folder string) autorun.AskGit {
	find := sync.OnceValues(func() (program string, env []string) {
		program, ok := process.Find("git", folder)
		if !ok {
			return "", nil
		}
		env = []string{"PATH=" + process.SearchPath(folder)}
		for _, name := range []string{"HOME", "XDG_CONFIG_HOME"} {
			if value, ok := os.LookupEnv(name); ok {
				env = append(env, name+"="+value)
			}
		}
		return program, env
	})
	return func(ctx context.Context, arguments ...string) ([]byte, error) {
		program, env := find()
		if program == "" {
			return nil, errNoGit
		}
		return process.Capture(ctx, program, env, arguments...)
	}
}
