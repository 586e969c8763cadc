package store

import "testing"

// A conversation that was saved under a clock that was ahead is not the last one for ever.
func TestWS01_TheLastSessionIsTheOneWrittenLast(t *testing.T) {
	folder := t.TempDir()
	s := openIn(t, folder)
	talk(t, s, session("s1", "/work"), "r1", "one")
	talk(t, s, session("s2", "/work"), "r2", "two")
	if _, err := s.writer.ExecContext(t.Context(), "UPDATE sessions SET updated_at = updated_at + 1e10 WHERE id = 's2'"); err != nil {
		t.Fatal(err)
	}
	talk(t, s, session("s3", "/work"), "r3", "three")
	talk(t, s, session("s1", "/work"), "r4", "again")
	for _, workspace := range []string{"/work", ""} {
		if got := idsOf(t, s, workspace); got != "s1 s3 s2" {
			t.Errorf("in %q: %s, want s1 s3 s2", workspace, got)
		}
	}
}
