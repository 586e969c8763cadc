package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitTexts are files of git's settings, and some that git refuses.
var gitTexts = []string{
	"", "[a]", "[a]\nb = c", "\ufeff[a]\r\n\tb = c\r\n", "[a] b = c ; d\n# e\n[A \"B\\\"\\\\c]d\"]E=\"f # g\" h  ",
	"[a.B]\nc = d", "[a]\nb", "[a]\nb\nc=", "[a]\nb = c\\\nd \\\n  e", "[a]\nb = \" c \\t\\n\\\\\\\" \"", "[a]\nb = c \" \" ",
	"[a \"\"]\nb = c", "[a-1]\nb-2 = c\n[a-1]b-2 = d", "[a]\nb ; c", "[a \"b\"] c = d e\n;[x]\ny = z",
	"[a", "[a b]\nc", "[a \"b]\nc", "[a]\nb = \"c", "[a]\nb = \\x", "[a]\nb c", "[a]\n= c", "[]\na = b", "[a]\n1 = 2",
}

func TestSEC10_GitReadsTheSameFromACopy(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("this system has no git")
	}
	list := func(text string) (string, error) {
		path := filepath.Join(t.TempDir(), "config")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("git", "config", "--file", path, "--null", "--list")
		output, err := cmd.Output()
		return string(output), err
	}
	for _, text := range gitTexts {
		want, refused := list(text)
		all, err := parseGitSettings(text)
		if (err != nil) != (refused != nil) {
			t.Errorf("%q: %v, git: %v", text, err, refused)
			continue
		}
		var written strings.Builder
		for _, one := range all {
			written.WriteString(one.String())
		}
		if got, err := list(written.String()); refused == nil && (err != nil || got != want) {
			t.Errorf("%q is written as %q: %q, %v, want %q", text, written.String(), got, err, want)
		}
	}
}

func FuzzGitSettings(f *testing.F) {
	for _, text := range gitTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := parseGitSettings(text)
		if err != nil {
			return
		}
		var written strings.Builder
		for _, one := range all {
			written.WriteString(one.String())
		}
		again, err := parseGitSettings(written.String())
		if err != nil || len(again) != len(all) {
			t.Fatalf("%q is written as %q: %v", text, written.String(), err)
		}
		for i := range all {
			if all[i] != again[i] {
				t.Errorf("%+v is read as %+v", all[i], again[i])
			}
		}
	})
}

func TestSEC10_SecretsAreKnownByTheirForm(t *testing.T) {
	for text, want := range map[string]bool{
		"https://example.com/a@b": false, "https://me@example.com": true, "https://oauth2:x@example.com": true, "ssh://git@example.com": false,
		"ssh://git:pass@example.com": true, "git@example.com:a/b": false, "socks5h://u:p@h:1": true, "status --short": false,
		"Authorization: Bearer abcdefgh12345": true, "ghp_abcdefghijklmnop1234": true, "the token of a word": false, "token=abc": true,
		"<!-- <password>x</password> -->": false, "<password>x</password>": true, "<password></password>": false,
		"//r.example/:_authToken=x": true, "prefix=/home/me": false, "-----BEGIN OPENSSH PRIVATE KEY-----": true,
	} {
		if got := holdsSecret(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
