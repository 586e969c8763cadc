//go:build unix && !linux

package process

// awaitShell waits for the end of the shell. Only Linux can do so reliably and leave
// the process number taken; elsewhere it is free for the microseconds until the
// rest of the group is killed. The exit code is in the process state, so that
// the error says nothing new.
func (t *unconfined) awaitShell() { _ = t.shell.Wait() }

// collectShell has nothing to do after await.
func (t *unconfined) collectShell() {}
