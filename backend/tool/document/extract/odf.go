package extract

import (
	"context"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"fairlead/backend/tool/document/exchange"
)

// odf is an OpenDocument file that is being read (OpenDocument 1.3, part 3).
type odf struct {
	ctx     context.Context
	archive *archive
	// lists are how lists are written, by the names of their styles; paragraphs are the names of the
	// lists that styles of paragraphs belong to.
	lists      map[string]*countedList
	paragraphs map[string]string
	// outline counts the headings.
	outline *countedList
	// hidden are the styles of slides and sheets that are not shown.
	hidden map[string]bool
	// above and below are what stands above and below each page.
	above, below []string
	flow         *flow
}

// openODF opens a document, and reads its styles.
func openODF(ctx context.Context, source Source) (*odf, error) {
	a, err := openArchive(source)
	if err != nil {
		return nil, err
	}
	if !a.has("content.xml") {
		return nil, broken("there is no content.xml in it")
	}
	if err := checkLocked(ctx, a); err != nil {
		return nil, err
	}
	o := &odf{
		ctx: ctx, archive: a, lists: map[string]*countedList{}, paragraphs: map[string]string{}, outline: &countedList{},
		hidden: map[string]bool{}, flow: &flow{},
	}
	m, done, err := openMarkup(ctx, a, "styles.xml")
	if err != nil {
		return nil, err
	}
	defer done()
	return o, m.each(func(e *xml.StartElement) error { return o.inStyles(m, e) })
}

// checkLocked refuses a document whose parts are encrypted (OpenDocument 1.3 part 2, 3.4).
func checkLocked(ctx context.Context, a *archive) error {
	m, done, err := openMarkup(ctx, a, "META-INF/manifest.xml")
	if err != nil {
		return err
	}
	defer done()
	return m.each(func(e *xml.StartElement) error {
		if e.Name.Local == "encryption-data" {
			return &exchange.Failure{Reason: exchange.Password}
		}
		return nil
	})
}

// body calls do for each element of the document's body; styles before it are read.
func (o *odf) body(do func(m *markup, e *xml.StartElement) error) error {
	m, done, err := openMarkup(o.ctx, o.archive, "content.xml")
	if err != nil {
		return err
	}
	defer done()
	return m.each(func(e *xml.StartElement) error {
		if e.Name.Local != "body" {
			return o.inStyles(m, e)
		}
		return m.element(func(*xml.StartElement) error {
			return m.element(func(e *xml.StartElement) error { return do(m, e) })
		})
	})
}

// inStyles reads an element among the styles.
func (o *odf) inStyles(m *markup, e *xml.StartElement) error {
	switch e.Name.Local {
	case "list-style":
		list := &countedList{}
		o.lists[attribute(e, "name")] = list
		return readListStyle(m, list)
	case "outline-style":
		return readListStyle(m, o.outline)
	case "style":
		name := attribute(e, "name")
		if list := attribute(e, "list-style-name"); list != "" {
			o.paragraphs[name] = list
		}
		return m.each(func(e *xml.StartElement) error {
			// Slides have presentation:visibility, sheets table:display.
			if attribute(e, "visibility") == "hidden" || e.Name.Local == "table-properties" && attribute(e, "display") == "false" {
				o.hidden[name] = true
			}
			return nil
		})
	case "header", "footer":
		inner := *o
		inner.flow = &flow{}
		if err := m.element(func(e *xml.StartElement) error { return inner.block(m, e) }); err != nil {
			return err
		}
		into := &o.above
		if e.Name.Local == "footer" {
			into = &o.below
		}
		if text := inner.flow.plain(); strings.ContainsFunc(text, unicode.IsLetter) && !slices.Contains(*into, text) {
			*into = append(*into, text)
		}
	}
	return nil
}

// listFormats are how OpenDocument calls ways to count.
var listFormats = map[string]string{
	"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "": "none",
	"一, 二, 三, ...": "chineseCounting",
}

// readListStyle reads how the levels of a list are written.
func readListStyle(m *markup, list *countedList) error {
	return m.element(func(e *xml.StartElement) error {
		at := number(e, "level", 1, maxLevel+1) - 1
		if at < 0 {
			return nil
		}
		level := &list.levels[at]
		level.start = number(e, "start-value", 1, 1<<20)
		format, known := listFormats[attribute(e, "num-format")]
		switch {
		case strings.HasSuffix(e.Name.Local, "-bullet"):
			level.format = "bullet"
			return nil
		case !known:
			format = "decimal"
		}
		level.format = format
		shown := number(e, "display-levels", 1, maxLevel+1)
		numbers := make([]string, 0, shown)
		for of := max(0, at+1-shown); of <= at; of++ {
			numbers = append(numbers, fmt.Sprintf("%%%d", of+1))
		}
		level.text = attribute(e, "num-prefix") + strings.Join(numbers, ".") + attribute(e, "num-suffix")
		return nil
	})
}

// block reads a paragraph, a list, a table, or what holds such.
func (o *odf) block(m *markup, e *xml.StartElement) error {
	switch e.Name.Local {
	case "p", "h":
		return o.paragraph(m, e, o.lists[o.paragraphs[attribute(e, "style-name")]], 0, true)
	case "list":
		return o.list(m, e, "", -1)
	case "table":
		t, err := o.table(m)
		o.flow.table(t)
		return err
	case "tracked-changes", "sequence-decls", "variable-decls", "user-field-decls", "forms", "table-of-content-source", "annotation-end":
		return nil
	}
	return m.element(func(e *xml.StartElement) error { return o.block(m, e) })
}

