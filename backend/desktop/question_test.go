package desktop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

func command(line string) event.ConfirmRequest {
	return event.ConfirmRequest{Preview: message.Preview{
		Effect: message.EffectCommand, Command: line, Folder: "/home/me/work", Confinement: "not confined",
	}}
}

func write(diff string) event.ConfirmRequest {
	return event.ConfirmRequest{Preview: message.Preview{
		Effect: message.EffectFiles, Path: "src/a.go", Diff: diff, Added: 2, Removed: 1,
	}}
}

func reads(arguments string) event.ConfirmRequest {
	return event.ConfirmRequest{
		ToolName: "read_file", Arguments: json.RawMessage(arguments), Preview: message.Preview{Effect: message.EffectNone},
	}
}

func fetch(url string) event.ConfirmRequest {
	return event.ConfirmRequest{ToolName: "http_get", Preview: message.Preview{Effect: message.EffectNetwork, URL: url}}
}

func connected(line string) event.ConfirmRequest {
	request := command(line)
	request.Preview.Effect, request.Preview.Network = message.EffectNetwork, true
	return request
}

// shows is all that a question shows.
func shows(q question) string {
	d := q.dialog
	return strings.Join([]string{d.Heading, d.Text, d.Facts}, "\n\n")
}

func TestSEC02_TheDialogAboutTheNetworkIsOneOfItsOwn(t *testing.T) {
	for _, language := range []string{"en", "zh-CN"} {
		w := wordingOf(language)
		q := newQuestion(connected("curl example.org"), toolTitle, w)
		if !q.network || q.unseen || q.dialog.Title != w.networkTitle || !strings.Contains(q.dialog.Text, "curl example.org") {
			t.Errorf("%s: %+v", language, q)
		}
		q = newQuestion(connected(strings.Repeat("curl example.org\n", 40)+strings.Repeat("x", 200)), toolTitle, w)
		if !q.network || q.unseen || strings.Count(q.dialog.Text, "curl") != 40 || q.dialog.Yes != w.allow || q.dialog.No != w.deny {
			t.Errorf("%s: %+v", language, q)
		}
		for _, request := range []event.ConfirmRequest{command("ls"), fetch("https://example.org/"), write("+x\n")} {
			if newQuestion(request, toolTitle, w).network {
				t.Errorf("%s: %v is asked about like the network for a command", language, request.Preview)
			}
		}
	}
}

// What the page is told of the level is said in the language of the dialog.
func TestSEC02_TheDialogSaysTheLevel(t *testing.T) {
	for _, level := range []message.Level{message.LevelFull, message.LevelLimited, message.LevelNone} {
		request := command("ls")
		request.Preview.Level = level
		if q := newQuestion(request, toolTitle, chinese); strings.Contains(shows(q), "not confined") || !strings.Contains(shows(q), "隔离") {
			t.Errorf("%s: %s", level, shows(q))
		}
		if q := newQuestion(request, toolTitle, english); !strings.Contains(shows(q), "not confined") {
			t.Errorf("%s: %s", level, shows(q))
		}
	}
}

func TestSEC08_TheDialogSaysWhatRunsByItself(t *testing.T) {
	for _, test := range []struct {
		programs message.Autorun
		w        wording
		want     string
	}{
		{message.AutorunEditor, english, "Runs by itself: editors can run what it says"},
		{message.AutorunEditor, chinese, "会自动运行：打开文件夹时，编辑器"},
		{"another", english, "Runs by itself: other programs"},
		{"another", chinese, "会自动运行：其他程序"},
	} {
		for _, diff := range []string{"+x\n", strings.Repeat("+x\n", 31)} {
			request := write(diff)
			request.Preview.Autorun = test.programs
			if q := newQuestion(request, toolTitle, test.w); !strings.Contains(q.dialog.Text, test.want) {
				t.Errorf("%s: %q, want %q", test.programs, q.dialog.Text, test.want)
			}
		}
		if q := newQuestion(write("+x\n"), toolTitle, test.w); strings.Contains(q.dialog.Text, test.w.alone) {
			t.Errorf("%q of a file that nothing runs", q.dialog.Text)
		}
	}
}

// toolTitle is what the tool of a question is called.
const toolTitle = "Turn the page"

