package cli_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// envelope is an event as a program that starts Fairlead reads it.
type envelope struct {
	Seq       int64          `json:"seq"`
	RunID     string         `json:"runId"`
	SessionID string         `json:"sessionId"`
	TS        int64          `json:"ts"`
	Type      string         `json:"type"`
	Data      map[string]any `json:"data"`
}

// field is a text of the payload, empty when there is none.
func (e envelope) field(name string) string {
	text, _ := e.Data[name].(string)
	return text
}

func (e envelope) terminal() bool { return e.Type == "lifecycle.end" || e.Type == "lifecycle.error" }

// parseEvents reads the whole standard output of a program and checks what holds for
// each: nothing but events, and of every run what checkOrder does.
func parseEvents(text string) ([]envelope, error) {
	var all []envelope
	for line := range strings.Lines(text) {
		var e envelope
		if err := json.Unmarshal([]byte(line), &e); err != nil || !strings.HasSuffix(line, "\n") {
			return nil, fmt.Errorf("no event: %q (%w)", line, err)
		}
		all = append(all, e)
	}
	return all, checkOrder(all)
}

// runsOf are the events run by run.
func runsOf(all []envelope) (runs [][]envelope) {
	for i, e := range all {
		if i == 0 || e.RunID != all[i-1].RunID {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], e)
	}
	return runs
}

// checkOrder checks what holds for the events of every run: numbered from 1, with one
// end, and none of another run between them.
func checkOrder(all []envelope) error {
	seen := map[string]bool{"": true}
	for _, run := range runsOf(all) {
		if seen[run[0].RunID] {
			return fmt.Errorf("EV-05: run %q is mixed with others", run[0].RunID)
		}
		seen[run[0].RunID] = true
		for i, e := range run {
			switch {
			case e.Seq != int64(i)+1:
				return fmt.Errorf("EV: event %d has seq %d", i+1, e.Seq)
			case e.SessionID == "" || e.SessionID != all[0].SessionID:
				return fmt.Errorf("EV-05: event %d is of session %q", e.Seq, e.SessionID)
			case e.TS == 0 || (i == 0) != (e.Type == "lifecycle.start") || (i == len(run)-1) != e.terminal():
				return fmt.Errorf("EV: event %d of %d is %s at %d", e.Seq, len(run), e.Type, e.TS)
			}
		}
	}
	if len(all) == 0 {
		return errors.New("there are no events")
	}
	return nil
}
