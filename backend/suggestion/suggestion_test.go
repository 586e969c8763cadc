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
	"go.uber.org/goleak"

	"fairlead/backend/message"
	"fairlead/backend/suggestion"
	"fairlead/backend/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
		".claude/settings.json": "{}", ".claude/settings.local.json": "{}", ".claude/hooks/a.sh": "i", ".claude/hooks/deep/b.sh": "k", ".claude/other.md": "j", "opencode.json": "{}",
		"sub/.claude/settings.json": "{}", "binary/AGENTS.md": "\x00\x01\x02",
	})
	found, more, err := suggestion.Find(t.Context(), folder)
	want := []string{
		"instructions AGENTS.md", "instructions !first/AGENTS.md", "instructions sub/CLAUDE.md", "instructions sub/deep/GEMINI.md",
		"assistant .claude/settings.json", "assistant .claude/settings.local.json", "assistant opencode.json", "assistant .claude/hooks/a.sh",
		"assistant .claude/hooks/deep/b.sh",
	}
	if diff := cmp.Diff(want, list(found)); diff != "" || more || err != nil {
		t.Errorf("%v %v (-want +got):\n%s", more, err, diff)
	}
	for _, one := range found {
		read, err := suggestion.Read(t.Context(), folder, one.Kind, one.Path)
		if one.Text != "" || read.Text == "" || err != nil {
			t.Errorf("%s: %q, read %q, %v", one.Path, one.Text, read.Text, err)
		}
		if one.Text = read.Text; one != read {
			t.Errorf("found %+v, read %+v", one, read)
		}
	}
}

func TestAFolderThatSuggestsNothing(t *testing.T) {
	folder, _ := folderOf(t, map[string]string{"a/b.txt": "x", ".claude/notes.md": "x"})
	if found, more, err := suggestion.Find(t.Context(), folder); len(found) > 0 || more || err != nil {
		t.Errorf("%v %v %v", list(found), more, err)
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
	found, more, err := suggestion.Find(t.Context(), folder)
	if len(found) != 500+1+50 || !more || err != nil {
		t.Errorf("%d, %v, %v", len(found), more, err)
	}
	read, err := suggestion.Read(t.Context(), folder, suggestion.Assistant, ".claude/settings.json")
	if len(read.Text) > 64<<10 || len(read.Text) < 60<<10 || !read.Cut || read.Bytes != 300_000 || err != nil {
		t.Errorf("%d of %d bytes, %v, %v", len(read.Text), read.Bytes, read.Cut, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := suggestion.Find(ctx, folder); !errors.Is(err, context.Canceled) {
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
