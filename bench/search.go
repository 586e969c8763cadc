package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/tool"
	"fairlead/backend/tool/search"
	"fairlead/backend/workspace"
)

const (
	// searches is how often the files are searched, searched how many there are and
	// perFolder how many in a folder.
	searches  = 5
	searched  = 100_000
	perFolder = 100
	// nowhere is a text that is in none of them.
	nowhere = "nowhere to be found"
)

// searchRows compare the processor time of a search with that of grep, for files that
// lie flat and deep. grep is the floor.
func searchRows(ctx context.Context, m *machine) ([]figure, error) {
	show := func(v float64) string { return fmt.Sprintf("%.2f × grep", v) }
	var times [2][2]time.Duration
	var ratios [2]float64
	for i, depth := range []int{1, 12} {
		var err error
		if times[i], err = m.measureSearch(ctx, depth); err != nil {
			return nil, fmt.Errorf("search files: %w", err)
		}
		ratios[i] = float64(times[i][1]) / float64(times[i][0])
	}
	flat := durationFigure("search 100,000 files, CPU", "2.5 × grep", times[0][0], times[0][1], times[0][0]*5/2)
	deep := figure{name: "the same 12 folders deep", rule: "1.25 × that", show: show, floor: ratios[0], fairlead: ratios[1], limit: ratios[0] * 5 / 4}
	flat.unknown = times[0][1] == 0
	deep.unknown = flat.unknown
	return []figure{flat, deep}, nil
}

// measureSearch searches files so many folders deep, by turns with grep and with the tool, and
// returns both medians.
func (p place) measureSearch(ctx context.Context, depth int) (medians [2]time.Duration, err error) {
	dir := filepath.Join(p.home, fmt.Sprintf("searched-%d", depth))
	if err := writeTree(dir, depth); err != nil {
		return medians, err
	}
	folder, err := workspace.Open(dir)
	if err != nil {
		return medians, err
	}
	defer func() { err = errors.Join(err, folder.Close(), os.RemoveAll(dir)) }()
	var took [2][]time.Duration
	for range searches {
		grep := exec.CommandContext(ctx, "grep", "-rI", nowhere, dir)
		grep.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		_ = grep.Run() // it ends with 1 where nothing is found
		if grep.ProcessState == nil {
			return medians, errors.New("grep does not start")
		}
		took[0] = append(took[0], grep.ProcessState.UserTime()+grep.ProcessState.SystemTime())
		before := cpuTime(os.Getpid())
		plan, err := search.New(folder, nil)[0].Prepare(ctx, tool.Input{Arguments: []byte(`{"pattern":"` + nowhere + `"}`)})
		if err != nil {
			return medians, err
		}
		result := plan.Run(ctx, func(string) {}).Result
		if want := fmt.Sprintf("no match in %d files", searched); !strings.Contains(result.Content.Text(), want) {
			return medians, fmt.Errorf("the search says %.200q, not %q", message.Visible(result.Content.Text()), want)
		}
		took[1] = append(took[1], cpuTime(os.Getpid())-before)
	}
	for i := range medians {
		slices.Sort(took[i])
		medians[i] = took[i][searches/2]
	}
	return medians, nil
}

// writeTree writes files of 1 KB so many folders deep.
func writeTree(dir string, depth int) error {
	content := bytes.Repeat([]byte("what is searched has lines of sixty-four characters, as this.\n"), 17)[:1024]
	for i := range searched / perFolder {
		folder := filepath.Join(dir, strings.Repeat("deeper/", depth-1), fmt.Sprint(i))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		for k := range perFolder {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(k)), content, 0o600); err != nil {
				return err
			}
		}
	}
	return nil
}
