//go:build !race

// The race detector is not in the process that reads, and makes the files slowly.

package document_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead/backend/tool/document/exchange"
)

// peak is the most memory that a process has had, in KiB.
func peak(t *testing.T, id int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", id))
	if err != nil {
		return 0 // it has ended
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var size int
	if _, err := fmt.Sscan(rest, &size); err != nil {
		t.Fatal(err)
	}
	return size
}

// TestDOC01_HostileFilesHarmNothing reads files that were made to do harm. Each gives a text or a
// reason, in its time, and in its bounds of memory; whatever became of their reader, the next
// document is read.
func TestDOC01_HostileFilesHarmNothing(t *testing.T) {
	const mostTime, mostMemory = 6 * time.Second, 300 << 10
	r := newReader(t)
	files := hostile(t)
	maps.Copy(files, hostilePictures(t))
	good := map[string][]byte{"good.docx": word(t, "<w:p><w:r><w:t>good</w:t></w:r></w:p>"), "good.pdf": onePage(stream("", "BT /F 12 Tf 20 100 Td (good) Tj ET"), "")}
	if _, err := read(t, r, "good.pdf", good["good.pdf"]); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			text, err := read(t, r, name, files[name])
			took := time.Since(began)
			var failure *exchange.Failure
			if err != nil && !errors.As(err, &failure) {
				t.Errorf("neither a text nor a reason: %v", err)
			}
			if text != nil {
				for _, part := range text.Parts {
					if strings.Contains(part.Text, "root:") {
						t.Errorf("it read another file: %.100q", part.Text)
					}
				}
			}
			if strings.HasSuffix(name, ".pdf") {
				began := time.Now()
				if _, err := look(t, r, files[name]); err != nil && !errors.As(err, &failure) {
					t.Errorf("its first page is neither shown nor is there a reason: %v", err)
				}
				took = max(took, time.Since(began))
			}
			if took > mostTime {
				t.Errorf("it takes %v", took)
			}
			most := 0
			for _, id := range r.Processes() {
				most = max(most, peak(t, id))
			}
			if most > mostMemory {
				t.Errorf("its reader takes %d MiB", most>>10)
			}
			t.Logf("%v, %d MiB, %v", took.Round(time.Millisecond), most>>10, err)
			after := "good.docx"
			if strings.HasSuffix(name, ".pdf") {
				after = "good.pdf"
			}
			if text, err := read(t, r, after, good[after]); err != nil || len(text.Parts) != 1 || text.Parts[0].Text != "good\n" {
				t.Errorf("the next document: %+v, %v", text, err)
			}
		})
	}
}
