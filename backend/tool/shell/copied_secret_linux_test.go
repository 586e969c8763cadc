package shell_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/tool/shell"
)

// TestPRE10_ACommandThatNobodyWasAskedAboutSeesNoSecrets prints, copies, encodes and archives
// files with keys in many ways: nothing of them gets out.
func TestPRE10_ACommandThatNobodyWasAskedAboutSeesNoSecrets(t *testing.T) {
	b, _, temporary := openCopied(t)
	showFirst := true
	b.ShowFirst = func() bool { return showFirst }
	for _, subject := range shell.New(b.Options) {
		b.tools[subject.Definition().Name] = subject
	}
	folder := b.Folder.Path()
	const secret = "swordfish-4711-xyzzy"
	put := func(name string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(folder, name), []byte("KEY="+secret+"\n"), 0o600))
	}
	for _, name := range []string{".env", "config/.env.local", "keys/id_ed25519", ".ssh/known", "server.pem", "deep/er/credentials.json"} {
		put(name)
	}
	must(t, os.WriteFile(filepath.Join(folder, ".gitignore"), []byte(".env\n"), 0o600))
	must(t, os.Link(filepath.Join(folder, ".env"), filepath.Join(folder, "other-name")))
	must(t, os.Symlink(".env", filepath.Join(folder, "link-name")))
	files := `.env config/.env.local keys/id_ed25519 .ssh/known server.pem deep/er/credentials.json other-name link-name`
	ways := []string{
		"cat FILES", "head -c 100 FILES", "tail FILES", "od -c FILES", "base64 .env", "xxd .env", "rev .env", "tac .env", "sort FILES", "nl FILES",
		"grep -r KEY .", "grep -rz . .", "find . -type f -exec cat {} +", "find . -name '*env*' | xargs cat", "cp -r . /tmp/all; cat /tmp/all/.env",
		"cp .env plain.txt; cat plain.txt", "mv .env plain.txt; cat plain.txt", "ln .env plain.txt; cat plain.txt", "ln -s .env plain.txt; cat plain.txt",
		"tar cf - . | tar xOf -", "tar cf all.tar .", "dd if=.env 2>/dev/null", "while read -r l; do echo \"$l\"; done <.env", ". ./.env; echo $KEY",
		"set -a; . ./.env; env", "awk 1 FILES", "sed -n p FILES", "cut -c1-50 .env", "paste FILES", "diff /dev/null .env", "cmp -l .env /dev/zero",
		"python3 -c \"print(open('.env').read())\"", "python3 -c \"import os; print(os.read(os.open('.env', 0), 99))\"",
		"python3 -c \"import mmap; f=open('.env','rb'); print(mmap.mmap(f.fileno(), 0, access=1)[:])\"", "perl -pe1 .env", "git hash-object -w .env --stdin </dev/null; git init -q x",
		"git init -q . && git add -f . && git cat-file -p :.env", "cd config && cat .env.local", "cat config/../.env", "cat ./././.env", "cat " + folder + "/.env",
		"cat /proc/self/cwd/.env", "exec 3<.env; cat <&3", "cat .e?v", "cat .en*", "cat $(echo .env)", "xargs -a .env echo", "chmod 777 .env; cat .env",
		"mkdir d; mv config d/; cat d/config/.env.local", "python3 -c \"import os; os.rename('config','c2'); print(open('c2/.env.local').read())\"",
		"cp -a keys k2; cat k2/*", "rsync -a . /tmp/r/ 2>/dev/null; cat /tmp/r/.env", "cpio -o </dev/null; ls | cpio -o 2>/dev/null", "gzip -c .env | zcat",
		"wc -c FILES; strings FILES", "hexdump -C .env", "fold -w5 .env", "tee copy <.env", "install -m 644 .env copy; cat copy", "split -b 5 .env part; cat part*",
		"unlink .env; cat .env", "truncate -s 0 .env; cat .env", "stat .env; cat < .env > copy.txt; cat copy.txt",
	}
	for _, way := range ways {
		outcome := b.try(t, strings.ReplaceAll(way, "FILES", files))
		said := outcome.Result.Content.Text()
		if strings.Contains(said, secret) || strings.Contains(said, "KEY=") || strings.Contains(said, "S0VZPXN3b3JkZmlzaC") {
			t.Errorf("%s printed it: %s", way, said)
		}
		if c := outcome.Changes; c != nil {
			for _, row := range c.Preview.Changes {
				if strings.Contains(row.Diff, secret) {
					t.Errorf("%s shows it in %s", way, row.Path)
				}
			}
			c.Drop(t.Context())
		}
		if text, err := os.ReadFile(filepath.Join(folder, ".env")); err != nil || !strings.Contains(string(text), secret) {
			t.Fatalf("%s: .env holds %q, %v", way, text, err)
		}
		must(t, os.RemoveAll(filepath.Join(temporary, "all")))
		must(t, os.RemoveAll(filepath.Join(temporary, "r")))
	}
	t.Logf("%d ways", len(ways))
	// One that was asked about sees what is there.
	showFirst = false
	if outcome := b.try(t, "cat .env"); !strings.Contains(outcome.Result.Content.Text(), secret) {
		t.Errorf("a command that was asked about printed %q", outcome.Result.Content.Text())
	}
}

// TestPRE10_ACommandThatFailsOnASecretFileOffersToReadIt has commands read what is covered, and
// lets them see some of it.
func TestPRE10_ACommandThatFailsOnASecretFileOffersToReadIt(t *testing.T) {
	b, _, _ := openCopied(t)
	b.ShowFirst, b.Covers = func() bool { return true }, &shell.Covers{}
	for _, subject := range shell.New(b.Options) {
		b.tools[subject.Definition().Name] = subject
	}
	folder := b.Folder.Path()
	for _, name := range []string{".env", "server.pem", "\xff.pem"} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte("KEY="+name+"\n"), 0o600))
	}
	for _, test := range []struct {
		line    string
		covered []string
		failed  bool
	}{
		{"grep KEY .env", []string{".env"}, true},
		{"cat *; exit 3", []string{"server.pem", `"\xff.pem"`}, true},
		{"cat .env", nil, false},
		{"exit 1", nil, true},
	} {
		result := b.try(t, test.line).Result
		if !slices.Equal(result.Data.Covered, test.covered) || (result.Error != nil) != test.failed {
			t.Errorf("%s: covered %q, %v", test.line, result.Data.Covered, result.Error)
		}
		if told := strings.Contains(result.Content.Text(), "saw these empty"); told != (test.covered != nil) {
			t.Errorf("%s: the model reads %q", test.line, result.Content.Text())
		}
	}
	b.Covers.Allow(".env")
	b.Covers.Allow(`"\xff.pem"`)
	if result := b.try(t, "cat .env *.pem; exit 1").Result; !strings.Contains(result.Content.Text(), "KEY=.env\nKEY=\ufffd.pem\n") || !slices.Equal(result.Data.Covered, []string{"server.pem"}) {
		t.Errorf("of what may be read: %q, covered %q", result.Content.Text(), result.Data.Covered)
	}
}
