package tool

// nearest returns the candidate that fewest single-letter edits turn name into,
// if those are at most a third of its length; else "".
func nearest(name string, candidates []string) string {
	best, least := "", len(name)/3+1
	for _, candidate := range candidates {
		if n := distance(name, candidate); n < least || n == least && best == "" {
			best, least = candidate, n
		}
	}
	return best
}

// distance is the Levenshtein distance of a and b in bytes, by the two-row
// method of Wagner and Fischer (1974).
func distance(a, b string) int {
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	row := make([]int, len(b)+1)
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := above[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, above[j+1]+1, row[j]+1)
		}
		above, row = row, above
	}
	return above[len(b)]
}
