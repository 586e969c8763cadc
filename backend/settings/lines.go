package settings

import (
	"bytes"
	"slices"

	"github.com/pelletier/go-toml/v2/unstable"
)

// lines are the expressions of a document, each of which begins on a line of its own.
type lines []line

// line is a header of a table, a key with its value, or a comment on a line of its own.
type line struct {
	kind unstable.Kind
	// table is the table it stands in, or that it begins; path the whole key. Both are
	// nil for a comment.
	table, path []string
	// start is where its line begins, in bytes from 0.
	start int
	// at is where its key begins.
	at unstable.Position
	// value is where a text, a number or a truth of a key lies; empty for other values.
	value unstable.Range
}

// scan returns the lines of a document that toml has read without a fault.
func scan(content []byte) lines {
	parser := unstable.Parser{KeepComments: true}
	parser.Reset(content)
	var all lines
	var table []string
	for parser.NextExpression() {
		expression := parser.Expression()
		found := line{kind: expression.Kind}
		raw := expression.Raw
		if expression.Kind != unstable.Comment {
			keys := expression.Key()
			for keys.Next() {
				if len(found.path) == 0 {
					raw = keys.Node().Raw
				}
				found.path = append(found.path, string(keys.Node().Data))
			}
			if expression.Kind == unstable.KeyValue {
				found.path = slices.Concat(table, found.path)
				found.value = expression.Value().Raw
			} else {
				table = found.path
			}
			found.table = table
		}
		found.at = parser.Shape(raw).Start
		found.start = int(raw.Offset) - (found.at.Column - 1)
		all = append(all, found)
	}
	return all
}

// endOf returns where a line ends with its line break, in bytes from 0; a value can reach
// over several lines.
func (l lines) endOf(i int, content []byte) int {
	end := len(content)
	if i+1 < len(l) {
		end = l[i+1].start
	}
	end = l[i].start + len(bytes.TrimRight(content[l[i].start:end], " \t\r\n"))
	if n := bytes.IndexByte(content[end:], '\n'); n >= 0 {
		return end + n + 1
	}
	return len(content)
}

// tableNames returns the tables inside a table in the order in which they first come.
func (l lines) tableNames(table string) []string {
	var names []string
	for _, each := range l {
		if len(each.path) > 1 && each.path[0] == table && !slices.Contains(names, each.path[1]) {
			names = append(names, each.path[1])
		}
	}
	return names
}

// faultAt names the line of a fault: that of its key, or the nearest above it.
func (l lines) faultAt(placed *placedError) *FileError {
	fault := &FileError{Reason: placed.Error()}
	best := 0
	for _, each := range l {
		if n := commonKeys(each.path, placed.path); n > best {
			best = n
			fault.Line, fault.Column = each.at.Line, each.at.Column
		}
	}
	return fault
}

// commonKeys returns how many keys two paths begin with in common.
func commonKeys(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// hasPrefix says that a path leads into another one, or ends there.
func hasPrefix(path, with []string) bool { return commonKeys(path, with) == len(with) }
