//go:build !race

// It is held to a time.

package store

import (
	"testing"
	"time"
)

// TestFIND02_AForkOfALongConversationCostsLittle forks one of 5,000 messages before each of some runs, and
// behind the last one.
func TestFIND02_AForkOfALongConversationCostsLittle(t *testing.T) {
	const mostTime, mostBytes = 50 * time.Millisecond, 100 << 10
	s := openIn(t, longDatabase(t, 8))
	runs, err := s.Runs(t.Context(), "s1")
	if err != nil || len(runs) < 100 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	size := func() (bytes int64) {
		t.Helper()
		if err := s.emptyLog(t.Context()); err != nil {
			t.Fatal(err)
		}
		var pages, size int64
		if err := s.reader.QueryRow("SELECT page_count, page_size FROM pragma_page_count, pragma_page_size").Scan(&pages, &size); err != nil {
			t.Fatal(err)
		}
		return pages * size
	}
	for i, run := range []string{runs[0].ID, runs[len(runs)/2].ID, runs[len(runs)-1].ID, ""} {
		id, before, began := "fork"+string(rune('0'+i)), size(), time.Now()
		fork(t, s, id, "s1", run)
		took, grown := time.Since(began), size()-before
		t.Logf("%s: %v, %d bytes", id, took, grown)
		if took > mostTime || grown > mostBytes {
			t.Errorf("%s took %v and %d bytes, and %v and %d at most is right", id, took, grown, mostTime, mostBytes)
		}
	}
}
