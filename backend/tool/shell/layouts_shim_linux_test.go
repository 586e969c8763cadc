package shell_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/workspace"
)

// useGit has the folder ask the user's git.
func useGit(folder *workspace.Folder) {
	git, err := exec.LookPath("git")
	if err != nil {
		return
	}
	env := []string{"HOME=" + os.Getenv("HOME"), "PATH=" + os.Getenv("PATH")}
	folder.UseGit(func(ctx context.Context, arguments ...string) ([]byte, error) {
		return process.Capture(ctx, git, env, arguments...)
	})
}

// runsBy returns what a question about a file says.
func runsBy(t *testing.T, folder *workspace.Folder, path string) (string, bool) {
	t.Helper()
	kind, ok := folder.RunsBy(t.Context(), path)
	return message.Autorun(kind).Sentence(), ok
}

// said are notices in words.
func said(notices []message.Notice) (sentences []string) {
	for _, n := range notices {
		sentences = append(sentences, n.String())
	}
	return sentences
}
