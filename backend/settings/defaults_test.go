package settings_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/settings"
)

func TestCFG01_LimitsComeFromTheFileElseFromTheDefaults(t *testing.T) {
	usual := settings.Limits{
		MaxSteps: 50, Attempts: 5, Parallel: 8, Run: 30 * time.Minute, Step: 2 * time.Minute, Confirm: 5 * time.Minute,
	}
	limits, err := settings.File{}.Limits()
	if diff := cmp.Diff(usual, limits); err != nil || diff != "" {
		t.Errorf("defaults: %v\n%s", err, diff)
	}
	dir := t.TempDir()
	text := "max_steps = 7\nrun_timeout = \"90s\"\ntool_timeout = \"5s\"\ncontinue_on_error = false\n" +
		"budget = 2_000_000\ncontext_window = 32768\nbudget_usd = 2\ndoom_detection = false\ncompaction = false\ncontinue_message = true\n"
	if err := os.WriteFile(filepath.Join(dir, settings.FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := settings.ReadFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	changed := usual
	changed.MaxSteps, changed.Run, changed.Tool, changed.StopOnToolError = 7, 90*time.Second, 5*time.Second, true
	changed.Budget, changed.ContextWindow = 2_000_000, 32_768
	changed.BudgetUSD = 2
	changed.NoDoom, changed.NoCompact, changed.ContinueMessage = true, true, true
	limits, err = file.Limits()
	if diff := cmp.Diff(changed, limits); err != nil || diff != "" {
		t.Errorf("file: %v\n%s", err, diff)
	}
	t.Setenv("FAIRLEAD_MAX_STEPS", "9")
	t.Setenv("FAIRLEAD_ATTEMPTS", "1000")
	t.Setenv("FAIRLEAD_BUDGET", "0")
	t.Setenv("FAIRLEAD_BUDGET_USD", "0.5")
	t.Setenv("FAIRLEAD_NO_DOOM", "No")
	t.Setenv("FAIRLEAD_CONTINUE_MESSAGE", "perhaps")
	changed.MaxSteps, changed.Budget, changed.BudgetUSD, changed.NoDoom = 9, 0, 0.5, false
	limits, err = file.Limits()
	if diff := cmp.Diff(changed, limits); err != nil || diff != "" {
		t.Errorf("environment: %v\n%s", err, diff)
	}
}

func TestCFG01_DefaultsAreInRange(t *testing.T) {
	for flag, value := range settings.Defaults() {
		if err := settings.Check(flag, value); err != nil {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

func TestCFG01_TheEnvironmentTakesTheWordsOfTheCommandLine(t *testing.T) {
	t.Setenv("FAIRLEAD_INSTRUCTIONS", "1")
	if value := (settings.File{}).Value("instructions"); value != "1" {
		t.Errorf("a text became %q", value)
	}
	for word, want := range map[string]string{
		"1": "true", "yes": "true", "True": "true", "0": "false", "no": "false", "on": "false", "": "false",
	} {
		t.Setenv("FAIRLEAD_NO_COMPACT", word)
		if got := (settings.File{}).Value("no-compact"); got != want {
			t.Errorf("%q is %s", word, got)
		}
	}
}
