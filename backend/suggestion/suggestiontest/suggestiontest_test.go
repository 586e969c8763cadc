package suggestiontest_test

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/suggestion/suggestiontest"
)

// TestTheCanaryNotices has git look at the folder with hostile settings of git, as any program would
// that does so without care.
func TestTheCanaryNotices(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system runs no scripts of a shell")
	}
	for _, program := range []string{"git", "curl"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("this system has no ", program)
		}
	}
	folders := suggestiontest.Folders(t)
	if len(folders) < 20 {
		t.Errorf("%d folders", len(folders))
	}
	for _, folder := range folders {
		dir := filepath.Join(t.TempDir(), "work")
		canary := suggestiontest.NewCanary(t, dir)
		folder.Make(t, dir, canary)
		if folder.About == "" || len(canary.Noticed()) > 0 {
			t.Errorf("%s: %q, %v", folder.Name, folder.About, canary.Noticed())
		}
		if folder.Name != "git-config" {
			continue
		}
		cmd := exec.CommandContext(t.Context(), "git", "-c", "safe.directory=*", "diff", "--no-index", "--ext-diff", "README.md", ".gitattributes")
		cmd.Dir = dir
		output, _ := cmd.CombinedOutput() // it ends as the program does
		if noticed := strings.Join(canary.Noticed(), "\n"); !strings.Contains(noticed, "ran: ") || !strings.Contains(noticed, "reached: GET /ran") {
			t.Errorf("noticed %q: %s", noticed, output)
		}
	}
}

func TestWhatIsNotAskedForIsFound(t *testing.T) {
	say := suggestiontest.Sentence("x")
	for body, want := range map[string]int{
		`{"messages":[{"role":"tool","tool_call_id":"c1","content":"` + say + `"}]}`:                       0,
		`{"messages":[{"role":"tool","tool_call_id":"c2","content":"` + say + `"}]}`:                       1,
		`{"messages":[{"role":"system","content":"` + say + `"},{"role":"user","content":"` + say + `"}]}`: 2,
		`{"messages":[],"tools":[{"description":"` + say + `"}]}`:                                          1,
	} {
		found, err := suggestiontest.Untrusted([]byte(body), "c1")
		if len(found) != want || err != nil {
			t.Errorf("%s: %q, %v", body, found, err)
		}
	}
}
