package store

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestREL02_EveryTableIsKnownByItsRows(t *testing.T) {
	s := openIn(t, t.TempDir())
	tables, err := tablesOf(t.Context(), s.reader)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(tables)
	for _, name := range []string{"outlines", "pruned"} { // made anew, and so not rescued
		one := table{name: name, keyed: true}
		if err := one.readColumns(t.Context(), s.reader); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if sorted := names(all); !slices.Equal(sorted, names(allTables(t, s))) {
		t.Errorf("only the tables %v are rescued", sorted)
	}
	for _, one := range all {
		for _, other := range tables {
			for length := one.least; length <= len(one.columns); length++ {
				if one.name != other.name && other.canHold(example(one, length), one.keyed) {
					t.Errorf("a row of %s looks like one of %s", one.name, other.name)
				}
			}
		}
	}
}

func names(tables []table) []string {
	var names []string
	for _, table := range tables {
		names = append(names, table.name)
	}
	slices.Sort(names)
	return names
}

// allTables are the tables of the schema but those of the migrations.
func allTables(t *testing.T, s *Store) (all []table) {
	t.Helper()
	rows, err := s.reader.QueryContext(t.Context(), "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite%'")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one table
		if err := rows.Scan(&one.name); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// example is a row of a table.
func example(of table, length int) row {
	var r row
	for _, c := range of.columns[:length] {
		r = append(r, map[string]any{"TEXT": "text", "INTEGER": int64(7), "BLOB": []byte("{}")}[c.kind])
	}
	return r
}

func FuzzRowsOfPages(f *testing.F) {
	for _, name := range []string{"schema1.db", "schema3.db"} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		for at := 0; at+2*pageSize <= len(text); at += pageSize {
			f.Add(text[at:at+2*pageSize], []byte{})
		}
	}
	f.Fuzz(func(_ *testing.T, text, log []byte) {
		p := newPages(bytes.NewReader(text), int64(len(text)))
		p.readLog(bytes.NewReader(log))
		for number := uint32(0); number <= p.count && number < 16; number++ {
			p.findRows(number, func(r row, _ bool) {
				if len(r) > pageSize*int(p.count+1) {
					panic("a row has more values than there are bytes")
				}
			})
		}
	})
}
