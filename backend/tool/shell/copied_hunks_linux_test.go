package shell_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/change"
	"fairlead/backend/change/changetest"
	"fairlead/backend/message"
)

// TestPRE03_HunksCanBeLeftOut has a command change both ends of a text, and leaves one of them,
// or both, out of what is applied.
func TestPRE03_HunksCanBeLeftOut(t *testing.T) {
	const first, last = "@@ -1,4 +1,4 @@", "@@ -18,3 +18,4 @@"
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprint("line ", i+1))
	}
	before := strings.Join(lines, "\n") + "\n"
	upper := strings.Replace(before, "line 1\n", "LINE 1\n", 1)
	for name, test := range map[string]struct {
		without []string
		want    string
	}{
		"none":    {nil, upper + "end\n"},
		"the end": {[]string{last}, upper},
		"first":   {[]string{first}, before + "end\n"},
		"both":    {[]string{first, last}, before},
		"unknown": {[]string{first, "@@ -1,1 +1,1 @@"}, before},
	} {
		t.Run(name, func(t *testing.T) {
			b, changes, _ := openCopied(t)
			path := filepath.Join(b.Folder.Path(), "long.txt")
			must(t, os.WriteFile(path, []byte(before), 0o640))
			was := changetest.Snapshot(t, b.Folder.Path())
			outcome := b.try(t, "sed -i 's/^line 1$/LINE 1/' long.txt; echo end >>long.txt; chmod 600 a.txt; echo more >>run.sh; chmod 600 run.sh; echo new >new.txt")
			for _, row := range outcome.Changes.Preview.Changes {
				if row.Hunks != (row.Path == "long.txt") {
					t.Errorf("%s offers hunks: %v", row.Path, row.Hunks)
				}
			}
			chosen := message.Chosen{WithoutHunks: map[string][]string{"long.txt": test.without}}
			if err := chosen.Check(outcome.Changes.Preview.Changes); (err != nil) != (name == "unknown") {
				t.Errorf("check: %v", err)
			}
			applied := outcome.Changes.Apply(t.Context(), chosen)
			if applied.Error != nil {
				t.Fatalf("applied: %+v", applied)
			}
			text, err := os.ReadFile(path)
			must(t, err)
			if diff := cmp.Diff(test.want, string(text)); diff != "" {
				t.Errorf("long.txt (-want +got): %s", diff)
			}
			info, err := os.Stat(path)
			must(t, err)
			if info.Mode() != 0o640 {
				t.Errorf("mode %o", info.Mode())
			}
			told := applied.Content.Text()
			switch {
			case test.want == before:
				if !strings.Contains(told, "(not applied: modified long.txt)") {
					t.Errorf("the model is told %q", told)
				}
			case test.without != nil:
				if !strings.Contains(told, "left these parts out") || !strings.Contains(told, "long.txt "+test.without[0]+")") {
					t.Errorf("the model is told %q", told)
				}
			case strings.Contains(told, "left these parts out"):
				t.Errorf("the model is told %q", told)
			}
			if left := asideOf(t, changes); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
			plan, err := changes.PlanUndo(t.Context(), change.Scope{})
			must(t, err)
			_, err = changes.CarryOut(t.Context(), plan)
			must(t, err)
			if diff := cmp.Diff(was, changetest.Snapshot(t, b.Folder.Path())); diff != "" {
				t.Errorf("after the undo: %s", diff)
			}
		})
	}
}
