package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The folders of editors and assistants cannot be changed by commands; the refusal
// names the reason and the way.
func TestSEC08_FoldersOfEditorsAreReadOnlyForCommands(t *testing.T) {
	system := fully(t)
	l := newLab(t)
	commit(t, l, "workspace")
	for _, name := range []string{
		".vscode/tasks.json", ".idea/runConfigurations/x.xml", ".claude/hooks/h.sh", ".mcp.json", "sub/.cursor/mcp.json", "a.code-workspace",
	} {
		l.write(t, filepath.Join(l.workspace, name), "as it was")
	}
	l.write(t, filepath.Join(l.workspace, "shared/settings.json"), "as it was")
	must(t, os.Symlink("shared", filepath.Join(l.workspace, ".zed")))
	run := confined(system)(t, l)
	for line, path := range map[string]string{
		`echo x >.vscode/tasks.json`:                 ".vscode",
		`mv .idea idea`:                              ".idea",
		`rm -r .claude/hooks`:                        ".claude",
		`echo x >new && mv -f new .mcp.json`:         ".mcp.json",
		`cd sub && touch .cursor/more`:               "sub/.cursor",
		`rm a.code-workspace`:                        "a.code-workspace",
		`ln -sfn /tmp .zed`:                          ".zed",
		`echo x >shared/settings.json`:               "shared",
		`git config user.name x`:                     ".git/config",
		`mkdir -p .git/hooks && touch .git/hooks/x`:  ".git/hooks",
		`echo x | tee .vscode/tasks.json >/dev/null`: ".vscode",
	} {
		result := run(t, line)
		if result.Success() || len(result.Notices) != 1 || !strings.HasPrefix(said(result.Notices)[0], path+" is read-only while commands run, because") {
			t.Errorf("%s: %v, %s", line, result.Notices, result.Text())
		}
	}
	for _, name := range []string{".vscode/tasks.json", ".claude/hooks/h.sh", ".mcp.json", "a.code-workspace", ".zed/settings.json"} {
		if text, err := os.ReadFile(filepath.Join(l.workspace, name)); err != nil || string(text) != "as it was" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	result := run(t, `echo x >f && git add f && git -c user.name=a -c user.email=b commit -qm x && mkdir .fleet && echo x >.fleet/run.json`)
	if !result.Success() || len(result.Notices) != 1 || !strings.HasPrefix(said(result.Notices)[0], ".fleet is new") {
		t.Errorf("work that others do not act on: %v, %s", result.Notices, result.Text())
	}
}
