package sandbox

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// limits are the most that something may use.
type limits struct {
	// processor is the processors' time, and written is in bytes.
	processor time.Duration
	written   uint64
}

// commandLimits are for a command in a copy, and runLimits for all those of one run
// together (SPEC PRE-10): nobody may have been asked about them. Builds of large programs take
// less.
var (
	commandLimits = limits{2 * time.Hour, 5 << 30}
	runLimits     = limits{8 * time.Hour, 20 << 30}
)

const (
	// freePart is the part of the free space that a command may take at most.
	freePart = 2
	// writtenWait is how long it is between two looks at how much free space is left. What a
	// command wrote is counted when so much has gone that it could have written too much, and
	// after countWait, because others may free space meanwhile. Counting takes a part of the
	// time at most that countPart is.
	writtenWait = 250 * time.Millisecond
	countWait   = 2 * time.Second
	countPart   = 20
	// In the end it is not counted what a command wrote that took less time than shortest, and
	// after which the free space is not less by writtenLeast.
	shortest     = time.Second
	writtenLeast = 64 << 20
)

// budget is what the commands of a run may use in copies, and what they have.
type budget struct {
	command, all limits
	run          string
	used         limits
}

// allot returns what a command of a run may use. The caller holds the lock. Where a run has used
// what is its own, little is left: what needs no more still runs.
func (b *budget) allot(run string, free uint64) (processor time.Duration, written uint64) {
	if b.run != run {
		b.run, b.used = run, limits{}
	}
	processor = min(b.command.processor, max(b.all.processor-b.used.processor, time.Second))
	return processor, min(b.command.written, b.all.written-min(b.used.written, b.all.written), free/freePart)
}

// growth watches how much a command writes to its copy.
type growth struct {
	folder string
	most   uint64
	// before is how much was there before the command.
	before uint64
	// free is the free space at the last count, and counted what was counted. It was at that
	// time, and took so long.
	free, counted uint64
	at            time.Time
	took          time.Duration
	began         time.Time
	// watched is closed when it is not watched any more.
	watched chan struct{}
}

func newGrowth(folder string) *growth {
	return &growth{folder: folder, free: freeBytes(folder), at: time.Now(), began: time.Now(), watched: make(chan struct{})}
}

// watch ends a command once it has written too much.
func (g *growth) watch(p *Process) {
	defer close(g.watched)
	ticker := time.NewTicker(writtenWait)
	defer ticker.Stop()
	for {
		select {
		case <-p.ended:
			return
		case <-ticker.C:
		}
		left := g.most - min(g.written(), g.most)
		if taken(g.free, freeBytes(g.folder)) < left && time.Since(g.at) < max(countWait, countPart*g.took) {
			continue
		}
		if g.count(); g.written() > g.most {
			p.over.Store(&LimitError{Written: g.written(), MostWritten: g.most})
			p.Kill()
			return
		}
	}
}

// end returns how much is there once the command has ended; 0 where it wrote little.
func (g *growth) end() uint64 {
	<-g.watched
	if time.Since(g.began) >= shortest || taken(g.free, freeBytes(g.folder)) >= writtenLeast {
		g.count()
	}
	return g.counted
}

// written is how much of what was counted is the command's.
func (g *growth) written() uint64 { return g.counted - min(g.counted, g.before) }

// count counts what is there.
func (g *growth) count() {
	g.free, g.counted, g.at = freeBytes(g.folder), 0, time.Now()
	defer func() { g.took = time.Since(g.at) }()
	_ = filepath.WalkDir(g.folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // a folder that nobody may enter, or that went
		}
		if info, err := d.Info(); err == nil {
			if stat, ok := info.Sys().(*syscall.Stat_t); ok && info.Mode().IsRegular() {
				g.counted += uint64(stat.Blocks) * 512 //nolint:gosec // never negative, whatever the size of the file system's own blocks
			}
		}
		return nil
	})
}

// taken is by how much free space has become less.
func taken(before, now uint64) uint64 { return before - min(before, now) }

// freeBytes is how much may still be written where a folder lies.
func freeBytes(folder string) uint64 {
	var stat unix.Statfs_t
	if err := unix.Statfs(folder, &stat); err != nil {
		return 0
	}
	return stat.Bavail * uint64(stat.Bsize) //nolint:gosec // the size of a block
}
