package skill_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/skill"
	"fairlead/backend/tool"
	"fairlead/backend/tool/tooltest"
)

// agreed returns all skills that there are now.
func (s *shelf) agreed() []skill.Skill {
	return s.find().Choose(func(skill.Skill) bool { return true })
}

// tool returns read_skill for all skills that there are now.
func (s *shelf) tool() tool.Tool {
	s.t.Helper()
	skills := s.agreed()
	tools, err := skill.NewToolset(s.library, func(context.Context) ([]skill.Skill, error) { return skills, nil }).Tools(s.t.Context())
	if err != nil || len(tools) != 1 {
		s.t.Fatalf("%v, %v", tools, err)
	}
	return tools[0]
}

// run calls a tool with the names and values of arguments in turn.
func run(t *testing.T, subject tool.Tool, pairs ...any) message.Result {
	t.Helper()
	arguments := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		arguments[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	return tooltest.Run(t.Context(), subject, tool.Input{Arguments: text})
}

func TestTOOL06_ReadSkillConforms(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/pdf/SKILL.md", text("pdf", "x"))
	s.put(".agents/skills/pdf/crlf.txt", "one\r\ntwo\r\n")
	s.put(".agents/skills/pdf/uni.txt", "aé漢😀\n")
	s.put(".agents/skills/huge/SKILL.md", text("huge", "x")+strings.Repeat("many lines with the same text\n", 20_000))
	tooltest.Conform(t, tooltest.Case{
		Tool: s.tool(), Good: `{"name":"pdf"}`, Huge: `{"name":"huge"}`,
		Outside: []string{
			`{"name":"pdf","file":"../huge/SKILL.md"}`, `{"name":"pdf","file":".."}`, `{"name":"pdf","file":"/etc/passwd"}`, `{"name":"pdf","file":"x/../../y"}`,
		},
		CRLF:    tooltest.Probe{Arguments: `{"name":"pdf","file":"crlf.txt"}`, Want: "\none\ntwo\n[notice: lines end in CRLF]"},
		Unicode: tooltest.Probe{Arguments: `{"name":"pdf","file":"uni.txt"}`, Want: "\naé漢😀\n"},
	})
}

func TestEXT04_ReadSkill(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: x\nallowed-tools: Bash(rm:*)\n---\n\nRun !`id` and ${CLAUDE_PLUGIN_ROOT}.\n")
	s.put(".agents/skills/pdf/scripts/run.py", "print(1)\n")
	s.put(".agents/skills/pdf/empty", "")
	s.put(".agents/skills/pdf/id_rsa", "key")
	s.put(".agents/skills/pdf/data.bin", "\x00\x01\x02")
	s.put(".agents/skills/pdf/notes.md", "token ghp_"+strings.Repeat("aB3dE6gH9k", 4)+" here\n")
	s.link("scripts/run.py", ".agents/skills/pdf/link")
	putFile(t, filepath.Join(s.own, "own", "SKILL.md"), text("own", "x"))
	read := s.tool()
	const folder = "Its folder is .agents/skills/pdf, and its paths are relative to that.\n"
	const body = "SKILL.md of the skill pdf. " + folder +
		"Its other files:\n- data.bin\n- empty\n- link (a link to scripts/run.py)\n- notes.md\n- scripts/run.py\n\nRun !`id` and ${CLAUDE_PLUGIN_ROOT}.\n"
	const script = "scripts/run.py of the skill pdf. " + folder + "\nprint(1)\n"
	for _, test := range []struct {
		name      string
		arguments []any
		want      string
		code      message.ToolCode
	}{
		{"body", []any{"name", "pdf"}, body, ""},
		{"SKILL.md by its name", []any{"name", "pdf", "file", "SKILL.md"}, body, ""},
		{"file", []any{"name", "pdf", "file", "scripts/run.py"}, script, ""},
		{"file by another path", []any{"name", "pdf", "file", "./x/../scripts/run.py"}, script, ""},
		{"file by the path of the workspace", []any{"name", "pdf", "file", ".agents/skills/pdf/scripts/run.py"}, script, ""},
		{"empty file", []any{"name", "pdf", "file", "empty"}, "empty of the skill pdf. " + folder + "\n[notice: there is no text]", ""},
		{"secret value", []any{"name", "pdf", "file", "notes.md"}, "notes.md of the skill pdf. " + folder +
			"\ntoken [secret hidden: 44 characters] here\n[notice: " + tool.HiddenSecrets(1) + "]", ""},
		{"own", []any{"name", "own"}, "SKILL.md of the skill own. Its folder is " + filepath.Join(s.own, "own") +
			", and its paths are relative to that.\n\n# own\n\nDo this.\n", ""},
		{"unknown skill", []any{"name", "pfd"}, `INVALID_ARGUMENTS: there is no skill "pfd"`, message.InvalidArguments},
		{"nearest skill", []any{"name", "pdfs"}, `INVALID_ARGUMENTS: there is no skill "pdfs"; did you mean "pdf"?`, message.InvalidArguments},
		{"unknown file", []any{"name", "pdf", "file", "nothing-like-it"}, `FILE_NOT_FOUND: the skill pdf has no file "nothing-like-it"`, message.FileNotFound},
		{"nearest file", []any{"name", "pdf", "file", "script/run.py"}, `FILE_NOT_FOUND: the skill pdf has no file "script/run.py"; did you mean "scripts/run.py"?`, message.FileNotFound},
		{"file of that name", []any{"name", "pdf", "file", "run.py"}, `FILE_NOT_FOUND: the skill pdf has no file "run.py"; did you mean "scripts/run.py"?`, message.FileNotFound},
		{"link", []any{"name", "pdf", "file", "link"}, `UNSUPPORTED_FILE: "link" is a link to "scripts/run.py", which is not followed`, message.UnsupportedFile},
		{"secret", []any{"name", "pdf", "file", "id_rsa"}, "", message.DeniedFile},
		{"binary", []any{"name", "pdf", "file", "data.bin"}, "", message.UnsupportedFile},
		{"before the first line", []any{"name", "pdf", "offset", -1}, "", message.InvalidArguments},
		{"after the last line", []any{"name", "pdf", "offset", 3}, `INVALID_ARGUMENTS: offset 3 is after the last line: "SKILL.md" has 1`, message.InvalidArguments},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := run(t, read, test.arguments...)
			got := result.Content.Text()
			if result.Error != nil {
				got = result.Error.Error()
			}
			if test.want != "" && got != test.want || (result.Error != nil) != (test.code != "") || result.Error != nil && result.Error.Code != test.code {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestEXT04_ReadSkillGoesOnWhereItStopped(t *testing.T) {
	s := newShelf(t)
	var body strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&body, "%d 行的文字是这样的\n", i)
	}
	s.put(".agents/skills/a/SKILL.md", text("a", "x")+body.String())
	read := s.tool()
	var all strings.Builder
	for offset := 1; ; {
		result := run(t, read, "name", "a", "offset", offset)
		if !result.Success() || utf8.RuneCountInString(result.Text()) > 32_200 {
			t.Fatalf("%v, %d characters", result.Error, utf8.RuneCountInString(result.Text()))
		}
		_, page, _ := strings.Cut(result.Content.Text(), "\n\n")
		page, _, _ = strings.Cut(page, "[notice: ")
		all.WriteString(page)
		offset += result.Data.Lines
		if !result.Truncated {
			break
		}
		if !strings.Contains(result.Text(), fmt.Sprintf("go on with offset %d]", offset)) {
			t.Fatalf("%q does not say how to go on", result.Text()[len(result.Text())-100:])
		}
	}
	if want := "# a\n\nDo this.\n" + body.String(); all.String() != want {
		t.Errorf("%d bytes, want %d", all.Len(), len(want))
	}
}

func TestEXT04_ReadSkillShortensWhatIsLong(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "x")+strings.Repeat("漢", 300_000)+"\n")
	for i := range 190 {
		s.put(fmt.Sprintf(".agents/skills/a/%0200d", i), "")
	}
	result := run(t, s.tool(), "name", "a")
	got := result.Text()
	if !result.Truncated || !strings.Contains(got, "and 171 more") || !strings.Contains(got, "lines over 8000 characters are cut") {
		t.Errorf("%d characters: %.100q", utf8.RuneCountInString(got), got)
	}
}

