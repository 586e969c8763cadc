package settings_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/settings"
)

func TestLOG01_LogIsLeveledAndRedacted(t *testing.T) {
	var redactor settings.Redactor
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

func TestLOG01_LogIsRotated(t *testing.T) {
	folder := t.TempDir()
	log, closer, err := settings.OpenLog(folder, "info", &settings.Redactor{})
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 1<<20)
	for range 7 {
		log.Info(long)
	}
	if err := closer.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Join(folder, "logs"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Errorf("%d log files, want 2", len(files))
	}
}

func TestLOG01_LogThatCannotBeWrittenIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := settings.OpenLog(file, "info", &settings.Redactor{}); err == nil {
		t.Error("a log below a file was opened")
	}
	if _, _, err := settings.OpenLog(t.TempDir(), "loud", &settings.Redactor{}); err == nil {
		t.Error("the level loud was taken")
	}
}
