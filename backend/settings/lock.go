package settings

import (
	"context"
	"errors"
	"time"

	"github.com/gofrs/flock"
)

const (
	// lockTime is how long another process may take to change a file, and askAgain how often it is
	// looked whether it is done.
	lockTime = 10 * time.Second
	askAgain = 5 * time.Millisecond
)

// LockFile keeps others, in this process too, from changing what the file of a path stands for, which
// is made if need be. The error is that of ctx, or that another process has not let go of it.
func LockFile(ctx context.Context, path string) (unlock func() error, err error) {
	held := flock.New(path, flock.SetPermissions(private))
	waiting, stop := context.WithTimeoutCause(ctx, lockTime, errors.New("another Fairlead has been changing it all the while; see whether it hangs, and end it"))
	defer stop()
	if _, err := held.TryLockContext(waiting, askAgain); err != nil {
		if waiting.Err() != nil {
			err = context.Cause(waiting)
		}
		return nil, err
	}
	return held.Unlock, nil
}
