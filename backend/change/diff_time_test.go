//go:build !race

package change

import (
	"strings"
	"testing"
	"time"
)

// TestLongDiffsTakeBoundedTime has texts with nothing to hold on to: few different
// lines, in no order.
func TestLongDiffsTakeBoundedTime(t *testing.T) {
	for _, lines := range []int{goodDiffLines / 2, fastDiffLines / 8, fastDiffLines} {
		random := func(seed uint32) string {
			var text strings.Builder
			for range lines {
				seed = seed*1664525 + 1013904223
				text.WriteString(string(rune('a'+seed>>28)) + "\n")
			}
			return text.String()
		}
		before, after := random(1), random(2)
		began := time.Now()
		hunks := unifiedHunks(before, after)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%d lines took %v", lines, took)
		}
		if patched(t, before, hunks) != after {
			t.Errorf("%d lines: the diff does not lead to the new text", lines)
		}
	}
}
