package change

import (
	"slices"

	"fairlead/backend/leftover"
)

// Ledger is what has become of each path that sets changed, but for what was taken back: its
// state before the first change and after the last, with the lines of all. A path that is as
// it was is left out. The order is that of the last changes.
func Ledger(sets []Set) []Change {
	sums := map[leftover.Path]Change{}
	var order []leftover.Path
	for _, set := range sets {
		if set.Open || set.Source == ByUndo || set.Source == ByRedo {
			continue
		}
		for _, c := range set.Changes {
			if c.Undone {
				continue
			}
			sum, again := sums[c.Path]
			if again {
				sum.After, sum.Added, sum.Removed = c.After, sum.Added+c.Added, sum.Removed+c.Removed
				sum.Op = opOf(sum.Before, sum.After)
			} else {
				sum = c
			}
			sums[c.Path] = sum
			order = append(order, c.Path)
		}
	}
	var ledger []Change
	listed := map[leftover.Path]bool{}
	for i := len(order) - 1; i >= 0; i-- {
		c := sums[order[i]]
		if !listed[c.Path] && (c.Before.Kind != None || c.After.Kind != None) {
			ledger = append(ledger, c)
		}
		listed[c.Path] = true
	}
	slices.Reverse(ledger)
	return ledger
}
