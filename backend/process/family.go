package process

// listed is a line of the system's list of processes.
type listed struct {
	// pid, parent and group are the numbers of the process, of the one that started
	// it, and of its process group. The parent is 1 once that has ended.
	pid, parent, group int
	// started is when it was, in microseconds. With it a number means one process.
	started int64
}

// findFamily are the processes of a list that belong to a tree: those of its group, those
// that were found in it before (when they were started, by number), and whatever came
// of any of them, into however many groups it went.
func findFamily(list []listed, group int, before map[int]int64) []listed {
	children := map[int][]listed{}
	var found []listed
	taken := map[int]bool{}
	take := func(p listed) {
		// Process 1 is the parent of all that have lost theirs.
		if p.pid > 1 && !taken[p.pid] {
			taken[p.pid] = true
			found = append(found, p)
		}
	}
	for _, p := range list {
		children[p.parent] = append(children[p.parent], p)
		started, known := before[p.pid]
		if p.group == group || known && started == p.started {
			take(p)
		}
	}
	for i := 0; i < len(found); i++ {
		for _, child := range children[found[i].pid] {
			take(child)
		}
	}
	return found
}
