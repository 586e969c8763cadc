// Command foreign runs the Go tests for another system under a program that runs programs
// of that system, package by package, and prints a table of what passed and what was left
// out.
//
//	foreign SYSTEM RUNNER LIST ROOT [PACKAGE...]
//
// SYSTEM is named as Go does, windows/amd64. LIST names the tests and the packages that
// are left out, each with the reason. The environment is the runner's. It ends with 1 when
// a test fails and, where all packages are run, when more than one test in twenty is left out.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// maxLeftOut is the share of tests that may be left out.
const maxLeftOut = 0.05

func main() {
	if len(os.Args) < 5 {
		fmt.Fprintln(os.Stderr, "usage: foreign SYSTEM RUNNER LIST ROOT [PACKAGE...]")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, system, runner, list, root string, only []string) error {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok {
		return fmt.Errorf("%q is no system as Go names it, such as windows/amd64", system)
	}
	f := foreign{root: root, runner: runner, env: append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")}

	text, err := os.ReadFile(list)
	if err != nil {
		return fmt.Errorf("read the list of what is left out: %w", err)
	}
	leftOut, err := parse(string(text))
	if err != nil {
		return fmt.Errorf("read %s: %w", list, err)
	}
	packages, err := f.tested(ctx, only)
	if err != nil {
		return err
	}
	var all []result
	for _, name := range packages {
		if slices.ContainsFunc(leftOut[name], omission.whole) {
			all = append(all, result{name: name, leftOut: leftOut[name]})
			continue
		}
		got, err := f.try(ctx, name, leftOut[name])
		if err != nil {
			return err
		}
		got.tell(os.Stdout)
		all = append(all, got)
	}
	fmt.Print("\n", table(all))
	return verdict(all, len(only) == 0)
}

// verdict is an error where a test failed and, if these are all packages, where too many are left
// out.
func verdict(all []result, complete bool) error {
	var passed, leftOut int
	var faults []error
	for _, each := range all {
		passed += len(each.passed)
		leftOut += each.testsLeftOut()
		if each.fault != "" {
			faults = append(faults, fmt.Errorf("%s: %s", each.name, each.fault))
		}
	}
	if share := float64(leftOut) / float64(max(passed+leftOut, 1)); complete && share > maxLeftOut {
		faults = append(faults, fmt.Errorf("%.1f %% of the tests are left out, more than %.0f %%", share*100, maxLeftOut*100))
	}
	return errors.Join(faults...)
}
