//go:build !race

// It is held to a time.

package store

import (
	"fmt"
	"testing"
	"time"
)

// TestUI09_TitlesOfManyConversationsAreFoundAtOnce finds words in 10,000 titles.
func TestUI09_TitlesOfManyConversationsAreFoundAtOnce(t *testing.T) {
	const many, most, limit = 10_000, 50, 50 * time.Millisecond
	s := openIn(t, t.TempDir())
	tx, err := s.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range many {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO sessions (id, workspace, title, titled_by, created_at, updated_at) VALUES (?, '/work', ?, 'words', ?, ?)",
			fmt.Sprintf("s%05d", n), fmt.Sprintf("Fix the parser for case %d 租赁", n), n, n)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		texts []string
		count int
		first string
	}{
		{nil, most, "s09999"},
		{[]string{"PARSER", "fix"}, most, "s09999"},
		{[]string{"case 77"}, most, "s07799"},
		{[]string{"租赁", "case 42 "}, 1, "s00042"},
		{[]string{"nowhere"}, 0, ""},
	} {
		began := time.Now()
		found, more, err := s.Titled(t.Context(), c.texts, "", most)
		took := time.Since(began)
		if err != nil || len(found) != c.count || more != (c.count == most) || c.count > 0 && found[0].ID != c.first {
			t.Errorf("%q: %d found, more %v, %v", c.texts, len(found), more, err)
		}
		if t.Logf("%q: %v", c.texts, took); took > limit {
			t.Errorf("%q took %v, and %v at most is right", c.texts, took, limit)
		}
	}
}
