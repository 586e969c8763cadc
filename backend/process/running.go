package process

import "sync"

// running are the trees that have not been killed yet.
var running = struct {
	mu    sync.Mutex
	trees map[tree]struct{}
}{trees: map[tree]struct{}{}}

// registerTree adds a tree to those running.
func registerTree(t tree) {
	running.mu.Lock()
	defer running.mu.Unlock()
	running.trees[t] = struct{}{}
}

// unregisterTree takes a tree out, before its shell is collected: until then its number
// cannot belong to another process.
func unregisterTree(t tree) {
	running.mu.Lock()
	defer running.mu.Unlock()
	delete(running.trees, t)
}

// KillAll kills the trees of all commands that run, at once. It is for a program
// that is about to leave without waiting for them.
func KillAll() {
	running.mu.Lock()
	defer running.mu.Unlock()
	for t := range running.trees {
		t.killTree()
	}
}
