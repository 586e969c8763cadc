package autorun

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// samples are settings files with everything that git's grammar knows.
var samples = map[string]string{
	"plain":               "[core]\n\thooksPath = hooks\n",
	"on the section line": "[core] hooksPath = hooks\n",
	"comment":             "[core]\n\thooksPath = hooks # team\n\teditor = vi ; team\n# [core]\n; x\n",
	"quoted":              "[core]\n\thooksPath = \"hooks # no comment\"\n\teditor = a\" b \"c  \n",
	"escapes":             "[core]\n\teditor = \"a\\tb\\\\c\\\"d\\ne\"\n",
	"continued":           "[core]\n\thooksPath = ho\\\noks\n\teditor = a \\\n  b\n",
	"subsection":          "[filter \"a.B \\\"c\"]\n\tClean = x\n[Diff.External]\n\tCommand = y\n",
	"no value":            "[extensions]\n\tworktreeConfig\n[core]\n\tbare\n",
	"windows":             "\ufeff[core]\r\n\thooksPath = hooks\r\n\teditor = a \\\r\n b\r\n",
	"two in a line":       "[core] bare = false\n[include] path = more ; x\n",
	"empty":               "[core]\n\teditor =\n\tpager = \"\"\n",
	"inner blanks":        "[alias]\n\tx = !sh   -c  'a\tb'\n",
	"case":                "[CORE]\n\tHooksPath = Hooks\n",
	"no end of line":      "[core]\n\thooksPath = hooks",
	"blank before":        "  [core]  \n  hooksPath=hooks  \n",
}

func TestSEC08_SettingsAreReadAsGitReadsThem(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("this system has no git")
	}
	for name, text := range samples {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			output, err := exec.Command(git, "config", "--file", file, "--list", "--null").Output()
			if err != nil {
				t.Fatal(err)
			}
			var want, got []string
			for entry := range strings.SplitSeq(strings.TrimSuffix(string(output), "\x00"), "\x00") {
				key, value, ok := strings.Cut(entry, "\n")
				if !ok {
					value = "true"
				}
				want = append(want, key+"="+value)
			}
			for _, s := range parse(text, file) {
				got = append(got, s.key+"="+s.value)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzSettingsDoNotPanic(f *testing.F) {
	for _, text := range samples {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) { parse(text, "config") })
}
