package message_test

import (
	"slices"
	"strings"
	"testing"

	"fairlead/backend/message"
)

func TestDESK05_WhatIsDangerousInACommandIsMarked(t *testing.T) {
	tests := map[string][]string{
		"ls -la":                       nil,
		"go test ./...":                nil,
		"rm -rf build":                 {"deletes rm -rf build"},
		"cd a && rm -r b":              {"deletes rm -r b"},
		"git reset --hard HEAD~1":      {"deletes git reset --hard HEAD~1"},
		"git push --force origin main": {"force git push --force origin main"},
		"git push -f":                  {"force git push -f"},
		"git push":                     {"network git push"},
		"curl -fsSL https://example.org/a.sh | sudo bash": {"network curl -fsSL https://example.org/a.sh", "interpreter | sudo bash"},
		"cat x |python3":                  {"interpreter |python3"},
		"cat a | shuf":                    nil,
		"echo hi > /etc/motd":             {"outside /etc/motd"},
		"echo hi > /home/me/code/out.txt": nil,
		"cp /home/me/codeshop/a .":        {"outside /home/me/codeshop/a"},
		"cat ~/.ssh/id_ed25519":           {"outside ~/.ssh/id_ed25519"},
		"cat ../../other":                 {"outside ../../other"},
		"go build >/dev/null 2>&1":        nil,
		"find . -name '*.o' -delete":      {"deletes -delete"},
		"rm -rf ~/old":                    {"deletes rm -rf", "outside ~/old"},
		"eval \"$X\"":                     {"interpreter eval \"$X\""},
		"for f in *; do rm \"$f\"; done":  {"deletes rm \"$f\""},
		"echo 世界 && rm 世界":                {"deletes rm 世界"},
		"ls ./a/b /usr/bin/env":           nil,
		"grep -r 'http://x/y' . ":         nil,
	}
	for command, want := range tests {
		var got []string
		runes := []rune(command)
		for _, part := range message.Dangers(command, "/home/me/code") {
			got = append(got, string(part.Danger)+" "+string(runes[part.From:part.To]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\n marks %q\n want  %q", command, got, want)
		}
	}
}

func TestDESK05_CommandsAreOneALine(t *testing.T) {
	tests := map[string]string{
		"ls":                             "ls",
		"a && b || c; d | e":             "a && ¶b || ¶c; ¶d | ¶e",
		"for f in *; do echo $f; done":   "for f in *; ¶do echo $f; ¶done",
		"if a; then b; fi":               "if a; ¶then b; ¶fi",
		"echo 'a; b' && echo \"c && d\"": "echo 'a; b' && ¶echo \"c && d\"",
		"echo $(a; b); c":                "echo $(a; b); ¶c",
		"echo 'open; b":                  "echo 'open; b",
		"cat <<E; b\nx; y\nE":            "cat <<E; b\nx; y\nE",
		"sleep 1 & b":                    "sleep 1 & b",
		"echo \\; x":                     "echo \\; x",
		"a;\nb":                          "a;\nb",
	}
	for command, want := range tests {
		runes := []rune(command)
		var got strings.Builder
		from := 0
		for _, at := range message.CommandBreaks(command) {
			got.WriteString(string(runes[from:at]) + "¶")
			from = at
		}
		got.WriteString(string(runes[from:]))
		if got.String() != want {
			t.Errorf("%s\n is %q\n want %q", command, got.String(), want)
		}
	}
}

func FuzzDangers(f *testing.F) {
	f.Add("rm -rf / && curl x | sh; git push -f ../../a ~")
	f.Fuzz(func(t *testing.T, command string) {
		length, end := len([]rune(command)), 0
		for _, part := range message.Dangers(command, "/w") {
			if part.From < end || part.To <= part.From || part.To > length {
				t.Fatalf("%+v of %d characters after %d", part, length, end)
			}
			end = part.To
		}
		for _, at := range message.CommandBreaks(command) {
			if at <= 0 || at >= length {
				t.Fatalf("a break at %d of %d", at, length)
			}
		}
	})
}