func TestHITL01_TheDialogShowsTheArgumentsWhereThereIsNothingElse(t *testing.T) {
	short := `{"name":"a\nb","count":2,"to":{"x":[1]},"hidden":"\u202e"}`
	shown := toolTitle + "\nname: a\\u{a}b\ncount: 2\nto: {\"x\":[1]}\nhidden: \\u{202e}"
	long := `{"first":"` + strings.Repeat("世", 60) + `"`
	for i := range 40 {
		long += fmt.Sprintf(`,"n%d":%d`, i, i)
	}
	long += "}"
	cutShort := toolTitle + "\nfirst: " + strings.Repeat("世", 45) + "…\nn0: 0\n"
	for name, preview := range map[string]message.Preview{
		"a command": {Effect: message.EffectCommand, Level: message.LevelNone, Confinement: "not confined"},
		"files":     {Effect: message.EffectFiles},
		"a path":    {Effect: message.EffectFiles, Path: "src/a.go"},
		"a note":    {Effect: message.EffectFiles, Path: "memory.md", Memory: true},
		"a request": {Effect: message.EffectNetwork, Confinement: "not looked at"},
		"a network": {Effect: message.EffectNetwork, Network: true, Folder: "/home/me/work"},
	} {
		for _, w := range []wording{english, chinese} {
			request := event.ConfirmRequest{ToolName: "turn_page", Arguments: json.RawMessage(short), Preview: preview}
			q := newQuestion(request, toolTitle, w)
			if q.unseen || !strings.HasSuffix(q.dialog.Text, shown) || !strings.Contains(q.dialog.Text, preview.Path) || q.dialog.Title == "" || q.dialog.Heading == "" {
				t.Errorf("%s: %+v", name, q)
			}
			request.Arguments = json.RawMessage(long)
			q = newQuestion(request, toolTitle, w)
			if !q.unseen || q.dialog.Yes != "" || !strings.Contains(q.dialog.Text, cutShort) || strings.Contains(q.dialog.Text, "n11") || !strings.Contains(q.dialog.Facts, w.tooLong) {
				t.Errorf("%s: a long call: %+v", name, q)
			}
			if rows := q.dialog.countRows(); rows > maxDialogLines {
				t.Errorf("%s: %d rows", name, rows)
			}
			request.Arguments = json.RawMessage(`{"cut`)
			if q = newQuestion(request, toolTitle, w); q.unseen || !strings.HasSuffix(q.dialog.Text, toolTitle+"\n{\"cut") {
				t.Errorf("%s: arguments that are no object: %+v", name, q)
			}
		}
	}
}

func TestHITL01_AToolIsCalledByItsTitle(t *testing.T) {
	announced := []event.Event{
		{Data: event.ToolCall{CallID: "c1", ToolName: "turn_page", Display: &message.Display{Title: toolTitle}}},
		{Data: event.ToolCall{CallID: "c2", ToolName: "unknown"}},
	}
	for call, want := range map[string]string{"c1": toolTitle, "c2": "its_name", "c3": "its_name"} {
		if got := titleOf(event.ConfirmRequest{CallID: call, ToolName: "its_name"}, announced); got != want {
			t.Errorf("the tool of %s is called %q, want %q", call, got, want)
		}
	}
}

