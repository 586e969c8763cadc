package markdown

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// start takes the beginning of an element.
func (g *grower) start(tag atom.Atom, attributes map[string]string, closed bool) {
	what := elements[tag]
	switch {
	case g.skips > 0:
		if tag == g.skipped && !closed {
			g.skips++
		}
		return
	case what.role == silent:
		// Only what comes from XML can be closed at once.
		if !closed || tag != atom.Svg {
			g.skipped, g.skips = tag, 1
		}
		return
	}
	switch tag {
	case atom.Title:
		g.inTitle = true
	case atom.Base:
		g.setBase(attributes["href"])
	case atom.Br:
		g.lineBreak()
	case atom.Hr:
		g.closeInnermost(paragraph)
		g.add("hr")
	case atom.Img:
		g.writeImage(attributes)
	case atom.Sup:
		// Without it a power of ten would be another number.
		g.write("^")
	default:
		if what.role != through {
			g.openElement(tag, what, attributes)
		}
	}
}

// openElement opens an element that has a role, after closing what it ends.
func (g *grower) openElement(tag atom.Atom, what element, attributes map[string]string) {
	if g.isWithin(preformatted) {
		g.inPreformatted(tag, what.role, attributes["class"])
		return
	}
	switch what.role {
	case emphasis, code:
	case anchor:
		g.closeAnchor()
		if attributes["href"] = g.absoluteAddress(attributes["href"]); attributes["href"] == "" {
			return
		}
	case item:
		g.closeItem(tag)
	case row, cell:
		g.closeInTable(what.role)
		if g.current.Data == "table" && what.name == "td" {
			g.push(atom.Tr, row, "tr", nil)
		}
	case heading:
		g.closeInnermost(paragraph)
		g.closeInnermost(heading)
	default:
		g.closeInnermost(paragraph)
	}
	g.push(tag, what.role, g.nodeName(what), attributes)
	if what.role == preformatted {
		g.setLanguage(attributes["class"])
	}
}

// inPreformatted opens an element in a block of code, where it is text at most.
func (g *grower) inPreformatted(tag atom.Atom, what role, class string) {
	if tag == atom.Code {
		g.setLanguage(class)
	}
	if what < preformatted && g.text.Len() > 0 && !strings.HasSuffix(g.text.String(), "\n") {
		g.write("\n")
	}
	g.push(tag, what, "", nil)
}

// nodeName is the name of the node for an element; empty where it gets none.
func (g *grower) nodeName(what element) string {
	switch what.role {
	case emphasis, code, preformatted, heading:
		for _, o := range g.open {
			if o.name == what.name || o.role == code || what.role == heading && o.role == heading {
				return ""
			}
		}
	case list, quote:
		if g.countOpen(list)+g.countOpen(quote) >= maxQuoted {
			return "div"
		}
	case item:
		if what.name == "li" && g.current.Data != "ul" && g.current.Data != "ol" {
			return "div"
		}
	case row, cell:
		if !g.isWithin(grid) {
			return "div"
		}
	}
	return what.name
}

// push opens an element whose node has this name, if it has one.
func (g *grower) push(tag atom.Atom, role role, name string, attributes map[string]string) {
	if len(g.open) >= maxOpen {
		return
	}
	if name == "td" && g.current.LastChild != nil {
		// Cells that turn out not to be a table's must not grow together.
		g.write(" ")
	}
	g.open = append(g.open, opened{tag: tag, role: role, parent: g.current, name: name})
	if name == "" {
		return
	}
	g.current = g.add(name)
	for key, value := range attributes {
		if isBelieved(name, key, value) {
			g.current.Attr = append(g.current.Attr, html.Attribute{Key: key, Val: value})
		}
	}
}

// endElement takes the end of an element.
func (g *grower) endElement(tag atom.Atom) {
	switch {
	case g.skips > 0:
		if tag == g.skipped {
			g.skips--
		}
		return
	case tag == atom.Title:
		g.inTitle = false
		return
	}
	what := elements[tag]
	if what.role == through {
		return
	}
	inline := what.role >= emphasis
	for i := len(g.open) - 1; i >= 0; i-- {
		o := g.open[i]
		switch {
		case o.tag == tag || what.role == heading && o.role == heading:
			g.closeFrom(i)
			return
		case inline && o.role < emphasis, o.role == grid, what.role == item && o.role == list:
			// It ends nothing that is open here.
			return
		}
	}
}

// closeFrom closes what was opened from the i-th on.
func (g *grower) closeFrom(i int) {
	for _, o := range slices.Backward(g.open[i:]) {
		if o.name == "" {
			continue
		}
		g.flush()
		g.current = o.parent
	}
	g.open = g.open[:i]
}

// closeInnermost closes the innermost element that is more than a part of a line, if
// it has this role.
func (g *grower) closeInnermost(what role) {
	for i := len(g.open) - 1; i >= 0; i-- {
		switch o := g.open[i]; {
		case o.role == what:
			g.closeFrom(i)
			return
		case o.role < emphasis:
			return
		}
	}
}

// closeAnchor closes the link before the one that begins: there is none in another.
func (g *grower) closeAnchor() {
	for i := len(g.open) - 1; i >= 0 && g.open[i].role != cell; i-- {
		if g.open[i].role == anchor {
			g.closeFrom(i)
			return
		}
	}
}

// closeItem closes the item before the one that begins.
func (g *grower) closeItem(tag atom.Atom) {
	for i := len(g.open) - 1; i >= 0; i-- {
		o := g.open[i]
		switch {
		case o.role == item && (o.tag == atom.Li) == (tag == atom.Li):
			g.closeFrom(i)
			return
		case o.role == list, o.role == quote, o.role == grid, o.role == row, o.role == cell, o.tag == atom.Dl:
			g.closeInnermost(paragraph)
			return
		}
	}
	g.closeInnermost(paragraph)
}

// closeInTable closes the rows or cells before the one that begins.
func (g *grower) closeInTable(what role) {
	for i := len(g.open) - 1; i >= 0; i-- {
		switch g.open[i].role {
		case grid:
			return
		case cell, what:
			g.closeFrom(i)
		}
	}
}

// isWithin reports whether an element of this role is open.
func (g *grower) isWithin(what role) bool { return g.countOpen(what) > 0 }

// countOpen is how many elements of this role are open.
func (g *grower) countOpen(what role) int {
	n := 0
	for _, o := range g.open {
		if o.role == what {
			n++
		}
	}
	return n
}

// lineBreak ends a line.
func (g *grower) lineBreak() {
	if g.isWithin(preformatted) {
		g.write("\n")
		return
	}
	g.add("br")
}
