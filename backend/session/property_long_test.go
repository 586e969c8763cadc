//go:build !race

package session_test

import "testing"

func TestRunsEndWellWhateverHappens(t *testing.T) { playRandom(t, 2000) }