// list reads a list whose entries are a level deeper than the one around it, which has a style
// and a level from 0.
func (o *odf) list(m *markup, e *xml.StartElement, style string, level int) error {
	if own := attribute(e, "style-name"); own != "" {
		style = own
	}
	level = min(level+1, maxLevel)
	counted := o.lists[style]
	continued := attribute(e, "continue-numbering") == "true" || attribute(e, "continue-list") != ""
	if counted != nil && level == 0 && !continued {
		counted.begun = [maxLevel + 1]bool{}
	}
	return m.element(func(e *xml.StartElement) error {
		first := e.Name.Local == "list-item"
		if start := number(e, "start-value", 0, 1<<20); start > 0 && counted != nil {
			counted.begun[level], counted.counts[level] = true, start-1
		}
		return m.element(func(e *xml.StartElement) error {
			switch e.Name.Local {
			case "p", "h":
				err := o.paragraph(m, e, counted, level, first)
				first = false
				return err
			case "list":
				return o.list(m, e, style, level)
			}
			return nil
		})
	})
}

// paragraph reads a paragraph or a heading, which a list counts if it is an entry of one.
func (o *odf) paragraph(m *markup, e *xml.StartElement, list *countedList, level int, counts bool) error {
	var boxes flow
	text, err := o.text(m, &boxes)
	if err != nil {
		return err
	}
	isEmpty := strings.TrimSpace(text) == ""
	if e.Name.Local == "h" {
		outline := number(e, "outline-level", 1, maxLevel+1)
		label := ""
		switch {
		case isEmpty || attribute(e, "is-list-header") == "true":
		case list != nil && counts:
			label = list.next(level)
		case list == nil && outline > 0 && o.outline.levels[outline-1].format != "":
			label = o.outline.next(outline - 1)
		}
		o.flow.heading(outline, label+text)
	} else {
		label := ""
		if list != nil && counts && !isEmpty {
			label = list.next(level)
		}
		o.flow.line(strings.Repeat("  ", level) + label + text)
	}
	if boxes.text.Len() > 0 {
		o.flow.line(boxes.plain())
	}
	return nil
}

// text is the text of a paragraph, with marks for its notes; what stands beside it goes into boxes.
func (o *odf) text(m *markup, boxes *flow) (string, error) {
	text := &strings.Builder{}
	var read func(*xml.StartElement) error
	space := true // white space is one space, and none at the beginning (6.1.2)
	write := func(s string) {
		for _, r := range s {
			if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
				if !space {
					text.WriteByte(' ')
				}
				space = true
				continue
			}
			text.WriteRune(r)
			space = false
		}
	}
	read = func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "s":
			text.WriteString(strings.Repeat(" ", number(e, "c", 1, maxCell)))
		case "tab":
			text.WriteByte('\t')
			space = true
		case "line-break":
			text.WriteByte('\n')
			space = true
		case "a":
			outer := text
			text = &strings.Builder{}
			err := m.content(read, write)
			outer.WriteString(linked(text.String(), attribute(e, "href")))
			text = outer
			return err
		case "note", "annotation":
			mark, err := o.note(m, e.Name.Local == "annotation")
			text.WriteString(mark)
			return err
		case "text-box", "table":
			inner := *o
			inner.flow = boxes
			return inner.block(m, e)
		case "title", "desc":
			described, err := m.text()
			if described != "" {
				fmt.Fprintf(text, "[picture: %s]", strings.Join(strings.Fields(described), " "))
			}
			return err
		case "ruby-text", "annotation-end", "event-listeners", "binary-data", "object":
		default:
			return m.content(read, write)
		}
		return nil
	}
	err := m.content(read, write)
	return strings.TrimRight(text.String(), " "), err
}

// note reads a footnote or a comment, and returns the mark that leads to it.
func (o *odf) note(m *markup, isComment bool) (string, error) {
	inner := *o
	inner.flow = &flow{}
	author := ""
	err := m.element(func(e *xml.StartElement) (err error) {
		switch e.Name.Local {
		case "creator":
			author, err = m.text()
		case "note-citation", "date", "date-string":
		default:
			err = inner.block(m, e)
		}
		return err
	})
	text := inner.flow.plain()
	switch {
	case isComment && author != "":
		text = "comment by " + author + ": " + text
	case isComment:
		text = "comment: " + text
	}
	return o.flow.note(text), err
}

// table reads a table in a text.
func (o *odf) table(m *markup) (*table, error) {
	t := &table{}
	var read func(*xml.StartElement) error
	read = func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "table-row":
			t.begin()
			return m.element(read)
		case "table-cell", "covered-table-cell":
			inner := *o
			inner.flow = &flow{notes: o.flow.notes}
			err := m.element(func(e *xml.StartElement) error {
				if e.Name.Local == "table" { // a table in a table is told line by line
					within, err := inner.table(m)
					inner.flow.line(within.lines())
					return err
				}
				return inner.block(m, e)
			})
			o.flow.notes = inner.flow.notes
			t.add(inner.flow.plain(), number(e, "number-columns-repeated", 1, maxColumns))
			return err
		case "table-header-rows", "table-rows", "table-row-group":
			return m.element(read)
		}
		return nil
	}
	return t, m.element(read)
}

func readODT(ctx context.Context, source Source, into *pages) error {
	o, err := openODF(ctx, source)
	if err != nil {
		return err
	}
	if err := o.body(o.block); err != nil {
		return err
	}
	return into.whole(withEdges(o.above, o.flow.String(), o.below))
}

// withEdges is a text with what stands above and below each page.
func withEdges(above []string, text string, below []string) string {
	if len(above) > 0 {
		text = "[above each page]\n" + strings.Join(above, "\n") + "\n\n" + text
	}
	if len(below) > 0 {
		text += "\n[below each page]\n" + strings.Join(below, "\n") + "\n"
	}
	return text
}
