package workspace_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/workspace"
)

func TestSubtree(t *testing.T) {
	folder, dir, outside := open(t)
	write(t, filepath.Join(dir, ".gitignore"), "*\n")
	write(t, filepath.Join(dir, "sub/.env"), "SECRET=1\n")
	sandboxtest.Link(t, "b.txt", filepath.Join(dir, "sub", "link"))
	sandboxtest.Link(t, outside, filepath.Join(dir, "out"))
	sandboxtest.Link(t, "sub", filepath.Join(dir, "in"))
	sub, err := folder.Subtree("sub")
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	entries, more, err := sub.Entries(t.Context(), 10)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); got != ".env b.txt link" || more || err != nil {
		t.Errorf("entries %s, more %v, %v", got, more, err)
	}
	if target, err := sub.Target("link"); target != "b.txt" || err != nil {
		t.Errorf("target %s, %v", target, err)
	}
	if d, err := sub.Digest(t.Context(), ".env", 9); err != nil || d.Bytes != 9 || d.SHA256 != sha256.Sum256([]byte("SECRET=1\n")) {
		t.Errorf("digest %+v, %v", d, err)
	}
	if d, err := sub.Digest(t.Context(), ".env", 8); err != nil || d.Bytes != 9 || d.SHA256 != [32]byte{} {
		t.Errorf("digest of what is too large %+v, %v", d, err)
	}
	if _, err := sub.OpenFile(".env"); code(err) != message.DeniedFile {
		t.Errorf("a file with secrets: %v", err)
	}
	for _, path := range []string{"out", "in", "in/x", "sub/link", "sub/link/x"} {
		if got, err := folder.Subtree(path); !errors.Is(err, workspace.ErrLink) {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	if _, err := folder.Subtree("sub/none/x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
	if _, err := folder.Subtree("a.txt"); code(err) != message.UnsupportedFile {
		t.Errorf("a file: %v", err)
	}
	for name, want := range map[string]error{"link": workspace.ErrLink, "none": fs.ErrNotExist} {
		if _, err := sub.OpenFile(name); !errors.Is(err, want) {
			t.Errorf("open %s: %v", name, err)
		}
		if _, err := sub.Digest(t.Context(), name, 10); !errors.Is(err, want) {
			t.Errorf("digest of %s: %v", name, err)
		}
	}
}

// TestSubtreeOfLargeFiles has files as long as what is read at once, and a byte shorter and longer.
func TestSubtreeOfLargeFiles(t *testing.T) {
	dir := t.TempDir()
	sub, err := workspace.OpenSubtree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	for _, length := range []int{0, 1, 256<<10 - 1, 256 << 10, 256<<10 + 1, 600_000} {
		content := strings.Repeat("x", length)
		write(t, filepath.Join(dir, "f"), content)
		d, err := sub.Digest(t.Context(), "f", 1<<20)
		if err != nil || d.Bytes != int64(length) || d.SHA256 != sha256.Sum256([]byte(content)) {
			t.Errorf("%d bytes: %+v, %v", length, d, err)
		}
		file, err := sub.OpenFile("f")
		if err != nil {
			t.Fatal(err)
		}
		if read := file.DigestOf([]byte(content)); read != d {
			t.Errorf("%d bytes: %+v, read %+v", length, d, read)
		}
		_ = file.Close()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sub.Digest(ctx, "f", 1<<20); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := workspace.OpenSubtree(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}
