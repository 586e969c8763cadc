package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDamageThatIsFoundLaterIsMendedAtTheNextStart(t *testing.T) {
	folder := t.TempDir()
	s := openIn(t, folder)
	for i := range 20 {
		talk(t, s, session(fmt.Sprintf("s%d", i), "/work"), fmt.Sprintf("r%d", i), strings.Repeat("word ", 2000))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, databaseName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	left, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	// The disk spoils half of what was said, which nobody wrote.
	for at := len(text) / 2; at < len(text); at++ {
		text[at] = 0xff
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, left.ModTime()); err != nil {
		t.Fatal(err)
	}
	s, damage, err := Open(t.Context(), options(folder))
	if err != nil || damage != nil {
		t.Fatalf("it was looked at again, though nobody wrote it: %v, %v", damage, err)
	}
	var found error
	for i := range 20 {
		if _, err := messagesOf(t, s, fmt.Sprintf("s%d", i)); err != nil {
			found = err
		}
	}
	if found == nil || !strings.Contains(found.Error(), "start Fairlead anew") {
		t.Errorf("it says %v", found)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, damage, err = Open(t.Context(), options(folder))
	if err != nil || damage == nil || damage.Saved.Conversations == 0 {
		t.Fatalf("the next start: %v, %v", damage, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, damage, err = Open(t.Context(), options(folder)); err != nil || damage != nil {
		t.Fatalf("the one after: %v, %v", damage, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
