// Package seal has a process give up everything but what it holds already: its memory, and what is
// open. It is for one that reads what may be hostile.
package seal

// Bounds are what a sealed process may use at most.
type Bounds struct {
	// Memory is how many bytes of memory it may have of its own (RLIMIT_DATA), and Processor for how
	// many seconds it may compute in all; it is killed then.
	Memory, Processor uint64
}