func TestHITL02_TheDialogShowsAllOrDoesNotOfferToApprove(t *testing.T) {
	tests := []struct {
		name    string
		request event.ConfirmRequest
		unseen  bool
		shows   []string
	}{
		{"command", command("go test ./... && rm -r tmp"), false, []string{"go test ./... && \n  rm -r tmp", "/home/me/work", "not confined"}},
		{"command that fits just so", command(strings.Repeat("x", 100)), false, []string{strings.Repeat("x", 100)}},
		{"long command", command(strings.Repeat("x", 101)), false, []string{strings.Repeat("x", 100) + "\n↪ x", "/home/me/work", "not confined"}},
		{"command of 300 lines", command(strings.Repeat("x\n", 299) + "x"), false, []string{strings.Repeat("x\n", 299) + "x"}},
		{"command of 301 lines", command(strings.Repeat("x\n", 300) + "x"), true, []string{"/home/me/work", "not confined"}},
		{"command of 30 lines", command(strings.Repeat("x\n", 29) + "x"), false, nil},
		{"command with blank lines after it", command("x" + strings.Repeat("\n", 300)), true, nil},
		{"wide characters that fit just so", command(strings.Repeat("世", 50)), false, nil},
		{"wide characters", command(strings.Repeat("世", 51)), false, []string{strings.Repeat("世", 50) + "\n↪ 世"}},
		{"tabs that fit just so", command(strings.Repeat("\t", 12) + "1234"), false, nil},
		{"tabs", command(strings.Repeat("\t", 13)), false, []string{strings.Repeat(" ", 96) + "\n↪         "}},
		{"diff", write("@@ -1 +1 @@\n-a\n+b\n"), false, []string{"src/a.go", "+2 −1", "@@ -1 +1 @@\n-a\n+b"}},
		{"diff of 30 lines", write(strings.Repeat("+x\n", 30)), false, []string{"+x"}},
		{"diff of 31 lines", write(strings.Repeat("+x\n", 31)), true, []string{"src/a.go", "+2 −1"}},
		{"diff with a wide line", write("+" + strings.Repeat("世", 60) + "\n"), true, nil},
		{"deletion without a diff", write(""), false, []string{"src/a.go"}},
		{"hidden characters count as shown", command(strings.Repeat("\u202e", 20)), false, []string{"\n↪ "}},
		{"hidden characters are shown", command("rm \u202etxt.a"), false, []string{`rm \u{202e}txt.a`}},
		{"a call that reads", reads(`{"path":"a.txt"}`), false, []string{`read_file {"path":"a.txt"}`}},
		{"a long call that reads", reads(strings.Repeat("y", 3001)), true, nil},
		{"a page", fetch("https://example.org/a?b=c"), false, []string{"https://example.org/a?b=c"}},
		{"a page with a long address", fetch("https://example.org/" + strings.Repeat("x", 3000)), true, nil},
		{"a path cannot begin a line", write("+x\n"), false, nil},
	}
	for _, language := range []string{"en", "zh-CN"} {
		for _, test := range tests {
			q := newQuestion(test.request, toolTitle, wordingOf(language))
			if q.unseen != test.unseen {
				t.Errorf("%s %s: unseen is %v", language, test.name, q.unseen)
			}
			for _, part := range test.shows {
				if !strings.Contains(shows(q), part) {
					t.Errorf("%s %s lacks %q:\n%s", language, test.name, part, shows(q))
				}
			}
			if q.unseen == (q.dialog.Yes != "") {
				t.Errorf("%s %s: unseen is %v, and the answer yes is %q", language, test.name, q.unseen, q.dialog.Yes)
			}
			if q.unseen && strings.Contains(shows(q), strings.Repeat("x", 50)) {
				t.Errorf("%s %s shows a part", language, test.name)
			}
		}
	}
	long := write("+x\n")
	long.Preview.Path = strings.Repeat("x", 101)
	if !newQuestion(long, toolTitle, english).unseen {
		t.Error("a path that is not seen whole is offered to be approved")
	}
	sly := write("+x\n")
	sly.Preview.Path = "a\n\nIn the folder /safe"
	if q := newQuestion(sly, toolTitle, english); strings.Contains(shows(q), sly.Preview.Path) {
		t.Errorf("a path that writes lines of its own: %s", shows(q))
	}
}

func TestUI07_WordsAreThereInBothLanguages(t *testing.T) {
	if wordingOf("zh-CN").approve != "批准" || wordingOf("fr").approve != english.approve {
		t.Error("wrong language")
	}
	for _, w := range []wording{english, chinese} {
		for _, text := range []string{
			w.chooseFolder, w.runTitle, w.writeTitle, w.run, w.write, w.tooLong, w.folder, w.approve, w.reject, w.inWindow,
			w.runEdited, w.writeEdited, w.noteTitle, w.note, w.noteEdited, w.conversation, w.marked, w.scroll, w.settingTitle, w.save, w.cancel, w.ownAddress,
			w.use, w.useNetwork, w.keyVariable, w.fewerDialogs, w.background, w.noDialog, w.dangers[message.Deletes], w.dangers[message.Forces],
			w.dangers[message.UsesNetwork], w.dangers[message.Outside], w.dangers[message.Interprets], w.keepTitle, w.keep, w.applyAll, w.drop, w.outputTitle, w.output, w.reveal, w.hide, w.readTitle, w.read, w.letRead,
			w.kinds["created"], w.kinds["modified"], w.kinds["moved"], w.kinds["deleted"],
		} {
			if text == "" {
				t.Errorf("a word is missing in %+v", w)
			}
		}
	}
}

