package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"fairlead/bench/window"
)

// windowRows measures the window, in an empty folder, and judges it. Where that is not possible it says
// why.
func windowRows(ctx context.Context, out io.Writer, dir string) ([]figure, error) {
	if missing := window.Missing(ctx); missing != "" {
		fmt.Fprintf(out, "the window is not measured: %s\n\n", missing)
		return nil, nil
	}
	root, err := outputOf(ctx, ".", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return nil, err
	}
	fmt.Fprint(out, "building and measuring the window takes some minutes\n\n")
	programs, err := buildWindows(ctx, root, dir)
	if err != nil {
		return nil, err
	}
	measured, err := window.Measure(ctx, root, dir, programs)
	if err != nil {
		return nil, fmt.Errorf("measure the window: %w", err)
	}
	return windowFigures(measured), nil
}

// buildWindows builds the page, Fairlead's window as `make build` does, and the
// empty window in the same way.
func buildWindows(ctx context.Context, root, dir string) (window.Programs, error) {
	built := window.Programs{Empty: filepath.Join(dir, "emptywindow"), Fairlead: filepath.Join(dir, "fairlead-window")}
	if _, err := outputOf(ctx, root, "build/page.sh"); err != nil {
		return built, err
	}
	if _, err := outputOf(ctx, root, "build/program.sh", "window", built.Fairlead); err != nil {
		return built, err
	}
	tags, err := outputOf(ctx, root, "build/program.sh", "window")
	if err != nil {
		return built, err
	}
	_, err = outputOf(ctx, root, "go", "build", "-trimpath", "-ldflags", "-s -w", "-tags", tags, "-buildvcs=false", "-o", built.Empty, "./bench/emptywindow")
	return built, err
}

// outputOf runs a command in a folder and returns what it prints, without the end of the
// last line.
func outputOf(ctx context.Context, dir, name string, arguments ...string) (string, error) {
	if strings.Contains(name, "/") {
		name = filepath.Join(dir, name)
	}
	command := exec.CommandContext(ctx, name, arguments...)
	command.Dir = dir
	command.Env = append(os.Environ(), "CGO_ENABLED=1")
	var trouble bytes.Buffer
	command.Stderr = &trouble
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("run %s: %w\n%s", strings.Join(command.Args, " "), err, bytes.TrimSpace(trouble.Bytes()))
	}
	return strings.TrimSpace(string(output)), nil
}

// windowFigures judges what was measured of the window.
func windowFigures(measured window.Figures) []figure {
	const kib = 1 << 10
	paint, stream, memory := measured.Paint, measured.Stream, measured.Memory
	return []figure{
		durationFigure("window: start to first paint", "1.15 × floor", paint.Empty, paint.Fairlead, paint.Empty*115/100),
		durationFigure("window: a second of a long answer, CPU", "1.75 × floor", stream.Empty, stream.Fairlead, stream.Empty*175/100),
		{
			name: "window: JavaScript, gzipped", show: func(v float64) string { return fmt.Sprintf("%.1f KB", v) },
			fairlead: float64(measured.Script) / kib, limit: 300,
		},
		{
			name: "window: memory after the tour", rule: "floor + 60 MB", show: megabytesText,
			floor: float64(memory.Empty) / mib, fairlead: float64(memory.Fairlead) / mib, limit: float64(memory.Empty)/mib + 60,
		},
	}
}
