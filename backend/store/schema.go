package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// schema is the steps that make the database what this program works with.
type schema struct{ files fs.FS }

func loadMigrations() schema {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(fmt.Sprintf("the migrations are embedded: %v", err))
	}
	return schema{files}
}

// NewerError says that a newer Fairlead wrote the database.
type NewerError struct {
	// Has is the schema of the database, and Knows the newest that this program
	// knows.
	Has, Knows int64
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("they were written by a newer Fairlead (schema %d, this one knows %d); install the newer one again", e.Has, e.Knows)
}

// newestVersion is the newest schema that this program knows.
func (s schema) newestVersion() int64 {
	names, err := fs.Glob(s.files, "*.sql")
	if err != nil || len(names) == 0 {
		panic(fmt.Sprintf("the migrations are embedded: %v", err))
	}
	version, err := goose.NumericComponent(names[len(names)-1])
	if err != nil {
		panic(fmt.Sprintf("the migrations have numbers: %v", err))
	}
	return version
}

// migrateDatabase brings a database to the newest schema.
func (s schema) migrateDatabase(ctx context.Context, db *sql.DB) error {
	knows := s.newestVersion()
	// Reading all migrations takes longer than asking for the version, and nearly always
	// there is none to do. What goes wrong here goes wrong again below, and is said there.
	var has int64
	err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM "+goose.DefaultTablename).Scan(&has)
	if err == nil && has == knows {
		return nil
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, s.files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if has, err = provider.GetDBVersion(ctx); err != nil {
		return fmt.Errorf("read the schema: %w", err)
	}
	switch {
	case has > knows:
		return &NewerError{has, knows}
	case has == knows:
		return nil
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("update the schema: %w", err)
	}
	return nil
}
