package remember_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"fairlead/backend/memory"
	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/remember"
	"fairlead/backend/tool/tooltest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func now() time.Time { return time.Date(2026, time.November, 29, 12, 0, 0, 0, time.UTC) }

// open returns a memory and the tool that adds to it.
func open(t *testing.T) (*memory.Memory, tool.Tool) {
	t.Helper()
	m := memory.Open(t.TempDir(), "/home/ada/project", func(text string) string { return text })
	return m, remember.New(m, now)
}

func input(text string) tool.Input {
	arguments, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		panic(err)
	}
	return tool.Input{CallID: "call-1", Arguments: arguments}
}

// text is what is noted.
func text(t *testing.T, m *memory.Memory) string {
	t.Helper()
	notes, err := m.Read()
	if err != nil {
		t.Error(err)
	}
	return notes.Text
}

func TestTOOL06_Conformance(t *testing.T) {
	m, subject := open(t)
	wants := func(want string) func(*testing.T) {
		return func(t *testing.T) {
			t.Helper()
			if got := text(t, m); got != want {
				t.Errorf("noted is %q, want %q", got, want)
			}
		}
	}
	tooltest.Conform(t, tooltest.Case{
		Tool: subject, Good: `{"text": "indent with tabs"}`,
		Before: func() {
			if err := m.Clear(t.Context()); err != nil {
				t.Error(err)
			}
		},
		Untouched: wants(""),
		CRLF:      tooltest.Probe{Arguments: `{"text": "a\r\nb\r\n"}`, Want: "- 2026-11-29: a b", After: wants("- 2026-11-29: a b\n")},
		Unicode:   tooltest.Probe{Arguments: `{"text": "é目😀"}`, Want: "- 2026-11-29: é目😀", After: wants("- 2026-11-29: é目😀\n")},
	})
}

func TestEXT06_ACallIsShownAsAChangeOfTheMemory(t *testing.T) {
	m, subject := open(t)
	for _, step := range []struct {
		text string
		want message.Preview
	}{
		{"first", message.Preview{
			Diff: "--- /dev/null\n+++ b/memory.md\n@@ -1,0 +1,1 @@\n+- 2026-11-29: first\n", Added: 1, Fingerprint: "- 2026-11-29: first",
		}},
		{"second", message.Preview{
			Diff:  "--- a/memory.md\n+++ b/memory.md\n@@ -1,1 +1,2 @@\n - 2026-11-29: first\n+- 2026-11-29: second\n",
			Added: 1, Fingerprint: "- 2026-11-29: second",
		}},
	} {
		step.want.Effect, step.want.Path, step.want.Memory = message.EffectFiles, "memory.md", true
		plan, err := subject.Prepare(t.Context(), input(step.text))
		if err != nil || !plan.Asks {
			t.Fatalf("asks %v, %v", plan.Asks, err)
		}
		if diff := cmp.Diff(step.want, plan.Preview); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.text, diff)
		}
		result := plan.Run(t.Context(), func(string) {}).Result
		if want := "added to the memory of this folder:\n- 2026-11-29: " + step.text; result.Text() != want || len(result.Changes) > 0 {
			t.Errorf("result %q with changes %v", result.Text(), result.Changes)
		}
	}
	// What is noted already needs no answer.
	plan, err := subject.Prepare(t.Context(), input("first"))
	if err != nil || plan.Asks {
		t.Fatalf("asks %v, %v", plan.Asks, err)
	}
	if result := plan.Run(t.Context(), func(string) {}).Result; !result.Success() || !strings.Contains(result.Text(), "already") {
		t.Errorf("result %q", result.Text())
	}
	if got := text(t, m); got != "- 2026-11-29: first\n- 2026-11-29: second\n" {
		t.Errorf("noted is %q", got)
	}
	// Nobody was asked, so nothing is written, also where it is gone meanwhile.
	plan, err = subject.Prepare(t.Context(), input("first"))
	if err != nil || m.Clear(t.Context()) != nil {
		t.Fatal(err)
	}
	plan.Run(t.Context(), func(string) {})
	if got := text(t, m); got != "" {
		t.Errorf("without a question %q was noted", got)
	}
}

// TestEXT06_AnApprovedEntryIsAddedToWhatOthersAdded adds entries while the question is open.
func TestEXT06_AnApprovedEntryIsAddedToWhatOthersAdded(t *testing.T) {
	m, subject := open(t)
	plan, err := subject.Prepare(t.Context(), input("mine"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Add(t.Context(), "- 2026-11-28: theirs"); err != nil {
		t.Fatal(err)
	}
	if err := plan.Check(t.Context()); err != nil {
		t.Errorf("it would be asked about again: %v", err)
	}
	if result := plan.Run(t.Context(), func(string) {}).Result; !result.Success() {
		t.Error(result.Error)
	}
	if got := text(t, m); got != "- 2026-11-28: theirs\n- 2026-11-29: mine\n" {
		t.Errorf("noted is %q", got)
	}
}

func TestEXT06_WhatCannotBeRememberedIsNotAskedAbout(t *testing.T) {
	m, subject := open(t)
	write := func(content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(m.Path()), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(m.Path(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, test := range map[string]struct {
		content, text string
		code          message.ToolCode
		words         string
	}{
		"empty":     {"", " \n ", message.InvalidArguments, "empty"},
		"too long":  {"", strings.Repeat("x", 1001), message.InvalidArguments, "1001 characters"},
		"a key":     {"", "push with ghp_a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3", message.InvalidArguments, "key"},
		"full":      {strings.Repeat("x", 256<<10), "another", message.ExecutionError, "full"},
		"damaged":   {"a\xff", "another", message.ExecutionError, "UTF-8"},
		"too large": {strings.Repeat("x", 300<<10), "another", message.ExecutionError, "shorten"},
	} {
		write(test.content)
		plan, err := subject.Prepare(t.Context(), input(test.text))
		result := tooltest.Run(t.Context(), subject, input(test.text))
		if err == nil || plan.Asks || result.Success() || result.Error.Code != test.code || !strings.Contains(result.Error.Message, test.words) ||
			strings.Contains(result.Error.Message, test.text) {
			t.Errorf("%s: %v; %v", name, err, result.Error)
		}
		if now, err := os.ReadFile(m.Path()); err != nil || string(now) != test.content {
			t.Errorf("%s: the file has %d bytes now, %v", name, len(now), err)
		}
	}
	// It becomes full while the question is open.
	write("")
	plan, err := subject.Prepare(t.Context(), input("another"))
	if err != nil {
		t.Fatal(err)
	}
	write(strings.Repeat("x", 256<<10))
	if plan.Check(t.Context()) == nil || plan.Run(t.Context(), func(string) {}).Result.Success() {
		t.Error("it was added to a full memory")
	}
}
