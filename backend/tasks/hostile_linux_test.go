//go:build !race

package tasks_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/approve"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/suggestion/suggestiontest"
)

// TestEXT04_HostileFoldersDoNothingConfined works on hostile folders as an ordinary user, whose
// commands are confined at level Full, in each mode.
func TestEXT04_HostileFoldersDoNothingConfined(t *testing.T) {
	sandboxtest.NeedsFull(t)
	b := open(t)
	for _, mode := range []approve.Mode{approve.Ask, approve.Preview} {
		for _, folder := range suggestiontest.Folders(t) {
			t.Run(string(mode)+"/"+folder.Name, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "work")
				canary := suggestiontest.NewCanary(t, dir)
				folder.Make(t, dir, canary)
				_, requests, user := runWith(t, b, dir, mode, suggestiontest.Task("echo done; cat notes/todo.txt"))
				for i, request := range requests {
					untrusted, err := suggestiontest.Untrusted(request.Body, suggestiontest.Reading)
					if err != nil || len(untrusted) > 0 {
						t.Errorf("request %d has %q, %v", i+1, untrusted, err)
					}
				}
				if text, err := os.ReadFile(filepath.Join(dir, "notes/todo.txt")); err != nil || string(text) != "one\n" {
					t.Errorf("written %q, %v", text, err)
				}
				last := requests[len(requests)-1].Chat.Messages
				if text := last[len(last)-1].Text(); !strings.Contains(text, "done") {
					t.Errorf("the command answered %q", text)
				}
				if noticed := canary.Noticed(); len(noticed) > 0 {
					t.Errorf("the folder has done something: %q", noticed)
				}
				if len(user.asked) == 0 {
					t.Error("nothing was asked")
				}
			})
		}
	}
}
