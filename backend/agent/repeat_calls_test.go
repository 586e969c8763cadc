package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"fairlead/backend/message"
)

// TestDOOM01_WhatRepeatsIsRefusedThenAskedAbout plays rows of calls. Each is a letter,
// the tool's argument, and a digit, its result; the verdict on the last one counts.
func TestDOOM01_WhatRepeatsIsRefusedThenAskedAbout(t *testing.T) {
	for name, test := range map[string]struct {
		row  string
		want repeatVerdict
	}{
		"the second time":                         {"a1 a1", repeatFresh},
		"the third with the same result":          {"a1 a1 a1", repeatRefuse},
		"the third with other results":            {"a1 a2 a2", repeatFresh},
		"the fourth, after two that were alike":   {"a1 a2 a2 a2", repeatRefuse},
		"the fifth with other results":            {"a1 a2 a3 a4 a5", repeatAsk},
		"after the third was refused":             {"a1 a1 a! a1", repeatAsk},
		"another call between":                    {"a1 a1 b1 a1", repeatFresh},
		"a refused one, then another, then again": {"a1 a1 a! b1 a1", repeatFresh},
		"a cycle of two, three times":             {"a1 b1 a1 b1 a1 b1", repeatRefuse},
		"a cycle of two, not quite":               {"a1 b1 a1 b1 a1", repeatFresh},
		"a cycle of two with other results":       {"a1 b1 a1 b2 a1 b3", repeatFresh},
		"a cycle of two, five times":              {"a1 b1 a2 b2 a3 b3 a4 b4 a5 b5", repeatAsk},
		"a cycle of two after a refusal":          {"a1 b1 a1 b1 a1 b! a1 b1", repeatAsk},
		"a cycle of three":                        {"a1 b1 c1 a1 b1 c1 a1 b1 c1", repeatRefuse},
		"a cycle of four":                         {"a1 b1 c1 d1 a1 b1 c1 d1 a1 b1 c1 d1", repeatRefuse},
		"a cycle of five is none":                 {"a1 b1 c1 d1 e1 a1 b1 c1 d1 e1 a1 b1 c1 d1 e1", repeatFresh},
		"a broken cycle":                          {"a1 b1 a1 b1 c1 a1 b1", repeatFresh},
	} {
		t.Run(name, func(t *testing.T) {
			var calls callRepeats
			got := repeatFresh
			for word := range strings.FieldsSeq(test.row) {
				arguments, err := json.Marshal(map[string]string{"x": word[:1]})
				if err != nil {
					t.Fatal(err)
				}
				call := message.Call{Name: "read", Arguments: arguments}
				var why message.Guard
				if got, why = calls.judgeCall(call); (got == repeatFresh) != (why.Data == message.GuardData{}) {
					t.Errorf("at %s: verdict %v with the words %q", word, got, why)
				}
				calls.addCall(call, word[1] == '!')
				calls.setResults([]string{word[1:]})
			}
			if got != test.want {
				t.Errorf("verdict %v, want %v", got, test.want)
			}
		})
	}
}

func TestDOOM01_ACallWhoseResultIsNotKnownIsNotRefused(t *testing.T) {
	var calls callRepeats
	call := message.Call{Name: "read", Arguments: json.RawMessage(`{}`)}
	for range 3 {
		calls.addCall(call, false)
	}
	if got, _ := calls.judgeCall(call); got != repeatFresh {
		t.Errorf("verdict %v", got)
	}
	calls.setResults([]string{"one", "one", "one"})
	if got, why := calls.judgeCall(call); got != repeatRefuse || why.String() != "the same call of read came 4 times in a row" {
		t.Errorf("verdict %v: %s", got, why)
	}
}

func TestDOOM02_AfterAResetNothingRepeats(t *testing.T) {
	var calls callRepeats
	call := message.Call{Name: "read", Arguments: json.RawMessage(`{}`)}
	for range 40 {
		calls.addCall(call, false)
		calls.setResults([]string{"one"})
	}
	if got, _ := calls.judgeCall(call); got != repeatAsk {
		t.Errorf("verdict %v before", got)
	}
	calls.forgetCalls()
	if got, _ := calls.judgeCall(call); got != repeatFresh {
		t.Errorf("verdict %v after", got)
	}
}
