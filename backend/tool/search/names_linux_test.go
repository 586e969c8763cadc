package search_test

import "testing"

func TestTOOL02_FoundNamesAreTakenBack(t *testing.T) {
	b := newBench(t)
	b.put("d\xfe/a\xffb", "needle\n")
	b.put(`"a\xffb"`, "needle\n")
	const want = `"\"a\\xffb\"":1: needle` + "\n" + `"d\xfe"/"a\xffb":1: needle` + "\n"
	if got := b.run(t.Context(), "pattern", "needle").Content.Text(); got != want {
		t.Errorf("found %s", got)
	}
	for _, path := range []string{`"d\xfe"`, `"d\xfe"/`, `"d\xfe"/"a\xffb"`} {
		if got := b.run(t.Context(), "pattern", "needle", "path", path).Content.Text(); got != `"d\xfe"/"a\xffb":1: needle`+"\n" {
			t.Errorf("in %s: %s", path, got)
		}
	}
}
