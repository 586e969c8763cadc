//go:build supervisor

package builtin

// Main fails: another program does this here.
func Main() int { return 1 }
