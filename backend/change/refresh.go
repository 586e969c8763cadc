package change

// OnlyRefreshes reports whether all that the changes do is to renew what git notes in its index
// of the files on the disk, to be quick: without that it says the same of every file. `git
// status` and `git diff` do so. Where it cannot be told, they are changes like others.
func (r *Recorder) OnlyRefreshes(p *Pending) bool {
	for _, c := range p.Changes {
		if !isIndex(c.Path) || !c.IsOnlyTime() && !r.meansTheSame(p, c) {
			return false
		}
	}
	return true
}

// meansTheSame reports whether a file says the same before a change and after it.
func (r *Recorder) meansTheSame(p *Pending, c Change) bool {
	if c.Before.Kind != File || c.After.Kind != File || !c.keepsRest() {
		return false
	}
	upper, err := newTree(Opened{p.Layer.Upper, "."})
	if err != nil {
		return false
	}
	defer upper.close()
	lower, err := newTree(r.top()...)
	if err != nil {
		return false
	}
	defer lower.close()
	before, err := lower.meaning(string(c.Path), c.Before)
	if err != nil {
		return false
	}
	after, err := upper.meaning(string(c.Path), c.After)
	return err == nil && before == after
}
