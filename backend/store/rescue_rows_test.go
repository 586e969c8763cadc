//go:build !race

package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// touched notes which pages of a file are read.
type touched struct {
	io.ReaderAt
	pages map[int]bool
}

func (r *touched) ReadAt(text []byte, at int64) (int, error) {
	r.pages[int(at/pageSize)+1] = true
	return r.ReaderAt.ReadAt(text, at)
}

// dump is every row that matters of a database, as SQL reads it, with its table.
func dump(t *testing.T, s *Store) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, name := range rescued {
		rows, err := s.reader.QueryContext(t.Context(), "SELECT * FROM "+name)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values, places := make(row, len(columns)), make([]any, len(columns))
			for i := range values {
				places[i] = &values[i]
			}
			if err := rows.Scan(places...); err != nil {
				t.Fatal(err)
			}
			all[lineOf(t, name, values)] = true
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func lineOf(t *testing.T, table string, values row) string {
	t.Helper()
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return table + " " + string(text)
}

// standing is, for each row of a sound database, the pages that it stands on.
func standing(t *testing.T, s *Store, text []byte) map[string][]int {
	t.Helper()
	tables, err := tablesOf(t.Context(), s.reader)
	if err != nil {
		t.Fatal(err)
	}
	where := map[string][]int{}
	for number := range len(text) / pageSize {
		reader := &touched{bytes.NewReader(text), map[int]bool{}}
		p := newPages(reader, int64(len(text)))
		p.findRows(uint32(number)+1, func(found row, keyed bool) {
			for _, table := range tables {
				if table.canHold(found, keyed) {
					where[lineOf(t, table.name, found)] = slices.Collect(maps.Keys(reader.pages))
				}
			}
			reader.pages = map[int]bool{number + 1: true}
		})
	}
	return where
}

const deletedWords = "the heron stands in the shallow water"

// soundDatabase makes a database of some 40 pages, from which a conversation was
// deleted, and returns its bytes and what stands where in it.
func soundDatabase(t *testing.T) (text []byte, where map[string][]int) {
	t.Helper()
	folder := t.TempDir()
	s := openIn(t, folder)
	talk(t, s, session("gone", "/work"), "r-gone", strings.Repeat(deletedWords+" ", 300))
	for i := range 4 {
		id := fmt.Sprintf("s%d", i)
		talk(t, s, session(id, "/"+strings.Repeat("long ", 100)), "r1-"+id, strings.Repeat("word ", 10+i*700))
		talk(t, s, session(id, "/work"), "r2-"+id, "go on")
	}
	for i := range 12 {
		talk(t, s, session(fmt.Sprintf("t%d", i), "/work"), fmt.Sprintf("r-t%d", i), strings.Repeat("short ", 30))
	}
	picture(t, s, session("pictures", "/work"), "r-pictures", noise(9000))
	if err := s.Delete(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	where = standing(t, s, text)
	for line := range dump(t, s) {
		if where[line] == nil {
			t.Fatalf("it is not known where a row stands: %.200s", line)
		}
	}
	// Bytes are lost with the part that says what they are.
	for line := range where {
		part, isData := strings.CutPrefix(line, blockData+" ")
		if !isData {
			continue
		}
		id, _, _ := strings.Cut(part, ",")
		for other := range where {
			if strings.HasPrefix(other, "parts "+id+",") {
				where[line] = append(where[line], where[other]...)
			}
		}
	}
	return text, where
}

// rescueOf opens a database of these bytes and checks what was saved of it: each row
// none of whose pages is spoiled.
func rescueOf(t *testing.T, text []byte, where map[string][]int, spoiled func(page int) bool) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, databaseName)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s, damage, err := Open(t.Context(), options(folder))
	if err != nil {
		t.Fatalf("it does not start: %v", err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	saved, lost, events, eventsSaved := dump(t, s), 0, 0, 0
	for line, pages := range where {
		isEvent := strings.HasPrefix(line, "events")
		if isEvent {
			events++
		}
		if saved[line] {
			if isEvent {
				eventsSaved++
			}
			continue
		}
		lost++
		if !slices.ContainsFunc(pages, spoiled) {
			t.Errorf("lost, though it stands on untouched pages %v: %.100s", pages, line)
		}
	}
	if damage == nil {
		if lost > 0 {
			t.Errorf("%d rows are lost, and nothing is said of it", lost)
		}
		return
	}
	if aside, err := os.ReadFile(damage.Path); err != nil || !bytes.Equal(aside, text) {
		t.Errorf("the damaged file is not what it was: %v", err)
	}
	if damage.Saved.Events != eventsSaved || damage.Saved.Events+damage.Lost.Events > events {
		t.Errorf("of %d events %d were saved; it says %d, and %d are lost", events, eventsSaved, damage.Saved.Events, damage.Lost.Events)
	}
	if events > eventsSaved && damage.Lost == (Counts{}) {
		t.Error("it says that nothing is known to be lost")
	}
	if strings.Contains(string(everything(t, folder)), deletedWords) {
		t.Error("what was deleted has come back")
	}
	talk(t, s, session("new", "/work"), "r", "go on")
}

func TestREL02_EveryRowOfAnUntouchedPageIsSaved(t *testing.T) {
	text, where := soundDatabase(t)
	count := len(text) / pageSize
	t.Logf("%d pages, %d rows", count, len(where))
	if count < 40 {
		t.Errorf("the database has %d pages", count)
	}
	noise := rand.NewChaCha8([32]byte{})
	for number := 1; number <= count; number++ {
		for how, spoil := range map[string]func([]byte){
			"noise": func(page []byte) { _, _ = noise.Read(page) },
			"zeros": func(page []byte) { clear(page) },
		} {
			t.Run(fmt.Sprintf("page %d/%s", number, how), func(t *testing.T) {
				bad := bytes.Clone(text)
				spoil(bad[(number-1)*pageSize : number*pageSize])
				rescueOf(t, bad, where, func(page int) bool { return page == number })
			})
		}
	}
	t.Run("last page cut", func(t *testing.T) {
		rescueOf(t, text[:len(text)-pageSize], where, func(page int) bool { return page == count })
	})
	t.Run("last page cut in two", func(t *testing.T) {
		rescueOf(t, text[:len(text)-pageSize/2], where, func(page int) bool { return page == count })
	})
	t.Run("magic lost", func(t *testing.T) {
		rescueOf(t, append(make([]byte, 16), text[16:]...), where, func(int) bool { return false })
	})
	t.Run("header lost", func(t *testing.T) {
		rescueOf(t, append(make([]byte, 100), text[100:]...), where, func(int) bool { return false })
	})
	t.Run("half a file", func(t *testing.T) {
		rescueOf(t, text[:len(text)/2], where, func(page int) bool { return page > count/2 })
	})
}
