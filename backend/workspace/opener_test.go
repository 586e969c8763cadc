package workspace_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
)

func TestTOOL02_AnOpenerReadsEachFileInAnyOrder(t *testing.T) {
	folder, dir, _ := open(t)
	names := []string{"top.txt", "a/1.txt", "a/2.txt", "a/b/1.txt", "a/b/c/1.txt", "ab/1.txt", "ab/b/1.txt", "z/empty.txt"}
	for _, name := range names {
		text := "in " + name
		if strings.HasSuffix(name, "empty.txt") {
			text = ""
		}
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	opener := folder.Opener()
	defer opener.Close()
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		name := names[random.IntN(len(names))]
		want, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		content, err := opener.Read(t.Context(), name, 100)
		if err != nil || content == nil || string(content) != string(want) {
			t.Fatalf("%s is %q, %v, want %q", name, content, err, want)
		}
	}
}

func TestTOOL02_AnOpenerReadsWhatIsNoOrdinaryFileAsOpenFileDoes(t *testing.T) {
	folder, dir, _ := open(t)
	write(t, filepath.Join(dir, "a", "large.txt"), strings.Repeat("x", 101))
	write(t, filepath.Join(dir, "a", ".env"), "KEY=1")
	write(t, filepath.Join(dir, ".ssh", "config"), "Host x")
	write(t, filepath.Join(dir, "a", "twice.txt"), "two names")
	if err := os.Link(filepath.Join(dir, "a", "twice.txt"), filepath.Join(dir, "again.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(dir, "a", ".env"), filepath.Join(dir, "innocent.txt")); err != nil {
		t.Fatal(err)
	}
	opener := folder.Opener()
	defer opener.Close()
	if content, err := opener.Read(t.Context(), "a/large.txt", 100); content != nil || err != nil {
		t.Errorf("a file over the limit is %q, %v", content, err)
	}
	if content, err := opener.Read(t.Context(), "a/twice.txt", 100); string(content) != "two names" || err != nil {
		t.Errorf("a file with two names is %q, %v", content, err)
	}
	for name, want := range map[string]message.ToolCode{
		"a/.env": message.DeniedFile, ".ssh/config": message.DeniedFile, "innocent.txt": message.DeniedFile,
		"a": message.UnsupportedFile, "missing": message.StaleFile, "missing/a.txt": message.StaleFile,
	} {
		if content, err := opener.Read(t.Context(), name, 100); code(err) != want {
			t.Errorf("%s: %q, %v, want %s", name, content, err, want)
		}
	}
}

func TestSEC06_PatternsOfNamesFitAsWholeNames(t *testing.T) {
	folder, dir, _ := open(t)
	for _, name := range []string{"a.tfstate.bak.txt", "service-account-x.json", "x.keystore", "kubeconfig-a"} {
		write(t, filepath.Join(dir, name), "secret")
		if _, err := folder.OpenFile(name); code(err) != message.DeniedFile {
			t.Errorf("%s: %v, want %s", name, err, message.DeniedFile)
		}
	}
	for _, name := range []string{"keystore.txt", "service-account.js", "my-kubeconfig-a", "a.tfstates", "x.pub.key.txt"} {
		write(t, filepath.Join(dir, name), "open")
		file, err := folder.OpenFile(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_ = file.Close()
	}
}
