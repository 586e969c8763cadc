package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

type verdict string

const (
	caughtBreak   verdict = "caught"
	survivedBreak verdict = "SURVIVED"
	// brokenEntry is an entry that says nothing about the tests: it does not fit
	// the source, or the broken program does not compile.
	brokenEntry verdict = "BROKEN"
)

type outcome struct {
	b       Break
	verdict verdict
	detail  string
	took    time.Duration
}

func (o outcome) String() string {
	return fmt.Sprintf("%-8s  %s: %s (%s, %.1f s)", o.verdict, o.b.Area, o.b.Name, o.detail, o.took.Seconds())
}

// trial tries breaks on the module at root.
type trial struct {
	root string
	// limit is how long the tests of one break may run, as for go test. A break
	// that makes them hang is noticed too: go test fails when the limit is over.
	limit string
	// folder holds the broken files and the overlays.
	folder string
}

func newTrial(root, limit string) (*trial, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("find the module: %w", err)
	}
	folder, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, fmt.Errorf("make a folder for broken files: %w", err)
	}
	return &trial{root: root, limit: limit, folder: folder}, nil
}

func (t *trial) close() { _ = os.RemoveAll(t.folder) }

// baseline runs the tests of all breaks on the whole program: a test that fails
// anyway, or that no longer exists, notices nothing.
func (t *trial) baseline(ctx context.Context, breaks []Break) error {
	type tests struct{ pkg, run string }
	done := map[tests]bool{}
	for _, b := range breaks {
		if done[tests{b.Package, b.Run}] {
			continue
		}
		done[tests{b.Package, b.Run}] = true
		report, err := t.test(ctx, "", b)
		switch {
		case err != nil:
			return err
		case report.failed():
			return fmt.Errorf("without a break, go test -run %s %s already fails: %s", b.Run, b.Package, report)
		case report.tests == 0:
			return fmt.Errorf("the break at line %d: no test fits -run %s in %s", b.line, b.Run, b.Package)
		}
	}
	return nil
}

func (t *trial) try(ctx context.Context, number int, b Break) outcome {
	began := time.Now()
	end := func(v verdict, detail string) outcome {
		return outcome{b: b, verdict: v, detail: detail, took: time.Since(began)}
	}
	overlay, err := t.overlay(number, b)
	if err != nil {
		return end(brokenEntry, err.Error())
	}
	report, err := t.test(ctx, overlay, b)
	switch {
	case err != nil:
		return end(brokenEntry, err.Error())
	case report.build != "":
		return end(brokenEntry, "does not compile: "+report.build)
	case report.failed():
		return end(caughtBreak, report.String())
	default:
		return end(survivedBreak, fmt.Sprintf("go test -run %s %s passes", b.Run, b.Package))
	}
}

// overlay writes the broken file and the overlay that puts it in place, and
// returns the overlay's path.
func (t *trial) overlay(number int, b Break) (string, error) {
	original := filepath.Join(t.root, filepath.FromSlash(b.File))
	source, err := os.ReadFile(original)
	if err != nil {
		return "", fmt.Errorf("read the file to break: %w", err)
	}
	broken, err := b.apply(string(source))
	if err != nil {
		return "", err
	}
	replacement := filepath.Join(t.folder, fmt.Sprintf("%d.go", number))
	if err := os.WriteFile(replacement, []byte(broken), 0o600); err != nil {
		return "", fmt.Errorf("write the broken file: %w", err)
	}
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{original: replacement}})
	if err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	path := filepath.Join(t.folder, fmt.Sprintf("%d.json", number))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	return path, nil
}

// test runs the tests of b, through the overlay if there is one. Without one an
// earlier answer of go test serves as well.
func (t *trial) test(ctx context.Context, overlay string, b Break) (report, error) {
	arguments := []string{"test", "-json", "-timeout", t.limit, "-run", b.Run}
	if overlay != "" {
		arguments = append(arguments, "-count=1")
	}
	command := exec.CommandContext(ctx, "go", append(arguments, b.Package)...)
	command.Dir = t.root
	if overlay != "" {
		// As a setting it reaches the programs that tests build as well.
		command.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -overlay="+overlay))
	}
	output, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return report{}, fmt.Errorf("run go test: %w", err)
	}
	if ctx.Err() != nil {
		return report{}, ctx.Err()
	}
	r := readReport(output)
	if exit != nil && !r.failed() {
		return report{}, fmt.Errorf("go test %s: %w: %s", b.Package, exit, exit.Stderr)
	}
	return r, nil
}
