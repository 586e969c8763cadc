package change

import "time"

// progressTime is how long it is between two reports of how far something is.
const progressTime = time.Second

// progress is how far something is.
type progress struct {
	// tell is told that in percent; nil where nobody wants to know. toldAt is when it was told
	// last.
	tell   func(percent int)
	toldAt time.Time
	// done of all steps are done.
	done, all int
}

// step counts a step, and tells how far it is.
func (p *progress) step() {
	p.done++
	if p.tell != nil && time.Since(p.toldAt) >= progressTime {
		p.toldAt = time.Now()
		p.tell(min(100*p.done/p.all, 100))
	}
}