func TestEXT04_AChangedSkillIsNotRead(t *testing.T) {
	s := newShelf(t)
	s.put(".agents/skills/a/SKILL.md", text("a", "x"))
	s.put(".agents/skills/a/run", "1")
	read := s.tool()
	s.put(".agents/skills/a/run", "2")
	for _, file := range []string{"", "SKILL.md", "run"} {
		result := run(t, read, "name", "a", "file", file)
		if result.Success() || result.Error.Code != message.StaleFile || len(result.Content) > 0 ||
			!strings.Contains(result.Error.Message, "has changed since the user agreed to it") {
			t.Errorf("%q: %q", file, result.Text())
		}
	}
	s.put(".agents/skills/a/run", "1")
	if result := run(t, read, "name", "a"); !result.Success() {
		t.Errorf("as it was: %v", result.Error)
	}
}

func TestTOOL08_TheToolStaysWhileTheSkillsDo(t *testing.T) {
	s := newShelf(t)
	failure := error(nil)
	set := skill.NewToolset(s.library, func(context.Context) ([]skill.Skill, error) { return s.agreed(), failure })
	tools := func() []tool.Tool {
		t.Helper()
		tools, err := set.Tools(t.Context())
		if !errors.Is(err, failure) {
			t.Fatal(err)
		}
		return tools
	}
	if got := tools(); len(got) > 0 {
		t.Errorf("without a skill: %v", got)
	}
	s.put(".agents/skills/a/SKILL.md", text("a", "x"))
	first := tools()
	if again := tools(); len(first) != 1 || again[0] != first[0] {
		t.Errorf("%v, then %v", first, again)
	}
	s.put(".agents/skills/a/SKILL.md", text("a", "y"))
	if changed := tools(); changed[0] == first[0] || !run(t, changed[0], "name", "a").Success() {
		t.Error("the tool is the same, or for another skill")
	}
	failure = errors.New("no state")
	if got := tools(); len(got) > 0 {
		t.Errorf("after a failure: %v", got)
	}
}
