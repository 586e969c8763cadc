// Bench measures what Fairlead itself costs: time, processor, memory and
// connections, with a scripted server on loopback in place of a model. Every
// figure stands beside that of a floor client (bench/floor) from the same minutes
// on the same machine, because absolute times say more about a machine than about
// a program; what starting processes costs is stated in the time that an empty
// program takes (bench/empty). The window stands beside an empty one
// (bench/emptywindow). It builds all programs, prints its tables, and exits with 1
// when a figure misses its limit.
//
//	go run ./bench [-only PART,PART...]
//
// All but the window is measured as an ordinary user, whom it becomes where root
// starts it. docs/benchmarks.md says what each figure means.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"fairlead/backend/sandbox/sandboxtest"
)

func main() {
	only := flag.String("only", "", "the parts to measure, with commas between them: "+strings.Join(partNames(), ", "))
	flag.Parse()
	wanted, err := chooseParts(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	missed, err := measureParts(ctx, os.Stdout, wanted)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	case missed:
		os.Exit(1)
	}
}

// windowPart is the name of the part that is measured by who started the benchmark.
const windowPart = "window"

// partNames lists the parts, in the order in which they are measured.
func partNames() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return append(names, windowPart)
}

// chooseParts reads a list of parts; an empty one is all of them.
func chooseParts(list string) ([]string, error) {
	if list == "" {
		return partNames(), nil
	}
	wanted := strings.Split(list, ",")
	for _, name := range wanted {
		if !slices.Contains(partNames(), name) {
			return nil, fmt.Errorf("there is no part %q; the parts are %s", name, strings.Join(partNames(), ", "))
		}
	}
	return wanted, nil
}

// measureParts measures the parts and prints the figures. It reports whether one of them missed.
func measureParts(ctx context.Context, out io.Writer, wanted []string) (missed bool, err error) {
	if sandboxtest.IsAgain() {
		return inPlace(ctx, out, wanted)
	}
	others := slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return name == windowPart })
	if len(others) > 0 {
		fmt.Fprintf(out, "%s/%s, %d processors, %s\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
		code, err := sandboxtest.Again(func(folder string) error { return buildAll(ctx, folder) }, "-only", strings.Join(others, ","))
		if err != nil {
			return false, err
		}
		missed = code != 0
	}
	if slices.Contains(wanted, windowPart) {
		windowMissed, err := inFolder(func(dir string) (bool, error) {
			rows, err := windowRows(ctx, out, dir)
			return writeTable(out, rows) > 0, err
		})
		return missed || windowMissed, err
	}
	return missed, nil
}

// inPlace measures with the programs that are there.
func inPlace(ctx context.Context, out io.Writer, wanted []string) (missed bool, err error) {
	return inFolder(func(dir string) (bool, error) {
		p, err := preparePlace(dir)
		if err != nil {
			return false, err
		}
		m, err := newMachine(ctx, p)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(out, "E, the time that an empty Go program takes: %.2f ms\n\n", inMilliseconds(m.unit))
		var rows []figure
		for _, part := range parts {
			if !slices.Contains(wanted, part.name) {
				continue
			}
			more, err := part.rows(ctx, m)
			if err != nil {
				return false, err
			}
			rows = append(rows, more...)
		}
		return writeTable(out, rows) > 0, nil
	})
}

// inFolder calls do with a folder that is deleted afterwards.
func inFolder(do func(dir string) (missed bool, err error)) (missed bool, err error) {
	dir, err := os.MkdirTemp("", "fairlead-bench-")
	if err != nil {
		return false, fmt.Errorf("make a folder for the benchmark: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return do(dir)
}

// buildAll builds the programs that are compared, Fairlead as it is released.
func buildAll(ctx context.Context, folder string) error {
	root, err := outputOf(ctx, ".", "go", "list", "-m", "-f", "{{.Dir}}")
	if err != nil {
		return err
	}
	if _, err := outputOf(ctx, root, "build/program.sh", "cli", filepath.Join(folder, "fairlead")); err != nil {
		return err
	}
	for _, name := range []string{"floor", "empty"} {
		if err := buildPackage(ctx, root, filepath.Join(folder, name), "./bench/"+name); err != nil {
			return err
		}
	}
	return nil
}
