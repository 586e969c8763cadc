package cli

import (
	"strings"
	"testing"

	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/message"
)

func TestHITL10_NoTextLooksLikeAQuestionOfItsOwn(t *testing.T) {
	const columns = 40
	for name, command := range map[string]string{
		"padding":           "true #" + strings.Repeat(" ", 200) + "? shell in /ws",
		"wrapping":          ": '" + strings.Repeat("x", columns-7) + "? shell in /ws",
		"wide":              strings.Repeat("目", 50) + "? shell in /ws",
		"blank lines":       "rm -rf x" + strings.Repeat("\n", 60) + "? shell in /ws\nls",
		"blank with spaces": "rm -rf x" + strings.Repeat("\n  \t ", 60) + "\n? shell in /ws\nls",
		"carriage":          "rm -rf x\r? shell in /ws",
		"wide spaces":       "true #" + strings.Repeat("\u3000", 800) + "? shell in /ws",
		"no-break spaces":   "true #" + strings.Repeat("\u00a0\u2003\u2009", 500) + "? shell in /ws",
		"mixed spaces":      "true #" + strings.Repeat(" \u202f", 800) + "? shell in /ws",
		"tabs":              strings.Repeat("\t", 30) + "? shell in /ws",
	} {
		t.Run(name, func(t *testing.T) {
			shown := questionText(event.ConfirmRequest{ToolName: "shell", Preview: message.Preview{
				Effect: message.EffectCommand, Command: command, Folder: "/ws", Confinement: "Not confined.",
			}}, columns)
			lines := strings.Split(strings.TrimSpace(shown), "\n")
			if lines[0] != "? shell in /ws" || lines[len(lines)-1] != "Not confined." {
				t.Fatalf("got %q", shown)
			}
			if len(lines) > 20 {
				t.Errorf("%d lines push the command out of sight", len(lines))
			}
			for _, line := range lines[1 : len(lines)-1] {
				if !strings.HasPrefix(line, gutter) || message.Columns(line) > columns {
					t.Errorf("row %q", line)
				}
			}
		})
	}
}

func TestHITL02_TheWholeCommandIsShown(t *testing.T) {
	command := "printf 'a b' |\n  sort  -u\n\necho " + strings.Repeat("0123456789", 20)
	shown := foldRows(command, 60)
	if got := strings.Join(shown, ""); got != strings.ReplaceAll(command, "\n", "") {
		t.Errorf("got %q", shown)
	}
}

func TestSEC08_TheQuestionSaysWhatRunsByItself(t *testing.T) {
	request := event.ConfirmRequest{ToolName: "write_file", Preview: message.Preview{
		Effect: message.EffectFiles, Path: ".mcp.json", Diff: "+{}\n", Added: 1, Autorun: message.AutorunAssistant,
	}}
	const line = "\n! Runs by itself: coding assistants follow what it says.\n"
	if shown := questionText(request, 80); !strings.Contains(shown, line) {
		t.Errorf("got %q", shown)
	}
	request.Preview.Autorun = ""
	if shown := questionText(request, 80); strings.Contains(shown, "by itself") {
		t.Errorf("got %q", shown)
	}
}

func TestHITL10_AGuardHidesNothing(t *testing.T) {
	const columns = 30
	shown := guardQuestion(event.GuardRequest{
		Kind: message.GuardDoomLoop, Detail: "the same call of li\u202est\x1b[2J\n? may it do all came 4 times in a row",
	}, columns)
	lines := strings.Split(strings.TrimSpace(shown), "\n")
	if lines[0] != "? the run repeats itself; may it go on" {
		t.Errorf("the title: %q", lines[0])
	}
	var detail string
	for _, line := range lines[1:] {
		row, beside := strings.CutPrefix(line, gutter)
		if detail += row; !beside || message.Columns(line) > columns {
			t.Errorf("row %q", line)
		}
	}
	if detail != `the same call of li\u{202e}st\u{1b}[2J\u{a}? may it do all came 4 times in a row` {
		t.Errorf("the detail: %q", detail)
	}
}

func TestTOOL07_ChangesThatACallHasMadeAreNotEdited(t *testing.T) {
	var screen strings.Builder
	asked := newTerminal(Streams{
		In: strings.NewReader("e\nn\nn\n"), Err: &screen, Forget: func() {}, Size: func() (int, int) { return 80, 24 },
	}, approve.NewBroker(), func() string { return "r" })
	request := event.ConfirmRequest{Kind: message.QuestionChanges, CallID: "c1", ToolName: "draft", Arguments: []byte(`{}`)}
	asked.shown.markReached(milestoneOf("c1", 0))
	decision, err := asked.Ask(t.Context(), request)
	if err != nil || decision.Verdict != message.Reject {
		t.Errorf("it decides %q, %v", decision.Verdict, err)
	}
	if strings.Contains(screen.String(), "edit") || strings.Contains(screen.String(), "new arguments") {
		t.Errorf("it offers an edit: %q", screen.String())
	}
}

