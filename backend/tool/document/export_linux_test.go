package document

// Processes lists the ids of the processes that read documents now.
func (r *Reader) Processes() (ids []int) {
	for _, s := range []*slot{&r.pdf, &r.pictures, &r.rest} {
		s.mu.Lock()
		if s.child != nil {
			ids = append(ids, s.child.cmd.Process.Pid)
		}
		s.mu.Unlock()
	}
	return ids
}
