package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// maxGrowth is how many cells a table may have for every one that the page holds.
	maxGrowth = 4
	// freeCells is how many it may have in any case.
	freeCells = 200
)

// contents is what lies in an element, as far as it matters to a table around it.
type contents struct {
	// spoils says that a table cannot hold it: a heading, a list, another table.
	spoils bool
	// cells are those that are in no row yet, rows those that are.
	cells []*html.Node
	rows  [][]*html.Node
}

// tameTables makes the tables below n such as Markdown can show: cells over several columns
// or rows become several, and what would end a cell is escaped. A table with parts that
// no cell can hold, or of a few cells pretending to be millions, becomes plain parts.
func tameTables(n *html.Node) contents {
	var found contents
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		inside := tameTables(child)
		found.spoils = found.spoils || inside.spoils
		found.cells = append(found.cells, inside.cells...)
		found.rows = append(found.rows, inside.rows...)
	}
	switch n.Data {
	case "tr":
		found.rows = append(found.rows, found.cells)
		found.cells = nil
	case "td":
		found.cells = append(found.cells, n)
	case "h1", "h2", "h3", "h4", "h5", "h6", "hr", "ul", "ol", "blockquote", "pre":
		found.spoils = true
	case "table":
		if found.spoils || len(found.cells) > 0 || inLine(n) || !spreadCells(found.rows) {
			n.Data, n.DataAtom = "div", atom.Div
		} else {
			escapeCells(n)
		}
		return contents{spoils: true}
	}
	return found
}

// inLine reports whether n lies in an element that stands inside a line.
func inLine(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		switch p.Data {
		case "a", "strong", "em", "del":
			return true
		}
	}
	return false
}

// spreadCells puts empty cells where a cell goes over several columns or rows, unless they
// are too many. It reports whether the table is then not much larger than the page has it.
func spreadCells(rows [][]*html.Node) bool {
	cells, width := 0, 0
	for _, row := range rows {
		cells += len(row)
	}
	most := maxGrowth*cells + freeCells
	merged := fillCells(rows, most, nil) <= most
	if merged {
		fillCells(rows, most, func(parent, before *html.Node) {
			parent.InsertBefore(&html.Node{Type: html.ElementNode, Data: "td", DataAtom: atom.Td}, before)
		})
	}
	for _, row := range rows {
		across := 0
		for _, c := range row {
			if merged {
				across += cellSpan(c, "colspan")
			} else {
				across++
			}
			c.Attr = nil
		}
		width = max(width, across)
	}
	return len(rows)*width <= most
}

// fillCells finds where empty cells are missing, in the order of the standard
// (https://html.spec.whatwg.org/#forming-a-table), and returns how many; it stops when
// they are more than most. insert, if not nil, adds one to parent before a node.
func fillCells(rows [][]*html.Node, most int, insert func(parent, before *html.Node)) (missing int) {
	add := func(parent, before *html.Node) {
		if missing++; insert != nil {
			insert(parent, before)
		}
	}
	// taken counts, by column, for how many more rows a cell from above goes on.
	var taken []int
	for _, row := range rows {
		x := 0
		for _, c := range row {
			for ; x < len(taken) && taken[x] > 0; x++ {
				taken[x]--
				add(c.Parent, c)
			}
			after, rest := c.NextSibling, cellSpan(c, "rowspan")-1
			for column := range cellSpan(c, "colspan") {
				if column > 0 {
					add(c.Parent, after)
				}
				if missing > most {
					return missing
				}
				if x == len(taken) {
					taken = append(taken, 0)
				}
				taken[x] = rest
				x++
			}
		}
		for ; x < len(taken); x++ {
			taken[x] = max(taken[x]-1, 0)
		}
		for len(taken) > 0 && taken[len(taken)-1] == 0 {
			taken = taken[:len(taken)-1]
		}
	}
	return missing
}

// cellSpan is over how many columns or rows a cell goes.
func cellSpan(n *html.Node, key string) int {
	for _, attribute := range n.Attr {
		if attribute.Key == key {
			if many, err := strconv.Atoi(attribute.Val); err == nil {
				return max(many, 1)
			}
		}
	}
	return 1
}

// escapeCells keeps the text of a table from ending its cells.
func escapeCells(n *html.Node) {
	if n.Type == html.TextNode {
		n.Data = strings.ReplaceAll(n.Data, "|", `\|`)
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		escapeCells(child)
	}
}
