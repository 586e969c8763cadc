// Bench measures what Fairlead itself costs: time, processor, memory and
// connections, with a scripted server on loopback in place of a model. Every
// figure stands beside that of a floor client (bench/floor) from the same minutes
// on the same machine, because absolute times say more about a machine than about
// a program. The window stands beside an empty one (bench/emptywindow). It builds
// all programs, prints one table, and exits with 1 when a figure misses its limit.
//
//	go run ./bench
//
// docs/benchmarks.md says what each figure means.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	missed, err := bench(ctx, os.Stdout)
	stop()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	case missed > 0:
		fmt.Fprintf(os.Stderr, "%d of the figures missed\n", missed)
		os.Exit(1)
	}
}

// bench builds, measures and prints. It returns how many figures missed.
func bench(ctx context.Context, out io.Writer) (missed int, err error) {
	dir, err := os.MkdirTemp("", "fairlead-bench-")
	if err != nil {
		return 0, fmt.Errorf("make a folder for the benchmark: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	place, err := prepare(dir)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "%s/%s, %d processors, %s\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	fairlead, err := place.buildFairlead(ctx)
	if err != nil {
		return 0, err
	}
	floor, err := place.buildFloor(ctx, fairlead)
	if err != nil {
		return 0, err
	}
	all, err := measureAll(ctx, floor, fairlead, place.home)
	if err != nil {
		return 0, err
	}
	kept, err := place.conversationRows(ctx)
	if err != nil {
		return 0, err
	}
	streams, err := streamRows(ctx)
	if err != nil {
		return 0, err
	}
	confined, err := place.confinedRows(ctx, fairlead)
	if err != nil {
		return 0, err
	}
	searching, err := place.searchRows(ctx)
	if err != nil {
		return 0, err
	}
	looked, err := place.looksRow(ctx)
	if err != nil {
		return 0, err
	}
	cancelled, err := place.cancelRow(ctx)
	if err != nil {
		return 0, err
	}
	rows, err := place.windowRows(ctx, out)
	if err != nil {
		return 0, err
	}
	return table(out, slices.Concat(figures(all), streams, confined, searching, []figure{looked, cancelled}, kept, rows)), nil
}
