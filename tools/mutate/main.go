// Command mutate measures the tests: it breaks the program one line at a time, as
// a list says, and expects the tests named beside each break to fail. The source
// tree is never touched; go test sees the broken file through an overlay.
//
//	mutate [-only TEXT] LIST ROOT
//
// It ends with 1 when a break went unnoticed or an entry of the list no longer
// fits the source.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"sync"
)

// atOnce is how many breaks are tried at the same time. Each already keeps a core
// busy compiling.
const atOnce = 2

// timeLimit is how long the tests of one break may run.
const timeLimit = "60s"

func main() {
	only := flag.String("only", "", "keep to the breaks whose name holds this `text`")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: mutate [-only TEXT] LIST ROOT")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mutate(ctx, flag.Arg(0), flag.Arg(1), *only); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		stop()
		os.Exit(1)
	}
}

func mutate(ctx context.Context, list, root, only string) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return fmt.Errorf("read the list of breaks: %w", err)
	}
	all, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("read %s: %w", list, err)
	}
	breaks := choose(all, only)
	if len(breaks) == 0 {
		return fmt.Errorf("no break in %s has %q in its name", list, only)
	}
	trial, err := newTrial(root, timeLimit)
	if err != nil {
		return err
	}
	defer trial.close()
	fmt.Println("checking that the tests pass without a break")
	if err := trial.baseline(ctx, breaks); err != nil {
		return err
	}
	caught := tryAll(ctx, trial, breaks)
	fmt.Printf("%d breaks, %d caught\n", len(breaks), caught)
	if caught != len(breaks) {
		return fmt.Errorf("%d of %d breaks were not caught", len(breaks)-caught, len(breaks))
	}
	return nil
}

func choose(breaks []Break, only string) []Break {
	var chosen []Break
	for _, b := range breaks {
		if strings.Contains(b.Name, only) {
			chosen = append(chosen, b)
		}
	}
	return chosen
}

// tryAll prints a line for each break as it ends and returns how many were caught.
func tryAll(ctx context.Context, trial *trial, breaks []Break) int {
	var (
		wait   sync.WaitGroup
		lock   sync.Mutex
		caught int
		slots  = make(chan struct{}, atOnce)
	)
	for i, b := range breaks {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			outcome := trial.try(ctx, i, b)
			lock.Lock()
			defer lock.Unlock()
			fmt.Println(outcome)
			if outcome.verdict == caughtBreak {
				caught++
			}
		})
	}
	wait.Wait()
	return caught
}
