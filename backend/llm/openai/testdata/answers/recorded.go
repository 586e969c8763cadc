package answers

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrNotRecorded says that there is no folder of recorded answers, which FAIRLEAD_STREAMS names.
var ErrNotRecorded = errors.New("only with a folder of recorded answers in FAIRLEAD_STREAMS")

// Recorded reads the manifest of recorded answers, a list of T, and the bodies of its
// entries. file names an entry's body, keep takes it. Without a folder it is
// ErrNotRecorded.
func Recorded[T any](file func(T) string, keep func(*T, []byte)) ([]T, error) {
	folder := os.Getenv("FAIRLEAD_STREAMS")
	if folder == "" {
		return nil, ErrNotRecorded
	}
	text, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err != nil {
		return nil, fmt.Errorf("read recorded answers: %w", err)
	}
	var list []T
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("read the manifest of recorded answers: %w", err)
	}
	for i := range list {
		body, err := os.ReadFile(filepath.Join(folder, file(list[i])))
		if err != nil {
			return nil, fmt.Errorf("read recorded answer: %w", err)
		}
		keep(&list[i], body)
	}
	return list, nil
}
