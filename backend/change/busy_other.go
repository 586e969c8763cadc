//go:build !windows

package change

// whenFree does what no other program can prevent here by holding a file open.
func whenFree(_ spot, do func() error) error { return do() }
