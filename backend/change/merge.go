package change

import (
	"slices"
	"strings"

	"znkr.io/diff"
)

// merge puts together what two sides have made of a text: the lines that one side changed,
// and those that the other did. It fails where both changed the same lines, or lines that
// touch, in different ways. It is the way of diff3 (Khanna, Kunal and Pierce, "A Formal
// Investigation of Diff3", 2007).
func merge(base, mine, theirs string) (merged string, ok bool) {
	lines := [3][]string{splitLines(base), splitLines(mine), splitLines(theirs)}
	a, b := hunksOf(lines[0], lines[1]), hunksOf(lines[0], lines[2])
	var out []string
	at := 0 // in base
	for len(a) > 0 || len(b) > 0 {
		from := len(lines[0])
		if len(a) > 0 {
			from = a[0].PosX
		}
		if len(b) > 0 {
			from = min(from, b[0].PosX)
		}
		out = append(out, lines[0][at:from]...)
		// The hunks that touch each other make one region.
		end, ofA, ofB := from, 0, 0
		for grown := true; grown; {
			grown = false
			for ofA < len(a) && a[ofA].PosX <= end {
				end, grown = max(end, a[ofA].EndX), true
				ofA++
			}
			for ofB < len(b) && b[ofB].PosX <= end {
				end, grown = max(end, b[ofB].EndX), true
				ofB++
			}
		}
		left, right := sideOf(lines[0], lines[1], a[:ofA], from, end), sideOf(lines[0], lines[2], b[:ofB], from, end)
		switch {
		case ofB == 0:
			out = append(out, left...)
		case ofA == 0, slices.Equal(left, right):
			out = append(out, right...)
		default:
			return "", false
		}
		a, b, at = a[ofA:], b[ofB:], end
	}
	return strings.Join(append(out, lines[0][at:]...), ""), true
}

func splitLines(text string) []string { return slices.Collect(strings.Lines(text)) }

func hunksOf(base, side []string) []diff.Hunk[string] {
	options := []diff.Option{diff.Context(0)}
	if len(base)+len(side) > goodDiffLines {
		options = append(options, diff.Fast())
	}
	return diff.Hunks(base, side, options...)
}

// sideOf are the lines that one side has for a region of the base.
func sideOf(base, side []string, hunks []diff.Hunk[string], from, end int) []string {
	var lines []string
	at := from
	for _, h := range hunks {
		lines = append(append(lines, base[at:h.PosX]...), side[h.PosY:h.EndY]...)
		at = h.EndX
	}
	return append(lines, base[at:end]...)
}
