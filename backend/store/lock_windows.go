package store

// holdLock is tryLock: no process passes its locks on to the programs that it starts.
func holdLock(folder, name string) (unlock func() error, err error) { return tryLock(folder, name) }
