package cli_test

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"os"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

func checkEmpty(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: empty FOLDER")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(entries) > 0 {
		ts.Fatalf("in %s there is %s", args[0], entries)
	}
}

// fillFile makes a file whose content cannot be made smaller.
func fillFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: fill FILE SIZE")
	}
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	content := make([]byte, size)
	_, err = rand.Read(content)
	ts.Check(errors.Join(err, os.WriteFile(ts.MkAbs(args[0]), content, 0o600)))
}

// spoilFile takes the first bytes from a file, by which it is known what it is.
func spoilFile(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: spoil FILE")
	}
	path := ts.MkAbs(args[0])
	text, err := os.ReadFile(path)
	ts.Check(err)
	clear(text[:16])
	ts.Check(os.WriteFile(path, text, 0o600))
}

// loseRows makes some of what is in a database unreadable.
func loseRows(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: lose DATABASE")
	}
	db, err := sql.Open("sqlite", ts.MkAbs(args[0]))
	ts.Check(err)
	_, err = db.Exec(`UPDATE events SET data = x'7b' WHERE seq = 2;
		UPDATE parts SET body = x'7b' WHERE message_id IN (SELECT id FROM messages WHERE role = 'assistant')`)
	ts.Check(errors.Join(err, db.Close()))
}
