package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"fairlead/backend/sandbox/sandboxtest"
)

// place is where the benchmark works: workspace, state, the user's home and saved
// conversations, all in one temporary folder.
type place struct{ workspace, data, home, conversations string }

// preparePlace makes the folders and the workspace's files: 4 KB in each part, 1 KB in
// each page, and a line in each note.
func preparePlace(dir string) (place, error) {
	p := place{
		filepath.Join(dir, "workspace"), filepath.Join(dir, "data"), filepath.Join(dir, "home"), filepath.Join(dir, "conversations"),
	}
	for _, folder := range []string{p.workspace, p.data, p.home, p.conversations} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			return p, fmt.Errorf("make a folder for the benchmark: %w", err)
		}
	}
	const line = "A line of text as \"long\" as one of source code, with <signs> in it.\n"
	part := strings.Repeat(line, 4096/len(line)+1)[:4096]
	for step := range longerSteps {
		err := errors.Join(p.write(partName(step), part), p.write(pageName(step), part[:1024]), p.write(noteName(step), "hello\n"))
		if err != nil {
			return p, fmt.Errorf("write the benchmark's files: %w", err)
		}
	}
	return p, nil
}

func (p place) write(name, text string) error {
	return os.WriteFile(filepath.Join(p.workspace, name), []byte(text), 0o600)
}

// fairleadProgram is Fairlead's command line. Its conversations are saved.
func (p place) fairleadProgram() program {
	return program{name: "Fairlead", path: sandboxtest.Program("fairlead"), arguments: func(url string, s scenario) []string {
		arguments := []string{
			"run", "--base-url", url, "--model", "bench", "--api-key-env", keyVariable,
			"--workspace", p.workspace, "--data-dir", p.data, "--approve", "all", "--max-steps", "500",
		}
		if !s.prunes { // the floor always sends everything
			arguments = append(arguments, "--no-compact")
		}
		return append(arguments, "Work on the files of this folder.")
	}}
}

// floorProgram is the floor client, which is given the first request of Fairlead, so that both
// send the same prompts and tools.
func (p place) floorProgram(ctx context.Context, fairlead program) (program, error) {
	_, request, err := fairlead.run(ctx, oneAnswer, p.home)
	if err != nil {
		return program{}, err
	}
	requestFile := filepath.Join(p.home, "request.json")
	if err := os.WriteFile(requestFile, request, 0o600); err != nil {
		return program{}, fmt.Errorf("keep the first request: %w", err)
	}
	return program{name: "the floor", path: sandboxtest.Program("floor"), arguments: func(url string, _ scenario) []string {
		return []string{url, p.workspace, requestFile}
	}}, nil
}

// buildPackage compiles a package the way releases are.
func buildPackage(ctx context.Context, root, path, pkg string) error {
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-buildvcs=false", "-o", path, pkg)
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", pkg, err, bytes.TrimSpace(output))
	}
	return nil
}