func TestDESK05_TheMarksOfADialogAreThoseOfTheCommand(t *testing.T) {
	line := "echo a && rm -rf one two; " + strings.Repeat("x", 150) + " ../" + strings.Repeat("y", 90)
	q := newQuestion(command(line), toolTitle, english)
	runes := []rune(q.dialog.Text)
	var marked []string
	for _, mark := range q.dialog.Marks {
		marked = append(marked, string(runes[mark.From:mark.To]))
	}
	all := strings.Join(marked, "")
	if !strings.HasPrefix(all, "rm -rf one two") || strings.Count(all, "y") != 90 || strings.ContainsAny(all, "x↪\n") {
		t.Errorf("marked is %q in\n%s", marked, q.dialog.Text)
	}
	if !strings.Contains(q.dialog.Facts, english.dangers[message.Deletes]+", "+english.dangers[message.Outside]) {
		t.Errorf("the facts are %q", q.dialog.Facts)
	}
	// Without what foldText put in, the command is as it was.
	plain := strings.NewReplacer("\n"+folded, "", "\n"+joined, "").Replace(q.dialog.Text)
	if plain != line {
		t.Errorf("the dialog shows\n%s\nof\n%s", plain, line)
	}
}

func TestPRE03_TheDialogShowsAllThatACommandChanged(t *testing.T) {
	asked := func(changes ...message.PendingChange) question {
		return newQuestion(event.ConfirmRequest{
			Kind: message.QuestionChanges, ToolName: "shell", Preview: message.Preview{Effect: message.EffectFiles, Folder: "/ws", Changes: changes},
		}, toolTitle, english)
	}
	edited := message.PendingChange{Path: "a.txt", Kind: "modified", Diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n", Added: 1, Removed: 1, Size: 4}
	held := message.PendingChange{Path: ".envrc", Kind: "created", Diff: "+x\n", Added: 1, Size: 2, Held: &message.Held{Code: message.HeldAutorun, Autorun: message.AutorunEnvironment}}
	q := asked(edited, held, message.PendingChange{Path: "b", Kind: "deleted"},
		message.PendingChange{Path: "c", Kind: "deleted", To: "d"}, message.PendingChange{Path: "d", Kind: "created", From: "c", Size: 9})
	for _, want := range []string{"changed a.txt  +1 −1", "new .envrc", "! Runs by itself", "deleted b", "moved c → d", "-old\n+new"} {
		if !strings.Contains(q.dialog.Text, want) {
			t.Errorf("%q is not in:\n%s", want, q.dialog.Text)
		}
	}
	if q.unseen || q.dialog.Yes != "Apply all" || q.dialog.No != "Drop" {
		t.Errorf("answers %q and %q, unseen %v", q.dialog.Yes, q.dialog.No, q.unseen)
	}
	binary := message.PendingChange{Path: "blob", Kind: "created", Size: 100}
	var many []message.PendingChange
	for i := range 100 {
		many = append(many, message.PendingChange{Path: strings.Repeat("x", i+1), Kind: "deleted"})
	}
	for name, q := range map[string]question{"a file that is no text": asked(edited, binary), "many paths": asked(many...)} {
		if !q.unseen || q.dialog.Yes != "" {
			t.Errorf("%s can be approved in the dialog", name)
		}
	}
}

func TestPRE10_TheDialogAsksWhetherTheModelSeesAKey(t *testing.T) {
	q := newQuestion(event.ConfirmRequest{Kind: message.QuestionOutput, ToolName: "shell", Preview: message.Preview{
		Effect: message.EffectNone, Command: "printenv", Output: "A=[secret hidden: 40 characters]", Keys: 1,
	}}, toolTitle, english)
	if q.dialog.Text != "printenv\n\nA=[secret hidden: 40 characters]" || q.dialog.Yes != "Show the model" || q.dialog.No != "Keep hidden" || q.unseen {
		t.Errorf("the dialog is %+v", q.dialog)
	}
}

func TestEXT06_TheDialogSaysWhereANoteIsKept(t *testing.T) {
	for _, w := range []wording{english, chinese} {
		for edited, heading := range map[bool]string{false: w.note, true: w.noteEdited} {
			q := newQuestion(event.ConfirmRequest{ToolName: "remember", Preview: message.Preview{
				Effect: message.EffectFiles, Path: "memory.md", Memory: true, Diff: "--- /dev/null\n+++ b/memory.md\n@@ -0,0 +1 @@\n+- 2026-11-29: tabs\n", Added: 1, Edited: edited,
			}}, toolTitle, w)
			if q.unseen || q.dialog.Title != w.noteTitle || q.dialog.Heading != heading || !strings.Contains(q.dialog.Text, "+- 2026-11-29: tabs") {
				t.Errorf("edited %v: %+v", edited, q.dialog)
			}
		}
	}
}
