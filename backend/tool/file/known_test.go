package file_test

import (
	"encoding/json"
	"testing"

	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/file"
	"fairlead/backend/workspace"
)

// TestINJ01_WhatWasReadBelongsToTheConversation reads with tools that were made for
// it and edits with tools that were made later.
func TestINJ01_WhatWasReadBelongsToTheConversation(t *testing.T) {
	one, other := new(file.Known), new(file.Known)
	edit := object("path", "f", "edits", edits("old", "new"))
	for name, test := range map[string]struct {
		reads, edits []any // what is lent
		ok           bool
	}{
		"one conversation":  {[]any{one}, []any{one}, true},
		"two conversations": {[]any{one}, []any{other}, false},
		"nothing lent":      {nil, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.put("f", "old\n")
			folder, err := workspace.Open(b.dir)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = folder.Close() })
			changetest.Use(t, folder)
			run := func(lent []any, name string, arguments json.RawMessage) message.Result {
				registry, err := tool.NewRegistry(file.New(folder, b.outputs, nil, nil)...)
				if err != nil {
					t.Fatal(err)
				}
				d, err := tool.NewDispatcher(registry, tool.Options{Objects: lent})
				if err != nil {
					t.Fatal(err)
				}
				plan, err := d.Prepare(t.Context(), message.Call{ID: "c1", Name: name, Arguments: arguments})
				if err != nil {
					return tool.Failure(err)
				}
				return plan.Run(t.Context(), func(string) {}).Result
			}
			if result := run(test.reads, "read_file", object("path", "f")); !result.Success() {
				t.Fatal(result.Error)
			}
			result := run(test.edits, "edit_file", edit)
			if !test.ok {
				wantCode(t, result, message.StaleFile, "was not read in this session")
				return
			}
			if !result.Success() || b.get("f") != "new\n" {
				t.Fatalf("%s, file %q", result.Text(), b.get("f"))
			}
			// What was written is known too.
			again := object("path", "f", "edits", edits("new", "newer"))
			if result := run(test.reads, "edit_file", again); !result.Success() {
				t.Error(result.Error)
			}
		})
	}
}
