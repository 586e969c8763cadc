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

// AwaitStart waits for the process that is being started to read PDF files, and returns its id; 0 where there is none.
func (r *Reader) AwaitStart() int {
	r.pdf.mu.Lock()
	begun := r.pdf.starting
	r.pdf.mu.Unlock()
	if begun == nil {
		return 0
	}
	<-begun.done
	r.pdf.mu.Lock()
	defer r.pdf.mu.Unlock()
	if r.pdf.child == nil {
		return 0
	}
	return r.pdf.child.cmd.Process.Pid
}
