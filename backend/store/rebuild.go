package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// rebuildDatabase makes a sound database at path of the rows that stand on the pages of a
// damaged one, which it only reads. It counts what was saved, and what is lost as far as
// the numbers of what was saved tell; of a lost conversation that is its title and its
// folder.
func rebuildDatabase(ctx context.Context, damaged, path string) (saved, lost Counts, err error) {
	p, closeFiles, err := readPages(damaged)
	if err != nil {
		return saved, lost, err
	}
	defer func() { err = errors.Join(err, closeFiles()) }()
	if err := removeDatabase(path); err != nil { // of a rescue that was cut off
		return saved, lost, err
	}
	s, err := open(ctx, Options{}, path, loadMigrations())
	if err != nil {
		return saved, lost, err
	}
	r := &rescue{pages: p, writer: s.writer}
	if err = r.run(ctx); err == nil {
		err = s.emptyLog(ctx) // all of it is in the file then
	}
	if err != nil {
		err = fmt.Errorf("save what can be read of %s: %w", damaged, s.explainError(err))
	}
	return r.saved, r.lost, errors.Join(err, s.Close())
}

// removeDatabase removes a database with the files that belong to it.
func removeDatabase(path string) error {
	for _, suffix := range suffixes {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove what an earlier rescue left: %w", err)
		}
	}
	return nil
}

// rescue fills a new database from the pages of a damaged one.
type rescue struct {
	pages  *pages
	writer *sql.DB
	tx     *sql.Tx

	tables      []table
	statements  map[string]*sql.Stmt
	saved, lost Counts
	// schema is the newest that the rows say the database has.
	schema int64
}

func (r *rescue) run(ctx context.Context) (err error) {
	// Rows come in the order of the pages, before those that they refer to. Until the end
	// nothing needs to survive a power cut.
	if _, err := r.writer.ExecContext(ctx, "PRAGMA foreign_keys=OFF; PRAGMA synchronous=OFF"); err != nil {
		return err
	}
	if r.tables, err = tablesOf(ctx, r.writer); err != nil {
		return err
	}
	for number := uint32(1); number <= r.pages.count; {
		if number, err = r.copyFrom(ctx, number); err != nil {
			return err
		}
	}
	if knows := loadMigrations().newestVersion(); r.schema > knows {
		return &NewerError{r.schema, knows} // what is new in it would be lost
	}
	err = r.inTransaction(ctx, func(ctx context.Context) error { return r.finishRebuild(ctx) })
	if err != nil {
		return err
	}
	_, err = r.writer.ExecContext(ctx, "PRAGMA foreign_keys=ON; PRAGMA synchronous="+string(firm))
	return err
}

func (r *rescue) finishRebuild(ctx context.Context) (err error) {
	if err = r.addMissingParents(ctx); err != nil {
		return err
	}
	if r.saved, r.lost, err = countRows(ctx, r.tx); err != nil {
		return err
	}
	return r.endRuns(ctx)
}

// inTransaction does something in one transaction.
func (r *rescue) inTransaction(ctx context.Context, do func(context.Context) error) (err error) {
	if r.tx, err = r.writer.BeginTx(ctx, nil); err != nil {
		return err
	}
	r.statements = map[string]*sql.Stmt{} // they end with the transaction
	if err = do(ctx); err != nil {
		_ = r.tx.Rollback() // what failed before says why
		return err
	}
	return r.tx.Commit()
}

// batch is how many pages are copied in one transaction.
const batch = 4096

// copyFrom copies the rows of some pages and returns the page to go on with.
func (r *rescue) copyFrom(ctx context.Context, number uint32) (next uint32, err error) {
	next = number + min(batch, r.pages.count-number+1)
	return next, r.inTransaction(ctx, func(ctx context.Context) error {
		var err error
		for ; number < next; number++ {
			r.pages.findRows(number, func(found row, keyed bool) {
				if err == nil {
					err = r.add(ctx, found, keyed)
				}
			})
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// add adds a row to the table that it looks like one of; one of no table is left out.
func (r *rescue) add(ctx context.Context, found row, keyed bool) error {
	for i := range r.tables {
		if t := &r.tables[i]; t.canHold(found, keyed) {
			return r.insert(ctx, t.insert(len(found)), found)
		}
	}
	if version, ok := readMigration(found, keyed); ok {
		r.schema = max(r.schema, version)
	}
	return nil
}

// readMigration reads a row of the table of the migrations: its number, which stands
// elsewhere, the version, whether it was applied, and when.
func readMigration(r row, keyed bool) (version int64, ok bool) {
	if keyed || len(r) != 4 || r[0] != nil || r[2] != int64(1) {
		return 0, false
	}
	version, ok = r[1].(int64)
	return version, ok
}

func (r *rescue) insert(ctx context.Context, statement string, values row) error {
	prepared := r.statements[statement]
	if prepared == nil {
		var err error
		if prepared, err = r.tx.PrepareContext(ctx, statement); err != nil {
			return err
		}
		r.statements[statement] = prepared
	}
	_, err := prepared.ExecContext(ctx, values...)
	return err
}
