package settings

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/DeRuina/timberjack"
)

const (
	// logSize is the size at which the log file is rotated, in megabytes.
	logSize = 5
	// logBackups is how many rotated files are kept.
	logBackups = 3
)

// OpenLog opens the log in the state folder, logs/fairlead.log: one JSON object
// a line from the given level up (debug, info, warn or error), redacted, rotated
// at 5 MB with three older files kept, readable by this person only. Close ends
// it.
func OpenLog(stateFolder, level string, redactor *Redactor) (*slog.Logger, io.Closer, error) {
	var from slog.Level
	if err := from.UnmarshalText([]byte(level)); err != nil {
		return nil, nil, fmt.Errorf("open log: level %q is none of debug, info, warn, error", level)
	}
	folder := filepath.Join(stateFolder, "logs")
	if err := MakeFolder(folder); err != nil {
		return nil, nil, fmt.Errorf("open log: %w", err)
	}
	path := filepath.Join(folder, "fairlead.log")
	if err := touch(path); err != nil {
		return nil, nil, fmt.Errorf("open log: %w; make the folder writable, or choose another one with --data-dir", err)
	}
	file := &timberjack.Logger{Filename: path, MaxSize: logSize, MaxBackups: logBackups, FileMode: 0o600}
	handler := slog.NewJSONHandler(redactor.Writer(file), &slog.HandlerOptions{Level: from})
	return slog.New(handler), file, nil
}

// touch finds out now whether the log can be written, because slog tells nobody.
func touch(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}