func TestPRE10_TheTerminalShowsWhereKeysAre(t *testing.T) {
	text := questionText(event.ConfirmRequest{Kind: message.QuestionOutput, CallID: "c1", ToolName: "shell", Arguments: []byte(`{}`), Preview: message.Preview{
		Command: "printenv", Output: "A=[secret hidden: 40 characters]\nB=[secret hidden: 9 characters]", Keys: 2,
	}}, 80)
	want := "\n? let the model see 2 keys in the output of printenv\n  │ A=[secret hidden: 40 characters]\n  │ B=[secret hidden: 9 characters]\n"
	if text != want {
		t.Errorf("shown %q, want %q", text, want)
	}
}

func TestEXT06_TheQuestionSaysWhereANoteIsKept(t *testing.T) {
	shown := questionText(event.ConfirmRequest{ToolName: "remember", Preview: message.Preview{
		Effect: message.EffectFiles, Path: "memory.md", Memory: true, Diff: "--- /dev/null\n+++ b/memory.md\n@@ -1,0 +1,1 @@\n+- 2026-11-29: tabs\n", Added: 1,
	}}, 80)
	if !strings.HasPrefix(shown, "\n? remember in the memory of the folder, outside of it (+1 −0)\n") || !strings.Contains(shown, gutter+"+- 2026-11-29: tabs\n") {
		t.Errorf("got %q", shown)
	}
}

func TestEXT03_TheQuestionShowsWhichServerIsCalled(t *testing.T) {
	const columns = 60
	call := message.ServerCall{
		Server: "notes", Tool: "write", Title: "? allow all\u202e", Arguments: "{\n  \"path\": \"a.txt\"\n}",
		Runs: "/usr/bin/notes " + strings.Repeat("x", 100), Grant: "reads the folder; has no network", ReadOnly: true,
	}
	request := event.ConfirmRequest{ToolName: "mcp_call", Preview: message.Preview{
		Effect: message.EffectCommand, Level: message.LevelNone, Confinement: "Not held.", ServerCall: &call,
	}}
	shown := questionText(request, columns)
	for _, want := range []string{
		"\n? call write of the server notes\n  │ {\n  │   \"path\": \"a.txt\"\n  │ }\n", "\nThe server calls this:\n  │ ? allow all\\u{202e}\n",
		"\nThe server says that it changes nothing.\n", "\nThe server runs with confinement none, and is:\n  │ /usr/bin/notes ", "\nNot held.\n",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("it lacks %q: %q", want, shown)
		}
	}
	for line := range strings.SplitSeq(shown, "\n") {
		if message.Columns(line) > columns {
			t.Errorf("row %q", line)
		}
	}
	request.Preview.Effect, request.Preview.Network = message.EffectNetwork, true
	if shown := questionText(request, columns); !strings.HasPrefix(shown, "\n? allow write of the server notes the network\n") {
		t.Errorf("the question about the network: %q", shown)
	}
	call.Runs, call.Elsewhere, call.ReadOnly, call.Title = "https://notes.example.org/", true, false, ""
	request.Preview = message.Preview{Effect: message.EffectNetwork, URL: call.Runs, ServerCall: &call}
	shown = questionText(request, columns)
	if !strings.HasPrefix(shown, "\n? call write of the server notes\n  │ {") || !strings.Contains(shown, "\nThe server is at:\n  │ https://notes.example.org/\n") {
		t.Errorf("of a server elsewhere: %q", shown)
	}
}

// TestCLI01_ANoteWaitsForTheAnswer writes a note while a question stands.
func TestCLI01_ANoteWaitsForTheAnswer(t *testing.T) {
	var out, screen strings.Builder
	shown := newText(&out, &screen, false, "", func(string) bool { return true })
	if err := shown.write([]event.Event{{Data: event.ConfirmRequest{CallID: "c1"}}}); err != nil {
		t.Fatal(err)
	}
	shown.note("note: later")
	if screen.String() != "" {
		t.Errorf("below the question stands %q", screen.String())
	}
	if err := shown.write([]event.Event{{Data: event.ConfirmResult{CallID: "c1", Decision: message.Approve}}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(screen.String(), "note: later\n") {
		t.Errorf("after the answer: %q", screen.String())
	}
}
