package session_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"fairlead/backend/event"
	"fairlead/backend/llm"
	"fairlead/backend/llm/llmtest"
)

// TestMOD06_ALongRunIsServedFromTheCache has a model read a file in each of thirty steps,
// over a protocol whose cache wants to be asked. What was sent before stays the same to the
// byte, but for the marks that ask.
func TestMOD06_ALongRunIsServedFromTheCache(t *testing.T) {
	const steps = 30
	dir := t.TempDir()
	var script strings.Builder
	for i := range steps {
		name := fmt.Sprintf("page%d.txt", i)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat(name+" ", 200)), 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&script, "reasoning I read on.\ncall c%d read_file {\"path\":%q}\nusage counted\n---\n", i, name)
	}
	script.WriteString("text Read.\nusage counted")
	synctest.Test(t, func(t *testing.T) {
		server := llmtest.Script(script.String())
		stage := newStage(t, &scenario{
			dir: dir, server: server, protocol: llm.Messages,
			files: map[string]string{"prompt": "Read all pages.", "options": fmt.Sprintf("max_steps %d", steps+1)},
		})
		defer stage.close()
		run, err := stage.session.BeginRun(stage.prompt)
		if err != nil {
			t.Fatal(err)
		}
		var prompt, cached int
		for _, e := range watch(t, run, newUser(t, stage, "")) {
			if usage, ok := e.Data.(event.UsageData); ok {
				prompt, cached = prompt+usage.Call.Prompt, cached+usage.Call.Cached
			}
		}
		if result := run.Wait(); result.Steps != steps {
			t.Fatalf("%d steps, ended %s %+v", result.Steps, result.Reason, result.Err)
		}
		if share := float64(cached) / float64(prompt); share < 0.85 {
			t.Errorf("%d of %d tokens came from the cache, %.0f %%", cached, prompt, 100*share)
		}
		var before []json.RawMessage
		for i, request := range server.Requests() {
			body := readBody(t, request.Body)
			if !startsWith(body.Messages, before) {
				t.Errorf("MSG-02: request %d does not begin with the one before it", i+1)
			}
			before = body.Messages
		}
		for _, fault := range server.Faults() {
			t.Error(fault)
		}
	})
}
