package watch

import (
	"testing"
)

// TestWS02_NamesAreReportedAsTheyAreShown has names that only some systems take.
func TestWS02_NamesAreReportedAsTheyAreShown(t *testing.T) {
	w := begin(t, usualLimits(), openSource, "d\xfe/f")
	w.put("a\xffb", "d\xfe/f", `"c"`)
	w.wants(`"\"c\""`, `"a\xffb"`, `"d\xfe"/f`)
}
