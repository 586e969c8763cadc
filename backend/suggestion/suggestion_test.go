package suggestion_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"fairlead/backend/message"
	"fairlead/backend/skill"
	"fairlead/backend/suggestion"
	"fairlead/backend/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pdf is the text of a skill.
const pdf = "---\nname: pdf\ndescription: Fill in forms.\nallowed-tools: Bash(*)\n---\nRun scripts/fill.py.\n"

// folderOf opens a folder with files of these texts.
func folderOf(t *testing.T, files map[string]string) (*workspace.Folder, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "work")
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
	})
	return folder, dir
}

// list writes suggestions in short.
func list(found []suggestion.Suggestion) (all []string) {
	for _, one := range found {
		all = append(all, fmt.Sprint(one.Kind, " ", one.Path))
	}
	return all
}

func TestWhatAFolderSuggestsIsFound(t *testing.T) {
	folder, _ := folderOf(t, map[string]string{
		"AGENTS.md": "a", "CLAUDE.md": "b", "sub/CLAUDE.md": "c", "sub/GEMINI.md": "d", "sub/deep/GEMINI.md": "e", "!first/AGENTS.md": "f",
		"blank/AGENTS.md": " \n", "blank/CLAUDE.md": "not read", "node_modules/x/AGENTS.md": "g", ".gitignore": "ignored/", "ignored/AGENTS.md": "h",
		".claude/settings.json": "{}", ".claude/settings.local.json": "{}", ".claude/hooks/a.sh": "i", ".claude/hooks/deep/b.sh": "k", ".claude/other.md": "j", ".agents/skills/pdf/SKILL.md": pdf,
		".agents/skills/pdf/scripts/fill.py": "print()", ".claude/skills/pdf/SKILL.md": pdf, ".claude/skills/bad/SKILL.md": "no front matter", "opencode.json": "{}",
		"sub/.claude/settings.json": "{}", "binary/AGENTS.md": "\x00\x01\x02",
	})
	found, err := suggestion.Find(t.Context(), folder)
	want := []string{
		"instructions AGENTS.md", "instructions !first/AGENTS.md", "instructions sub/CLAUDE.md", "instructions sub/deep/GEMINI.md",
		"skill .agents/skills/pdf", "skill .claude/skills/pdf",
		"assistant .claude/settings.json", "assistant .claude/settings.local.json", "assistant opencode.json", "assistant .claude/hooks/a.sh",
		"assistant .claude/hooks/deep/b.sh",
	}
	if diff := cmp.Diff(want, list(found.Suggestions)); diff != "" || found.More || err != nil {
		t.Errorf("%v %v (-want +got):\n%s", found.More, err, diff)
	}
	if len(found.LeftOut) != 1 || found.LeftOut[0].Path != ".claude/skills/bad" {
		t.Errorf("left out: %+v", found.LeftOut)
	}
	for _, one := range found.Suggestions {
		read, err := suggestion.Read(t.Context(), folder, one.Kind, one.Path)
		if one.Text != "" || read.Text == "" || err != nil {
			t.Errorf("%s: %q, read %q, %v", one.Path, one.Text, read.Text, err)
		}
		if one.Text = read.Text; !cmp.Equal(one, read, cmpopts.IgnoreUnexported(skill.Skill{})) {
			t.Errorf("found %+v, read %+v", one, read)
		}
	}
}

func TestAFolderThatSuggestsNothing(t *testing.T) {
	folder, _ := folderOf(t, map[string]string{"a/b.txt": "x", ".claude/notes.md": "x"})
	if found, err := suggestion.Find(t.Context(), folder); len(found.Suggestions) > 0 || found.More || err != nil {
		t.Errorf("%+v %v", found, err)
	}
}

func TestSuggestionsAreBounded(t *testing.T) {
	files := map[string]string{".claude/settings.json": strings.Repeat("字", 100_000)}
	for i := range 600 {
		files[fmt.Sprintf("d%d/AGENTS.md", i)] = "a"
	}
	for i := range 60 {
		files[fmt.Sprintf(".claude/hooks/%02d.sh", i)] = "a"
	}
	folder, _ := folderOf(t, files)
	found, err := suggestion.Find(t.Context(), folder)
	if len(found.Suggestions) != 500+1+50 || !found.More || err != nil {
		t.Errorf("%d, %v, %v", len(found.Suggestions), found.More, err)
	}
	read, err := suggestion.Read(t.Context(), folder, suggestion.Assistant, ".claude/settings.json")
	if len(read.Text) > 64<<10 || len(read.Text) < 60<<10 || !read.Cut || read.Bytes != 300_000 || err != nil {
		t.Errorf("%d of %d bytes, %v, %v", len(read.Text), read.Bytes, read.Cut, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := suggestion.Find(ctx, folder); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestOnlyWhatIsSuggestedIsRead(t *testing.T) {
	folder, _ := folderOf(t, map[string]string{"AGENTS.md": "a", "CLAUDE.md": "b", "notes.md": "c", ".claude/other.md": "d", ".claude/hooks/deep/a.sh": "e"})
	for _, test := range []struct {
		kind suggestion.Kind
		name string
	}{
		{suggestion.Instructions, "notes.md"},
		{suggestion.Instructions, "CLAUDE.md"},
		{suggestion.Assistant, "AGENTS.md"},
		{suggestion.Assistant, ".claude/other.md"},
		{suggestion.Assistant, ".claude/hooks/../other.md"},
		{suggestion.Assistant, "opencode.json"},
		{suggestion.Skill, "AGENTS.md"},
		{suggestion.Skill, ".claude/hooks"},
		{suggestion.Instructions, "../AGENTS.md"},
		{"other", "AGENTS.md"},
	} {
		read, err := suggestion.Read(t.Context(), folder, test.kind, test.name)
		var refusal *message.Refusal
		var failure *message.ToolError
		if !errors.As(err, &refusal) && !errors.As(err, &failure) || read.Text != "" {
			t.Errorf("%s %s: %q, %v", test.kind, test.name, read.Text, err)
		}
	}
}

func TestTheFilesOfASkillAreShown(t *testing.T) {
	folder, dir := folderOf(t, map[string]string{".agents/skills/pdf/SKILL.md": pdf, ".agents/skills/pdf/scripts/fill.py": "print()"})
	read, err := suggestion.ReadSkill(t.Context(), folder, ".agents/skills/pdf", "scripts/fill.py")
	if err != nil || read.Text != "print()" || read.Skill.AllowedTools != "Bash(*)" || !read.CanUse() {
		t.Errorf("%+v, %v", read, err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".agents/skills/pdf/scripts/fill.py"), []byte("print(1)"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, err := suggestion.Read(t.Context(), folder, suggestion.Skill, ".agents/skills/pdf"); err != nil || again.Same(read) || again.Text != pdf {
		t.Errorf("a script changed: %+v, %v", again, err)
	}
	if _, err := suggestion.ReadSkill(t.Context(), folder, ".agents/skills/pdf", "../../../secret"); err == nil {
		t.Error("a file outside the skill is read")
	}
}
