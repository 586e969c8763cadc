//go:build unix

package process_test

import (
	"context"
	"testing"
	"time"

	"fairlead/backend/process"
)

func TestSEC12_WhatFairleadRunsForItselfIsBounded(t *testing.T) {
	output, err := process.Capture(t.Context(), "/bin/sh", []string{"A=1"}, "-c", "pwd; echo $A$HOME; cat")
	if err != nil || string(output) != "/\n1\n" {
		t.Errorf("got %q, %v", output, err)
	}
	if _, err := process.Capture(t.Context(), "/bin/sh", nil, "-c", "exit 3"); err == nil {
		t.Error("a failure is none")
	}
	if _, err := process.Capture(t.Context(), "/bin/sh", []string{"PATH=/usr/bin:/bin"}, "-c", "yes"); err == nil {
		t.Error("endless output is taken")
	}
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if _, err := process.Capture(ctx, "/bin/sh", []string{"PATH=/usr/bin:/bin"}, "-c", "exec sleep 60"); err == nil {
		t.Error("a program that does not end is none")
	}
}
