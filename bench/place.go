package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// place is where the benchmark works: programs, workspace, state, the person's
// home and the windows' files, all in one temporary folder.
type place struct{ programs, workspace, data, home, windows, conversations string }

// prepare makes the folders and the workspace's files: 4 KB in each part, 1 KB in
// each page, and a line in each note.
func prepare(dir string) (place, error) {
	p := place{
		filepath.Join(dir, "programs"), filepath.Join(dir, "workspace"), filepath.Join(dir, "data"), filepath.Join(dir, "home"),
		filepath.Join(dir, "windows"), filepath.Join(dir, "conversations"),
	}
	for _, folder := range []string{p.programs, p.workspace, p.data, p.home, p.windows, p.conversations} {
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

func (p place) buildFairlead(ctx context.Context) (program, error) {
	path, err := p.build(ctx, "fairlead")
	return program{name: "Fairlead", path: path, arguments: func(url string, s scenario) []string {
		arguments := []string{
			"run", "--base-url", url, "--model", "bench", "--api-key-env", keyVariable,
			"--workspace", p.workspace, "--data-dir", p.data, "--approve", "all", "--max-steps", "500",
		}
		if !s.prunes { // the floor always sends everything
			arguments = append(arguments, "--no-compact")
		}
		return append(arguments, "Work on the files of this folder.")
	}}, err
}

// buildFloor builds the floor client and gives it the first request of Fairlead,
// so that both send the same prompts and tools.
func (p place) buildFloor(ctx context.Context, fairlead program) (program, error) {
	path, err := p.build(ctx, "fairlead/bench/floor")
	if err != nil {
		return program{}, err
	}
	_, request, err := fairlead.run(ctx, scenario{name: "one answer"}, p.home)
	if err != nil {
		return program{}, err
	}
	requestFile := filepath.Join(p.home, "request.json")
	if err := os.WriteFile(requestFile, request, 0o600); err != nil {
		return program{}, fmt.Errorf("keep the first request: %w", err)
	}
	return program{name: "the floor", path: path, arguments: func(url string, _ scenario) []string {
		return []string{url, p.workspace, requestFile}
	}}, nil
}

// build compiles a package the way releases are, into a file named by its last
// element.
func (p place) build(ctx context.Context, pkg string) (string, error) {
	path := filepath.Join(p.programs, filepath.Base(pkg))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", path, pkg)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", pkg, err, bytes.TrimSpace(output))
	}
	return path, nil
}
