//go:build !race

package cli_test

import "testing"

// TestDOC01_DocumentsOnTheCommandLine runs scripts in which documents are read. The process that does so may
// have less memory than the race detector takes.
func TestDOC01_DocumentsOnTheCommandLine(t *testing.T) { runScripts(t, "testdata/documents") }
