package change

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// MaxKept is how much is kept of all conversations at most, in bytes on the disk; where a
// tenth of what is free is less, it is that (SPEC CHG-08).
const MaxKept = 2 << 30

// KeptLimit is how much is kept at most in a folder, in bytes.
func KeptLimit(dir string) int64 {
	if free, ok := freeSpace(dir); ok {
		return min(MaxKept, free/10)
	}
	return MaxKept
}

// IsTight reports whether the disk of a folder has less than a gibibyte free: then the last
// run of each conversation is freed too, where it must be.
func IsTight(dir string) bool {
	free, ok := freeSpace(dir)
	return ok && free < 1<<30
}

// KeptBytes is how much the folder of objects of one conversation takes on the disk, or of all
// of them together.
func KeptBytes(dir string) (int64, error) {
	total := int64(0)
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil // it goes away meanwhile, or never was; or nobody may enter it, as the kernel's folder in a layer
		}
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil && !d.IsDir() {
			total += allocatedBytes(info)
		}
		return nil
	})
	return total, err
}

// PushesOut reports whether to keep so many bytes more takes the space of what is kept of older
// changes.
func (r *Recorder) PushesOut(size int64) (bool, error) {
	if r.SpaceLeft == nil || size == 0 {
		return false, nil
	}
	left, err := r.SpaceLeft()
	return left < size, err
}

// FreeSet is Free for a set of this conversation.
func (r *Recorder) FreeSet(ctx context.Context, set Set) (int64, error) {
	if err := r.begin(ctx); err != nil {
		return 0, err
	}
	defer r.changing.Unlock()
	return Free(ctx, r.Journal, r.Objects, set)
}

// Free lets go of what a set keeps: it cannot be taken back, or made again, any more. It
// returns how much that took on the disk.
func Free(ctx context.Context, journal Journal, objects *Objects, set Set) (int64, error) {
	freed := int64(0)
	set.Changes = slices.Clone(set.Changes)
	var kept []string
	for i := range set.Changes {
		c := &set.Changes[i]
		if c.Kept != "" {
			kept = append(kept, c.Kept, c.Spare)
			c.Kept, c.Spare, c.Lost = "", "", LossFreed
		}
		if c.Copy != "" {
			kept = append(kept, c.Copy)
			c.Copy, c.CopyAt = "", piece{}
		}
	}
	if len(kept) == 0 {
		return 0, nil
	}
	// Until it is saved that they are gone, they are there.
	if err := journal.SaveSets(ctx, true, set); err != nil {
		return 0, err
	}
	if err := objects.open(); err != nil {
		return 0, err
	}
	var failed error
	for _, name := range kept {
		if name == "" {
			continue
		}
		info, err := objects.root.Lstat(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			freed += allocatedBytes(info)
			err = objects.drop(name)
		}
		failed = errors.Join(failed, err)
	}
	return freed, failed
}

// Check compares what sets name with what is kept: lost counts objects that are named and not
// there, left those that are there and not named.
func (o *Objects) Check(sets []Set) (lost, left int, err error) {
	names, err := o.names()
	if err != nil {
		return 0, 0, err
	}
	there := map[string]bool{}
	for _, name := range names {
		there[name] = true
	}
	named := namedBy(sets...)
	for name := range named {
		if !there[name] {
			lost++
		}
	}
	for _, name := range []string{packName, indexName, runningName} {
		named[name] = true
	}
	for name := range there {
		if !named[name] {
			left++
		}
	}
	return lost, left, nil
}
