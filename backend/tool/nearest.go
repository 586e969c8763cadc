package tool

import "github.com/agnivade/levenshtein"

// Nearest returns the candidate that fewest single-letter edits turn name into,
// if those are at most a third of its length; else "".
func Nearest(name string, candidates []string) string {
	best, least := "", len(name)/3+1
	for _, candidate := range candidates {
		if n := levenshtein.ComputeDistance(name, candidate); n < least {
			best, least = candidate, n
		}
	}
	return best
}
