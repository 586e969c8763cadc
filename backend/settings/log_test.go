package settings_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

func TestLOG01_LogIsLeveledAndRedacted(t *testing.T) {
	const canary = "sk-canary-0123456789"
	var redactor secret.Redactor
	redactor.Add(canary)
	folder := filepath.Join(t.TempDir(), "state")
	log, closer, err := settings.OpenLog(folder, "warn", &redactor)
	if err != nil {
		t.Fatal(err)
	}
	log.Info("too quiet")
	log.Warn("message with "+canary, "run", "r1", canary, "value "+canary)
	if err := closer.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "logs", "fairlead.log")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(content), "canary") {
		t.Errorf("the log holds the key: %s", content)
	}
	var line map[string]any
	if err := json.Unmarshal(content, &line); err != nil {
		t.Fatalf("the log is not one JSON line: %v: %s", err, content)
	}
	if line["level"] != "WARN" || line["run"] != "r1" {
		t.Errorf("line = %v", line)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v", info.Mode().Perm())
	}
}

// Two processes write to one log, each of which sets the file aside when it is full.
func TestLOG01_LogIsRotated(t *testing.T) {
	folder := t.TempDir()
	var logs [2]*slog.Logger
	for i := range logs {
		log, closer, err := settings.OpenLog(folder, "info", &secret.Redactor{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = closer.Close() })
		logs[i] = log
	}
	long := strings.Repeat("x", 1<<20)
	for n := range 42 {
		logs[n%2].Info(long, "n", n)
	}
	files, err := filepath.Glob(filepath.Join(folder, "logs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 4 {
		t.Errorf("the log is %v, want one file and three older ones", files)
	}
	last := -1
	for _, name := range []string{"fairlead.log.3", "fairlead.log.2", "fairlead.log.1", "fairlead.log"} {
		content, err := os.ReadFile(filepath.Join(folder, "logs", name))
		if err != nil {
			t.Fatal(err)
		}
		// Each of the two counts what it writes itself, and leaves alone what the other began.
		if len(content) > 10<<20 || len(content) < 4<<20 && name != "fairlead.log" {
			t.Errorf("%s has %d bytes", name, len(content))
		}
		for line := range bytes.Lines(content) {
			var entry struct{ N int }
			if err := json.Unmarshal(line, &entry); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			last = max(last, entry.N)
		}
	}
	if last != 41 {
		t.Errorf("the last line is %d, want 41", last)
	}
}

func TestLOG01_LogThatCannotBeWrittenIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := settings.OpenLog(file, "info", &secret.Redactor{}); err == nil {
		t.Error("a log below a file was opened")
	}
	if _, _, err := settings.OpenLog(t.TempDir(), "loud", &secret.Redactor{}); err == nil {
		t.Error("the level loud was taken")
	}
}
