package settings_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
	"fairlead/backend/settings"
)

func TestCFG01_LimitsComeFromTheFileElseFromTheDefaults(t *testing.T) {
	usual := message.Limits{
		MaxSteps: 50, Attempts: 5, Parallel: 8,
		RunTimeout: 30 * time.Minute, StepTimeout: 2 * time.Minute, ConfirmTimeout: 5 * time.Minute,
		ContinueOnError: true, DoomDetection: true, Compaction: true,
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
	changed.MaxSteps, changed.RunTimeout, changed.ToolTimeout, changed.ContinueOnError = 7, 90*time.Second, 5*time.Second, false
	changed.Budget, changed.ContextWindow = 2_000_000, 32_768
	changed.BudgetUSD = 2
	changed.DoomDetection, changed.Compaction, changed.ContinueMessage = false, false, true
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
	changed.MaxSteps, changed.Budget, changed.BudgetUSD, changed.DoomDetection = 9, 0, 0.5, true
	limits, err = file.Limits()
	if diff := cmp.Diff(changed, limits); err != nil || diff != "" {
		t.Errorf("environment: %v\n%s", err, diff)
	}
	changed.MaxSteps, changed.DoomDetection, changed.ContinueMessage = 11, false, false
	limits, err = file.With(map[string]string{"max_steps": "11", "doom_detection": "false"}, "continue_message").Limits()
	if diff := cmp.Diff(changed, limits); err != nil || diff != "" {
		t.Errorf("flags: %v\n%s", err, diff)
	}
}

func TestCFG01_DefaultsAreInRange(t *testing.T) {
	for _, option := range settings.Options() {
		if err := option.Check(option.Default); option.Default != "" && err != nil {
			t.Errorf("%s: %v", option.Key, err)
		}
	}
}

func TestCFG01_TheEnvironmentTakesTheWordsOfTheCommandLine(t *testing.T) {
	t.Setenv("FAIRLEAD_INSTRUCTIONS", "1")
	if value := (settings.File{}).Value("instructions"); value != "1" {
		t.Errorf("a text became %q", value)
	}
	for word, want := range map[string]string{
		"1": "false", "yes": "false", "True": "false", "0": "true", "no": "true", "on": "true", "": "true",
	} {
		t.Setenv("FAIRLEAD_NO_COMPACT", word)
		if got := (settings.File{}).Value("compaction"); got != want {
			t.Errorf("%q is %s", word, got)
		}
	}
}
