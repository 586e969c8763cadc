package skill

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParseFrontMatter(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       map[string]string
	}{
		{"plain", "name: pdf\ndescription: Reads PDF files.", map[string]string{"name": "pdf", "description": "Reads PDF files."}},
		{"unquoted colon", "description: Use this: for PDF files, e.g. a: b", map[string]string{"description": "Use this: for PDF files, e.g. a: b"}},
		{"colon without space", "description: see http://localhost:1/x", map[string]string{"description": "see http://localhost:1/x"}},
		{"double quotes", `description: "a \"b\" \u4e2d\x41\t\\ \q" # comment`, map[string]string{"description": "a \"b\" 中A\t\\ \\q"}},
		{"single quotes", `description: 'it''s: # here'`, map[string]string{"description": "it's: # here"}},
		{"quotes that do not end", `description: "a b`, map[string]string{"description": `"a b`}},
		{"quotes in the middle", `description: "a" and "b"`, map[string]string{"description": `"a" and "b"`}},
		{"quotes over lines", "description: \"a\n  b\n\n  c\"", map[string]string{"description": "a b\nc"}},
		{"quoted key", `"name": pdf`, map[string]string{"name": "pdf"}},
		{"comment", "# first\nname: pdf # it\ndescription: C# and #1 #no", map[string]string{"name": "pdf", "description": "C# and"}},
		{"number sign in a word", "description: C#, F#", map[string]string{"description": "C#, F#"}},
		{"over lines", "description: a\n  b: c\n\td\nname: x", map[string]string{"description": "a b: c d", "name": "x"}},
		{"on the next line", "description:\n  a\n  b", map[string]string{"description": "a b"}},
		{"folded", "description: >-\n  a\n  b\n\n  c\n    d\n  e\nname: x", map[string]string{"description": "a b\nc\n  d\ne", "name": "x"}},
		{"kept lines", "description: |2+ # head\n  a: 1\n    b\n\n  # c\nname: x", map[string]string{"description": "a: 1\n  b\n\n# c", "name": "x"}},
		{"no block", "description: >= 3 files", map[string]string{"description": ">= 3 files"}},
		{"nested", "metadata:\n  author: ada\n  version: \"1\"\nname: x", map[string]string{"metadata": `author: ada version: "1"`, "name": "x"}},
		{"list", "allowed-tools:\n  - Read\n  - Bash(git:*)\nname: x", map[string]string{"allowed-tools": "Read, Bash(git:*)", "name": "x"}},
		{"list without indent", "allowed-tools:\n- Read\n- Write\nname: x", map[string]string{"allowed-tools": "Read, Write", "name": "x"}},
		{"list in brackets", "allowed-tools: [Read, Write]", map[string]string{"allowed-tools": "Read, Write"}},
		{"nothing", "description: ~\nlicense: null\nname:\ncompatibility: # none", map[string]string{"description": "", "license": "", "name": "", "compatibility": ""}},
		{"Chinese", "description: 处理：表格 文件", map[string]string{"description": "处理：表格 文件"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			lines, _, _, closed := splitText("---\n" + test.text + "\n---\n")
			got := parseFrontMatter(lines)
			if diff := cmp.Diff(test.want, got.values); diff != "" || !closed || got.unread > 0 {
				t.Errorf("closed %v, %d lines unread:\n%s", closed, got.unread, diff)
			}
		})
	}
}

func TestParseFrontMatterCountsWhatIsOdd(t *testing.T) {
	got := parseFrontMatter([]string{"what", "name: a", "name: b", ": c", "- d"})
	if got.values["name"] != "a" || got.unread != 3 || cmp.Diff([]string{"name"}, got.repeated) != "" {
		t.Errorf("%+v", got)
	}
}

func TestSplitText(t *testing.T) {
	for _, test := range []struct {
		name, text    string
		lines         []string
		body          string
		found, closed bool
	}{
		{"LF", "---\na: b\n---\nbody\n---\n", []string{"a: b"}, "body\n---\n", true, true},
		{"CRLF", "---\r\na: b\r\n---\r\nbody\r\n", []string{"a: b"}, "body\r\n", true, true},
		{"spaces", "\n \n--- \t\na: b  \n---  \n", []string{"a: b"}, "", true, true},
		{"three dots", "---\na: b\n...\nbody", []string{"a: b"}, "body", true, true},
		{"no end", "---\na: b\nbody", []string{"a: b", "body"}, "", true, false},
		{"longer line", "---\na: b\n----\n", []string{"a: b", "----"}, "", true, false},
		{"none", "# Title\n---\n", nil, "# Title\n---\n", false, false},
		{"nothing", "", nil, "", false, false},
	} {
		lines, body, found, closed := splitText(test.text)
		if cmp.Diff(test.lines, lines) != "" || body != test.body || found != test.found || closed != test.closed {
			t.Errorf("%s: %q, %q, %v, %v", test.name, lines, body, found, closed)
		}
	}
}

// TestFrontMatterIsReadInTimeThatGrowsWithIt reads what would take very long if each line were
// looked at again for each other.
func TestFrontMatterIsReadInTimeThatGrowsWithIt(t *testing.T) {
	for _, line := range []string{"a: \"b\n", "a:\n", "a: >\n", "\n", " - \n", "description: '\n", ":", "a: #"} {
		text := "---\n" + strings.Repeat(line, maxText/len(line)) + "\n---\n"
		began := time.Now()
		lines, _, _, _ := splitText(text)
		parseFrontMatter(lines)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("1 MiB of %q took %v", line, took)
		}
	}
}

func FuzzFrontMatter(f *testing.F) {
	for _, seed := range []string{
		"---\nname: pdf\ndescription: a: b\n---\nbody", "---\r\ndescription: >-\r\n  a\r\n b\r\n---\r\n", "---\na: |9\n x\n---",
		"---\na: \"\\u12\n---\n", "---\na: '\n---\n", "---\na:\n- b\n- c\n...\n", "---\n:\n---\n", "\ufeff---\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		lines, body, found, closed := splitText(text)
		if !strings.HasSuffix(text, body) || closed && !found {
			t.Errorf("body %q, found %v, closed %v", body, found, closed)
		}
		length := 0
		for key, value := range parseFrontMatter(lines).values {
			if !utf8.ValidString(key+value) || strings.TrimSpace(value) != value || key == "" {
				t.Errorf("key %q, value %q", key, value)
			}
			length += len(key) + len(value)
		}
		if length > 3*len(text) {
			t.Errorf("%d bytes were read from %d", length, len(text))
		}
	})
}
