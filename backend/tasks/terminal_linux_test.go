//go:build !race

package tasks_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead/backend/llm/llmtest"
	"fairlead/backend/sandbox/overlay"
	"fairlead/backend/sandbox/sandboxtest"
)

// TestPRE06_TheTerminalAsksWhatBecomesOfADraft has a task done in a draft at a terminal, and answers the question at its
// end, or not.
func TestPRE06_TheTerminalAsksWhatBecomesOfADraft(t *testing.T) {
	sandboxtest.NeedsFull(t)
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip(err) // it makes a terminal for a program
	}
	for name, test := range map[string]struct {
		typed, said, text, left string
	}{
		"applied": {"y\n", "Applied: 2 paths.", "draft\n", "There is no draft"},
		"dropped": {"n\n", "Dropped. To take it back: fairlead drafts restore ", "one\n", "(dropped "},
		"chosen":  {"c\n1\n", "Applied: 1 path.", "draft\n", "do it"},
		"kept":    {"\n", "The draft stays: fairlead drafts show ", "one\n", "do it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := &killing{T: t, folder: newFolder(t), data: filepath.Join(t.TempDir(), "data")}
			t.Cleanup(func() { must(t, overlay.RemoveAll(k.data)) })
			k.model.Store(llmtest.Script("call c1 shell {\"command\":\"echo draft >a.txt; echo new >new.txt\"}\n---\ntext It is done.\n"))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { k.model.Load().ServeHTTP(w, r) }))
			defer server.Close()
			line := strings.Join([]string{
				sandboxtest.Program("fairlead"), "run", "--base-url", server.URL + "/v1", "--model", "m", "--approve", "draft",
				"--workspace", k.folder, "--data-dir", k.data, "'do it'",
			}, " ")
			said := typeAfter(t, exec.Command("script", "-qec", line, "/dev/null"), "Enter keeps it for later: ", test.typed)
			if !strings.Contains(said, "modified a.txt") || !strings.Contains(said, test.said) {
				t.Errorf("the terminal shows %s", said)
			}
			if text, err := os.ReadFile(filepath.Join(k.folder, "a.txt")); err != nil || string(text) != test.text {
				t.Errorf("a.txt holds %q, %v", text, err)
			}
			if left, err := k.say("drafts"); err != nil || !strings.Contains(left, test.left) {
				t.Errorf("drafts: %v, %s", err, left)
			}
		})
	}
}

// typeAfter runs a command at a terminal, types something once that shows a text, and returns all that it shows.
func typeAfter(t *testing.T, cmd *exec.Cmd, shown, typed string) string {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	must(t, err)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	var all strings.Builder
	buffer := make([]byte, 4096)
	for rest := typed; ; {
		n, err := stdout.Read(buffer)
		all.Write(buffer[:n])
		if rest != "" && strings.Contains(all.String(), shown) {
			_, writeErr := io.WriteString(stdin, rest)
			must(t, writeErr)
			rest = ""
		}
		if err != nil {
			break // it has ended
		}
	}
	_ = cmd.Wait() // what it shows and leaves is looked at
	return all.String()
}
