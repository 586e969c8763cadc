package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fairlead/backend/message"
)

// table is what a row of a table looks like, by which it is known on a page that no
// tree leads to.
type table struct {
	name string
	// columns are in the order in which a row has them. The last ones may be missing
	// from a row that is older than they are; least are never.
	columns []column
	least   int
	// keyed reports whether the table is kept in the order of its key.
	keyed bool
	// summed reports whether the last column has any bytes, and the one before it their
	// sum; in other tables all that is kept as bytes is JSON.
	summed bool
}

type column struct {
	name, kind string
	// required reports whether it is never null.
	required bool
}

// rescued are the tables of which rows are saved, those first that others refer to.
// Outlines are not: they are made anew from the parts, as these are after the rescue. Nor are the marks of
// pruning: what does not fit is pruned again.
var rescued = []string{"sessions", "runs", "messages", "parts", blockData, "events", "change_sets"}

// blockData is the table of the bytes of blocks.
const blockData = "block_data"

// tablesOf reads what the tables of a sound database look like.
func tablesOf(ctx context.Context, db *sql.DB) ([]table, error) {
	var tables []table
	for _, name := range rescued {
		t := table{name: name, summed: name == blockData}
		err := db.QueryRowContext(ctx, "SELECT wr FROM pragma_table_list WHERE name = ?", name).Scan(&t.keyed)
		if err == nil {
			err = t.readColumns(ctx, db)
		}
		if err != nil {
			return nil, fmt.Errorf("read the table %s: %w", name, err)
		}
		tables = append(tables, t)
	}
	return tables, nil
}

func (t *table) readColumns(ctx context.Context, db *sql.DB) error {
	// A table in the order of its key has the columns of the key first.
	rows, err := db.QueryContext(ctx, `SELECT name, type, "notnull", dflt_value IS NOT NULL FROM pragma_table_info(?)
		ORDER BY CASE WHEN ? AND pk > 0 THEN pk ELSE 1000 END, cid`, t.name, t.keyed)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err says what went wrong
	for rows.Next() {
		var c column
		var filled bool // where a row lacks it
		if err := rows.Scan(&c.name, &c.kind, &c.required, &filled); err != nil {
			return err
		}
		t.columns = append(t.columns, c)
		if c.required && !filled {
			t.least = len(t.columns)
		}
	}
	return rows.Err()
}

// canHold reports whether a row can be one of the table.
func (t *table) canHold(r row, keyed bool) bool {
	if keyed != t.keyed || len(r) < t.least || len(r) > len(t.columns) {
		return false
	}
	for i, value := range r {
		if !t.columns[i].canHold(value) {
			return false
		}
		// What has another sum, or is no JSON, was spoiled.
		bytes, isBytes := value.([]byte)
		switch {
		case !isBytes:
		case t.summed && message.Sum(bytes) != r[i-1]:
			return false
		case !t.summed && len(bytes) > 0 && !json.Valid(bytes):
			return false
		}
	}
	return true
}

func (c column) canHold(value any) bool {
	switch value.(type) {
	case nil:
		return !c.required
	case string:
		return c.kind == "TEXT"
	case int64:
		return c.kind == "INTEGER"
	case []byte:
		return c.kind == "BLOB"
	}
	return false
}

// insert is the statement that adds a row of so many values.
func (t *table) insert(values int) string {
	names := make([]string, values)
	for i, c := range t.columns[:values] {
		names[i] = c.name
	}
	places := strings.Join(slices.Repeat([]string{"?"}, values), ", ")
	return fmt.Sprintf("INSERT OR IGNORE INTO %s (%s) VALUES (%s)", t.name, strings.Join(names, ", "), places)
}
