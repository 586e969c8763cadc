package process

import (
	"slices"
	"time"
)

// keptLimit is how many ended commands in the background are kept.
const keptLimit = 50

// endJob notes that a command has ended. One in the background is kept for a while, of
// one in the foreground somebody has the result.
func (j *Jobs) endJob(b *job) {
	j.mu.Lock()
	b.over, b.ended = true, time.Now()
	if b.id == "" {
		j.remove(b)
	} else {
		b.forget = time.AfterFunc(j.options.Kept, func() { j.forgetJob(b) })
		j.forgetOldest()
	}
	j.mu.Unlock()
	j.options.Changed()
}

// forgetOldest forgets the command that ended first if too many are kept. The caller
// holds the lock.
func (j *Jobs) forgetOldest() {
	var ended []*job
	for _, b := range j.all {
		if b.over {
			ended = append(ended, b)
		}
	}
	if len(ended) <= keptLimit {
		return
	}
	j.remove(slices.MinFunc(ended, func(a, b *job) int { return a.ended.Compare(b.ended) }))
}

// forgetJob forgets an ended command.
func (j *Jobs) forgetJob(b *job) {
	j.mu.Lock()
	there := j.remove(b)
	j.mu.Unlock()
	if there {
		j.options.Changed()
	}
}

// remove takes a command off the list, and reports whether it was there. The caller
// holds the lock.
func (j *Jobs) remove(b *job) bool {
	at := slices.Index(j.all, b)
	if at < 0 {
		return false
	}
	j.all = slices.Delete(j.all, at, at+1)
	if b.forget != nil {
		b.forget.Stop()
	}
	return true
}
