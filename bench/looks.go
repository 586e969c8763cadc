package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairlead/backend/workspace"
)

const (
	// looks is how often a folder is looked at, looksFolders how many folders it has and
	// looksFiles how many files each of them.
	looks, looksFolders, looksFiles = 20, 10_000, 10
)

// looksRows measure what it adds to a command to look for files that run by themselves,
// before the command and after it. The floor asks the system for the time of each folder
// before and after.
func looksRows(ctx context.Context, m *machine) (rows []figure, err error) {
	dir := filepath.Join(m.home, "looked-at")
	var folders []string
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for i := range looksFolders {
		in := filepath.Join(dir, fmt.Sprint(i%100), fmt.Sprint(i/100))
		if err := os.MkdirAll(in, 0o700); err != nil {
			return nil, err
		}
		folders = append(folders, in)
		for k := range looksFiles {
			if err := os.WriteFile(filepath.Join(in, fmt.Sprint(k)), nil, 0o600); err != nil {
				return nil, err
			}
		}
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	var took []time.Duration
	for i := range looks + 1 {
		began := time.Now()
		_, after := folder.BeforeCommand(ctx)
		said := after(ctx)
		if i > 0 { // the first reads everything
			took = append(took, time.Since(began))
		}
		if len(said) > 0 {
			return nil, fmt.Errorf("a look says %q where nothing changed", said[0])
		}
	}
	floor, err := medianOf(looks, func() error { return errors.Join(statAll(folders), statAll(folders)) })
	look := medianValue(took)
	return []figure{durationFigure("look around a command, 10,000 folders", "1.5 × floor", floor, look, floor*3/2)}, err
}

func statAll(folders []string) error {
	for _, folder := range folders {
		if _, err := os.Lstat(folder); err != nil {
			return err
		}
	}
	return nil
}
