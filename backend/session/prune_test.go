//go:build !race

package session_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
)

// TestCTX01_ALongRunGrowsByTitlesOnly plays a run of 90 rounds with outputs of 8 KB:
// between two batches each request begins with the one before it, to the byte, and
// from one batch to the next the requests get longer by the titles of the pruned
// outputs only, whatever is said in between.
func TestCTX01_ALongRunGrowsByTitlesOnly(t *testing.T) {
	const rounds = 90
	var script strings.Builder
	for i := range rounds {
		fmt.Fprintf(&script, "call c%d shell {\"command\":\"big 200 %d\"}\n---\n", i, i)
	}
	script.WriteString("text Done.\n")
	s := load(t, "plain-question")
	s.files["options"], s.files["model"] = "max_steps 500\ncompacts", script.String()
	s.server = llmtest.Script(script.String())
	synctest.Test(t, func(t *testing.T) {
		stage := newStage(t, s)
		defer stage.close()
		run, err := stage.session.BeginRun("Do it.")
		if err != nil {
			t.Fatal(err)
		}
		batches := batchesOf(listen(t, run, 0))
		if result := run.Wait(); result.Reason != message.ReasonCompleted || result.Steps != rounds {
			t.Fatalf("%s after %d steps: %v", result.Reason, result.Steps, result.Err)
		}
		checkGrowth(t, stage, batches)
		for _, fault := range strict(stage.session.History()) {
			t.Errorf("CAN-04: the next request is refused: %s", fault)
		}
	})
}

// batchesOf are the steps before which outputs were pruned.
func batchesOf(all []event.Event) map[int]bool {
	batches, step := map[int]bool{}, 0
	for _, e := range all {
		switch d := e.Data.(type) {
		case event.StepStarted:
			step = d.Step
		case event.ContextCompacted:
			batches[step] = true
		}
	}
	return batches
}

func checkGrowth(t *testing.T, stage *stage, batches map[int]bool) {
	t.Helper()
	if len(batches) < 4 {
		t.Fatalf("%d batches", len(batches))
	}
	var before []json.RawMessage
	var sizes []int // of the first requests after a batch
	for i, request := range stage.server.Requests() {
		var body struct{ Messages []json.RawMessage }
		if err := json.Unmarshal(request.Body, &body); err != nil {
			t.Fatal(err)
		}
		if batches[i+1] {
			sizes = append(sizes, len(request.Body))
		} else if !startsWith(body.Messages, before) {
			t.Errorf("MSG-02: request %d does not begin with the one before it, and nothing was pruned", i+1)
		}
		before = body.Messages
	}
	// A round leaves some 300 bytes: the call, its id twice, and the title.
	for i := 1; i < len(sizes); i++ {
		if grown := sizes[i] - sizes[i-1]; grown < 0 || grown > 20_000 {
			t.Errorf("after batch %d a request is %d bytes longer than after the one before", i+1, grown)
		}
	}
	if last := sizes[len(sizes)-1]; last > 300_000 {
		t.Errorf("the request after the last batch has %d bytes", last)
	}
}
