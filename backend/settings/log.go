package settings

import (
	"fmt"
	"io"
	"log/slog"
	"path/filepath"

	"fairlead/backend/secret"
)

const (
	// logSize is how large a log file can grow, in bytes.
	logSize = 5 << 20
	// logBackups is how many rotated files are kept.
	logBackups = 3
)

// LogFile returns where the log lies in the state folder.
func LogFile(stateFolder string) string { return filepath.Join(stateFolder, "logs", "fairlead.log") }

// OpenLog opens the log in the state folder, logs/fairlead.log: one JSON object
// a line from the given level up (debug, info, warn or error), redacted, rotated
// at 5 MiB with three older files kept (.1 is the newest), readable by this user
// only. Close ends it.
func OpenLog(stateFolder, level string, redactor *secret.Redactor) (*slog.Logger, io.Closer, error) {
	var from slog.Level
	if err := from.UnmarshalText([]byte(level)); err != nil {
		return nil, nil, fmt.Errorf("open log: level %q is none of debug, info, warn, error", level)
	}
	path := LogFile(stateFolder)
	if err := MakeFolder(filepath.Dir(path)); err != nil {
		return nil, nil, fmt.Errorf("open log: %w", err)
	}
	file, err := openRotating(path, logSize, logBackups)
	if err != nil {
		return nil, nil, fmt.Errorf("open log: %w; make the folder writable, or choose another one with --data-dir", err)
	}
	handler := slog.NewJSONHandler(redactor.Writer(file), &slog.HandlerOptions{Level: from})
	return slog.New(handler), file, nil
}
