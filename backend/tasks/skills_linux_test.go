//go:build !race

package tasks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/approve"
	"fairlead/backend/sandbox/sandboxtest"
)

// TestEXT04_ScriptsOfSkillsAreOrdinaryCommands runs a script of the user's own skill as a model would:
// it is there for a confined command, which cannot change it, and the settings beside it are not.
func TestEXT04_ScriptsOfSkillsAreOrdinaryCommands(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b, folder := open(t), newFolder(t)
	skills := filepath.Join(b.Folders.Config, "skills")
	put(t, skills, "count/SKILL.md", "---\nname: count\ndescription: Count lines.\n---\nRun scripts/count.sh FILE.\n")
	put(t, skills, "count/scripts/count.sh", "wc -l <$1; echo >>$0 || echo kept; cat "+b.Folders.Config+"/config.toml || echo hidden\n")
	put(t, b.Folders.Config, "config.toml", "# canary\n")
	_, requests, _ := runWith(t, b, folder, approve.Writes, `call c1 read_skill {"name":"count"}
---
call c2 shell {"command":"sh `+filepath.Join(skills, "count/scripts/count.sh")+` a.txt"}
---
text Done.
`)
	last := string(requests[2].Body)
	if !strings.Contains(last, "Run scripts/count.sh FILE.") || !strings.Contains(last, "kept") || !strings.Contains(last, "hidden") || strings.Contains(last, "# canary") {
		t.Errorf("the model is told:\n%s", last)
	}
	text, err := os.ReadFile(filepath.Join(skills, "count/scripts/count.sh"))
	if err != nil || strings.HasSuffix(string(text), "\n\n") {
		t.Errorf("the script is changed: %q, %v", text, err)
	}
}
