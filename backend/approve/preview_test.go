package approve_test

import (
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/approve"
	"fairlead/backend/message"
)

func TestPRE02_TheModePreviewAsksAboutChangesAlone(t *testing.T) {
	copied := message.Preview{Effect: message.EffectCommand, Command: "make", Copied: true}
	held := message.Preview{Effect: message.EffectFiles, Changes: []message.PendingChange{{Path: "a", Held: &message.Held{Code: message.HeldSetID}}}}
	passing := message.Preview{Effect: message.EffectFiles, Changes: []message.PendingChange{{Path: "a"}}}
	// It is none of the draft, which the tool knows nothing of.
	note := message.Preview{Effect: message.EffectFiles, Path: "memory.md", Memory: true}
	for name, test := range map[string]struct {
		mode approve.Mode
		kind message.QuestionKind
		show message.Preview
		asks bool
	}{
		"a command in a copy":           {approve.Preview, message.QuestionCommand, copied, false},
		"a command in the folder":       {approve.Preview, message.QuestionCommand, message.Preview{Effect: message.EffectCommand, Command: "make"}, true},
		"a file change":                 {approve.Preview, message.QuestionEdit, message.Preview{Effect: message.EffectFiles, Path: "a"}, true},
		"what a command changed":        {approve.Preview, message.QuestionChanges, passing, true},
		"a command in a copy, asked":    {approve.Ask, message.QuestionCommand, copied, true},
		"what is held, though all pass": {approve.All, message.QuestionChanges, held, true},
		"what is held, though edits do": {approve.Writes, message.QuestionChanges, held, true},
		"what is not held, all pass":    {approve.All, message.QuestionChanges, passing, false},
		"a command in a draft":          {approve.Draft, message.QuestionCommand, message.Preview{Effect: message.EffectCommand, Command: "make", Draft: true}, false},
		"a file change in a draft":      {approve.Draft, message.QuestionEdit, message.Preview{Effect: message.EffectFiles, Path: "a", Draft: true}, false},
		"a command outside of it":       {approve.Draft, message.QuestionCommand, copied, true},
		"a file change outside of it":   {approve.Draft, message.QuestionEdit, message.Preview{Effect: message.EffectFiles, Path: "a"}, true},
		"a note, in a draft":            {approve.Draft, message.QuestionEdit, note, true},
		"a note":                        {approve.Ask, message.QuestionEdit, note, true},
		"a note, commands pass":         {approve.Preview, message.QuestionEdit, note, true},
		"a note, edits pass":            {approve.Writes, message.QuestionEdit, note, false},
		"a note, all pass":              {approve.All, message.QuestionEdit, note, false},
		"a note, nothing passes":        {approve.None, message.QuestionEdit, note, false},
		"a page, in a draft":            {approve.Draft, message.QuestionNetwork, message.Preview{Effect: message.EffectNetwork, URL: "https://a"}, true},
		"a key in an output of a draft": {approve.Draft, message.QuestionOutput, message.Preview{Keys: 1}, true},
		"in a draft, where others ask":  {approve.Ask, message.QuestionCommand, message.Preview{Effect: message.EffectCommand, Command: "make", Draft: true}, true},
		"a key in an output":            {approve.Preview, message.QuestionOutput, message.Preview{Keys: 1}, true},
		"a key in it, though all pass":  {approve.All, message.QuestionOutput, message.Preview{Keys: 1}, true},
		"a key in it, nothing passes":   {approve.None, message.QuestionOutput, message.Preview{Keys: 1}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var l log
				g := gate(test.mode, &l)
				g.Timeout = time.Second
				decision := g.Ask(t.Context(), message.Call{ID: "c", Name: "shell", Arguments: []byte("{}")}, message.Question{Kind: test.kind, Preview: test.show}, func() {})
				if asked := decision.By == message.ByTimeout; asked != test.asks {
					t.Errorf("decided by %s: %s", decision.By, decision.Verdict)
				}
			})
		})
	}
	for mode, want := range map[approve.Mode][2]bool{
		approve.Ask: {false, true}, approve.Preview: {false, false}, approve.Writes: {true, true}, approve.All: {true, true}, approve.None: {false, false},
	} {
		g := gate(mode, &log{})
		if got := [2]bool{g.LetsChanges(false), g.LetsChanges(true)}; got != want {
			t.Errorf("mode %s lets changes pass %v, want %v", mode, got, want)
		}
	}
}
