package workspace_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fairlead/backend/message"
)

func TestSEC06_SecretsAreRefused(t *testing.T) {
	folder, dir, _ := open(t)
	refused := []string{
		".env", ".ENV", "sub/.env.local", ".env.production", "server.pem", "server.key", "store.p12", "cert.PFX",
		"id_rsa", "id_ed25519_work", "id_ecdsa", "id_dsa", ".npmrc", ".pypirc", ".netrc", ".aws/credentials",
		".aws/credentials.bak", ".ssh/config", "sub/.ssh/known_hosts", ".gnupg/trustdb.gpg", ".git-credentials",
		".docker/config.json", ".e\u200bnv",
		".env~", ".env-prod", ".envrc", "prod.env", "#.env#", ".#.env", "..env.swp", "server.pem.bak", "server.key~", "server.key.old.orig",
		".id_rsa.swp", ".netrc~", ".netrc.swo", ".pgpass~", "credentials.json", ".credentials.json.swp", "sub/.Env.SAVE", ".ssh.bak/config",
		".aws~/credentials", ".aws/.credentials.swp",
	}
	// One leads to a secret, the other has the name of one.
	if linkAll(t, dir, map[string]string{"harmless.txt": ".env", "server.key": "a.txt"}) {
		refused = append(refused, "harmless.txt")
	}
	for _, path := range refused {
		if _, err := folder.OpenFile(path); code(err) != message.DeniedFile {
			t.Errorf("OpenFile(%q) = %v, want %s", path, err, message.DeniedFile)
		}
		if err := folder.Write(path, nil); code(err) != message.DeniedFile {
			t.Errorf("Write(%q) = %v, want %s", path, err, message.DeniedFile)
		}
	}
	for _, path := range []string{
		".env.example", ".env.sample", "sub/.env.template", "id_rsa.pub", "credentials.go", "config.json", "keys.go", "environment", "aws/credentials.txt",
		".env.dist", ".env.local.example", ".env.example~", "environment.go", "env.go", "key.go", "pem.md", "monkey.txt", "#", "~", ".bak",
		"notes.old", ".swp", "c#", "id_rsa.pub.bak", "my-credentials.json.md",
	} {
		write(t, filepath.Join(dir, path), "")
		file, err := folder.OpenFile(path)
		if err != nil {
			t.Errorf("OpenFile(%q): %v", path, err)
			continue
		}
		_ = file.Close()
	}
}

func TestReadAllTakesNoMoreThanItsLimit(t *testing.T) {
	folder, dir, _ := open(t)
	huge := filepath.Join(dir, "huge")
	write(t, huge, "x")
	if err := os.Truncate(huge, 1<<40); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	file, err := folder.OpenFile("huge")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	began := time.Now()
	if _, err := file.ReadAll(t.Context(), 1<<20); code(err) != message.UnsupportedFile {
		t.Errorf("ReadAll = %v, want %s", err, message.UnsupportedFile)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %v", took)
	}
}

func TestReadAllOfAFileThatGrew(t *testing.T) {
	folder, dir, _ := open(t)
	file, err := folder.OpenFile("a.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	write(t, filepath.Join(dir, "a.txt"), "longer than before")
	if _, err := file.ReadAll(t.Context(), 5); code(err) != message.UnsupportedFile {
		t.Errorf("ReadAll = %v, want %s", err, message.UnsupportedFile)
	}
}

func TestReadAllEndsWithItsContext(t *testing.T) {
	folder, _, _ := open(t)
	file, err := folder.OpenFile("a.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := file.ReadAll(ctx, 5); !errors.Is(err, context.Canceled) {
		t.Errorf("ReadAll = %v", err)
	}
}

func TestHardLinksAreRead(t *testing.T) {
	folder, dir, outside := open(t)
	if err := os.Link(filepath.Join(outside, "out.txt"), filepath.Join(dir, "hard.txt")); err != nil {
		t.Skipf("no hard links here: %v", err)
	}
	file, err := folder.OpenFile("hard.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if content, err := io.ReadAll(file); string(content) != "outside\n" || err != nil {
		t.Errorf("read %q, %v", content, err)
	}
}
