package suggestion_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/suggestion"
)

// servers are those that a folder suggests, by path.
func servers(t *testing.T, found suggestion.Found) map[string]suggestion.Suggestion {
	t.Helper()
	all := map[string]suggestion.Suggestion{}
	for _, one := range found.Suggestions {
		if one.Kind == suggestion.Server {
			all[one.Path] = one
		}
	}
	return all
}

func TestEXT01_TheServersOfAFolderAreOffers(t *testing.T) {
	folder, _ := folderOf(t, map[string]string{
		".mcp.json": `{"mcpServers":{"files":{"command":"npx","args":["-y","files@1","\u202e` + "\u200b" + `"],"env":{"KEY":"sk-secret"},"autoApprove":["*"]},
			"box":{"command":"docker","args":["run","x"]}}}`,
		".vscode/mcp.json":      `{"servers":{"web":{"type":"http","url":"https://example.org/mcp"}}} // mine`,
		".cursor/mcp.json":      `{"mcpServers":`,
		".gemini/settings.json": `{"theme":"x","mcpServers":{"g":{"command":"g"}}}`,
		"opencode.json":         `{"mcp":{"o":{"type":"local","command":["o","1"]}}}`,
		"crush.json":            `{"mcp":"none"}`,
		"sub/.mcp.json":         `{"mcpServers":{"deep":{"command":"x"}}}`,
	})
	found, err := suggestion.Find(t.Context(), folder)
	if err != nil || found.More {
		t.Fatal(found.More, err)
	}
	got := map[string]string{}
	for path, one := range servers(t, found) {
		got[path] = fmt.Sprintf("%s: %s %.40s", one.Server.Name, one.Server.Runs, one.Server.Refused)
		read, err := suggestion.Read(t.Context(), folder, suggestion.Server, path)
		if err != nil || !read.Same(one) || read.Text == "" || one.CanUse() || strings.Contains(read.Text, "sk-secret") || one.Text != "" {
			t.Errorf("%s: %+v, %v", path, read, err)
		}
	}
	want := map[string]string{
		".mcp.json#files":         `files: npx -y files@1 '\u{202e}\u{200b}' `,
		".mcp.json#box":           "box: docker run x the server box cannot be used: docker ha",
		".vscode/mcp.json#web":    "web: https://example.org/mcp ",
		".cursor/mcp.json":        ":  .cursor/mcp.json cannot be read as defin",
		".gemini/settings.json#g": "g: g ", "opencode.json#o": "o: o 1 ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	read, err := suggestion.Read(t.Context(), folder, suggestion.Server, ".mcp.json#files")
	if err != nil || !strings.Contains(read.Text, "\u200b") || !strings.Contains(read.Text, `"KEY": ""`) || !strings.Contains(read.Text, "autoApprove") {
		t.Errorf("shown: %q, %v", read.Text, err)
	}
	if diff := cmp.Diff([]string{`"autoApprove"`}, read.Server.NotTaken); diff != "" {
		t.Error(diff)
	}
	for _, path := range []string{".mcp.json", ".mcp.json#none", "sub/.mcp.json#deep", "../.mcp.json#a", "#", ".cursor/mcp.json#a"} {
		if read, err := suggestion.Read(t.Context(), folder, suggestion.Server, path); err == nil {
			t.Errorf("%s: %+v", path, read)
		}
	}
}

// TestEXT01_AChangedDefinitionIsAnother changes one server: its hash alone changes, and does so for
// any byte but white space between words and comments.
func TestEXT01_AChangedDefinitionIsAnother(t *testing.T) {
	const text = `{"mcpServers":{"a":{"command":"x","args":["b"],"env":{"K":"v"},"trust":false},"z":{"command":"z"}}}`
	folder, dir := folderOf(t, map[string]string{".mcp.json": text})
	hashes := func(text string) (a, z string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, ".mcp.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := suggestion.Find(t.Context(), folder)
		if err != nil {
			t.Fatal(err)
		}
		all := servers(t, found)
		return all[".mcp.json#a"].SHA256, all[".mcp.json#z"].SHA256
	}
	a, z := hashes(text)
	for _, change := range []struct {
		from, to string
		same     bool
	}{
		{`"x"`, `"y"`, false},
		{`"b"`, `"b "`, false},
		{`"b"`, `"b` + "\u200b" + `"`, false},
		{`"v"`, `"w"`, false},
		{`"K"`, `"L"`, false},
		{`false`, `true`, false},
		{`"b"`, `"\u0062"`, false},
		{`["b"]`, `[ "b" ]`, true},
		{`"trust":false`, "// a comment\n \"trust\" :\tfalse", true},
	} {
		changed, other := hashes(strings.Replace(text, change.from, change.to, 1))
		if (changed == a) != change.same || other != z || changed == "" {
			t.Errorf("%s for %s: %v %v", change.to, change.from, changed == a, other == z)
		}
	}
}

func TestEXT01_OffersAreBounded(t *testing.T) {
	long := strings.Repeat("n", 300)
	text := `{"mcpServers":{"` + long + `1":{"command":"x"},"` + long + `2":{"command":"x"},`
	for i := range 60 {
		text += fmt.Sprintf(`"s%02d":{"command":"x"},`, i)
	}
	folder, _ := folderOf(t, map[string]string{
		".mcp.json": text + "}}", ".vscode/mcp.json": text + "}}", ".cursor/mcp.json": `{"mcpServers":{"a":{"command":"` + strings.Repeat("x", 2<<20) + `"}}}`,
	})
	found, err := suggestion.Find(t.Context(), folder)
	if all := servers(t, found); len(all) != 50 || !found.More || err != nil {
		t.Errorf("%d servers, %v, %v", len(all), found.More, err)
	}
	for path := range servers(t, found) {
		if len(path) > 200 {
			t.Errorf("%d bytes of path", len(path))
		}
	}
	read, err := suggestion.Read(t.Context(), folder, suggestion.Server, ".cursor/mcp.json")
	if err != nil || !strings.Contains(read.Server.Refused, "longer than 1024 KiB") || !read.Cut || len(read.Text) > 64<<10 {
		t.Errorf("%s, %d bytes, %v, %v", read.Server.Refused, len(read.Text), read.Cut, err)
	}
}
