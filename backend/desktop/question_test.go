package desktop

import (
	"encoding/json"
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

func TestSEC02_TheDialogAboutTheNetworkIsOneOfItsOwn(t *testing.T) {
	for _, language := range []string{"en", "zh-CN"} {
		w := words(language)
		q := ask(connected("curl example.org"), w)
		if !q.network || q.unseen || q.title != w.networkTitle || !strings.Contains(q.text, "curl example.org") {
			t.Errorf("%s: %+v", language, q)
		}
		// The whole of a long one was shown when it was approved.
		q = ask(connected(strings.Repeat("curl example.org\n", 40)+strings.Repeat("x", 200)), w)
		if !q.network || q.unseen || strings.Count(q.text, "\n") > 20 || !strings.Contains(q.text, "…") {
			t.Errorf("%s: %+v", language, q)
		}
		for _, request := range []event.ConfirmRequest{command("ls"), fetch("https://example.org/"), write("+x\n")} {
			if ask(request, w).network {
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
		if q := ask(request, chinese); strings.Contains(q.text, "not confined") || !strings.Contains(q.text, "隔离") {
			t.Errorf("%s: %s", level, q.text)
		}
		if q := ask(request, english); !strings.Contains(q.text, "not confined") {
			t.Errorf("%s: %s", level, q.text)
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
		{"command", command("go test ./... && rm -r tmp"), false, []string{"go test ./... && rm -r tmp", "/home/me/work", "not confined"}},
		{"command that fits just so", command(strings.Repeat("x", 100)), false, []string{strings.Repeat("x", 100)}},
		{"long command", command(strings.Repeat("x", 101)), true, []string{"/home/me/work", "not confined"}},
		{"command of 31 lines", command(strings.Repeat("x\n", 31)), true, nil},
		{"command of 30 lines", command(strings.Repeat("x\n", 29) + "x"), false, nil},
		{"command with blank lines after it", command("x" + strings.Repeat("\n", 30)), true, nil},
		{"wide characters that fit just so", command(strings.Repeat("世", 50)), false, nil},
		{"wide characters", command(strings.Repeat("世", 51)), true, nil},
		{"tabs that fit just so", command(strings.Repeat("\t", 12) + "1234"), false, nil},
		{"tabs", command(strings.Repeat("\t", 13)), true, nil},
		{"diff", write("@@ -1 +1 @@\n-a\n+b\n"), false, []string{"src/a.go", "+2 −1", "@@ -1 +1 @@\n-a\n+b"}},
		{"diff of 30 lines", write(strings.Repeat("+x\n", 30)), false, []string{"+x"}},
		{"diff of 31 lines", write(strings.Repeat("+x\n", 31)), true, []string{"src/a.go", "+2 −1"}},
		{"diff with a wide line", write("+" + strings.Repeat("世", 100) + "\n"), true, nil},
		{"deletion without a diff", write(""), false, []string{"src/a.go"}},
		{"hidden characters count as shown", command(strings.Repeat("\u202e", 20)), true, nil},
		{"hidden characters are shown", command("rm \u202etxt.a"), false, []string{`rm \u{202e}txt.a`}},
		{"a call that reads", reads(`{"path":"a.txt"}`), false, []string{`read_file {"path":"a.txt"}`}},
		{"a long call that reads", reads(strings.Repeat("y", 101)), true, nil},
		{"a page", fetch("https://example.org/a?b=c"), false, []string{"https://example.org/a?b=c"}},
		{"a page with a long address", fetch("https://example.org/" + strings.Repeat("x", 100)), true, nil},
		{"a path cannot begin a line", write("+x\n"), false, nil},
	}
	for _, language := range []string{"en", "zh-CN"} {
		for _, test := range tests {
			q := ask(test.request, words(language))
			if q.unseen != test.unseen {
				t.Errorf("%s %s: unseen is %v", language, test.name, q.unseen)
			}
			for _, part := range test.shows {
				if !strings.Contains(q.text, part) {
					t.Errorf("%s %s lacks %q:\n%s", language, test.name, part, q.text)
				}
			}
			if q.unseen && strings.Contains(q.text, strings.Repeat("x", 50)) {
				t.Errorf("%s %s shows a part", language, test.name)
			}
		}
	}
	long := write("+x\n")
	long.Preview.Path = strings.Repeat("x", 101)
	if !ask(long, english).unseen {
		t.Error("a path that is not seen whole is offered to be approved")
	}
	sly := write("+x\n")
	sly.Preview.Path = "a\n\nIn the folder /safe"
	if q := ask(sly, english); strings.Contains(q.text, sly.Preview.Path) {
		t.Errorf("a path that writes lines of its own: %s", q.text)
	}
}

func TestUI07_WordsAreThereInBothLanguages(t *testing.T) {
	if words("zh-CN") == words("en") || words("fr") != english {
		t.Error("wrong language")
	}
	for _, w := range []wording{english, chinese} {
		for _, text := range []string{w.chooseFolder, w.runTitle, w.writeTitle, w.run, w.write, w.tooLong, w.folder, w.approve, w.reject, w.inWindow} {
			if text == "" {
				t.Errorf("a word is missing in %+v", w)
			}
		}
	}
}
