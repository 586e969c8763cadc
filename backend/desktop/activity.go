package desktop

import "slices"

// countWaiting returns how many conversations need the user.
func (c *conversations) countWaiting() (waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.open {
		if one.isBusy() && one.listMark() == markWaiting {
			waiting++
		}
	}
	return waiting
}

// activity is what goes on in the saved conversations that are open.
type activity struct {
	// marks are those of the conversations with a run, by id, and commands counts the commands
	// that run in the background.
	marks    map[string]string
	commands map[string]int
	// elsewhere are the ids of those of another folder, in the order in which they began.
	elsewhere []string
}

// lookAt returns what goes on, as seen from a folder.
func (c *conversations) lookAt(folder string) activity {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := activity{marks: map[string]string{}, commands: map[string]int{}}
	for id, one := range c.open {
		busy, commands := one.isBusy(), one.countCommands()
		if !one.saved || !busy && commands == 0 {
			continue
		}
		if busy {
			all.marks[id] = one.listMark()
		}
		all.commands[id] = commands
		if one.folder != folder {
			all.elsewhere = append(all.elsewhere, id)
		}
	}
	slices.Sort(all.elsewhere)
	return all
}
