//go:build !windows

package workspace

// listedName returns the name as it is given.
func listedName(_, name string) string { return name }
