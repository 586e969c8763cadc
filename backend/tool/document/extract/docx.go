package extract

import (
	"context"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// docx is a document of Word that is being read (ECMA-376 part 1, 17).
type docx struct {
	ctx       context.Context
	archive   *archive
	links     relations
	styles    map[string]docxStyle
	numbering *numbering
	// footnotes, endnotes and comments are texts by their ids.
	footnotes, endnotes, comments map[string]string
	// edges are the ids of what stands above and below each page, in order.
	edges []string
	flow  *flow
}

func readDOCX(ctx context.Context, source Source, into *pages) error {
	a, main, links, err := openOffice(ctx, source, "word/document.xml")
	if err != nil {
		return err
	}
	d := &docx{ctx: ctx, archive: a, links: links, flow: &flow{}}
	if err := d.readBeside(links); err != nil {
		return err
	}
	m, done, err := openMarkup(ctx, a, main)
	if err != nil {
		return err
	}
	defer done()
	if err := m.element(func(document *xml.StartElement) error {
		return m.element(d.blocksIn(m))
	}); err != nil {
		return err
	}
	text, err := d.withEdges(links)
	if err != nil {
		return err
	}
	return into.whole(text)
}

// readBeside reads the parts that the text refers to.
func (d *docx) readBeside(links relations) error {
	var err error
	if d.styles, err = d.readStyles(links.first("styles", "")); err != nil {
		return err
	}
	if d.numbering, err = readNumbering(d.ctx, d.archive, links.first("numbering", "")); err != nil {
		return err
	}
	for _, of := range []struct {
		kind, element string
		into          *map[string]string
	}{{"footnotes", "footnote", &d.footnotes}, {"endnotes", "endnote", &d.endnotes}, {"comments", "comment", &d.comments}} {
		if *of.into, err = d.readTexts(links.first(of.kind, ""), of.element); err != nil {
			return err
		}
	}
	return nil
}

// docxStyle is a style of paragraphs.
type docxStyle struct {
	name, basedOn string
	// level is that of the outline from 1, 0 for none; list is where it is counted.
	level int
	list  listPlace
}

func (d *docx) readStyles(part string) (map[string]docxStyle, error) {
	m, done, err := openMarkup(d.ctx, d.archive, part)
	if err != nil {
		return nil, err
	}
	defer done()
	styles := map[string]docxStyle{}
	err = m.each(func(e *xml.StartElement) error {
		if e.Name.Local != "style" {
			return nil
		}
		id, style := attribute(e, "styleId"), docxStyle{}
		err := m.each(func(e *xml.StartElement) error {
			switch e.Name.Local {
			case "name":
				style.name = strings.ToLower(attribute(e, "val"))
			case "basedOn":
				style.basedOn = attribute(e, "val")
			case "outlineLvl":
				style.level = number(e, "val", -1, 8) + 1
			case "numId":
				style.list.id = attribute(e, "val")
			case "ilvl":
				style.list.level = number(e, "val", 0, maxLevel)
			}
			return nil
		})
		styles[id] = style
		return err
	})
	return styles, err
}

// style is a style with what it has from the one that it is based on.
func (d *docx) style(id string) docxStyle {
	style := d.styles[id]
	for base, n := style.basedOn, 0; base != "" && n < 10; n++ {
		below := d.styles[base]
		if style.level == 0 {
			style.level = below.level
		}
		if style.list.id == "" {
			style.list = below.list
		}
		base = below.basedOn
	}
	if rest, ok := strings.CutPrefix(style.name, "heading "); ok && style.level == 0 {
		style.level, _ = strconv.Atoi(rest)
	}
	if style.name == "title" {
		style.level = 1
	}
	return style
}

// readTexts reads the notes or comments of a part, by their ids.
func (d *docx) readTexts(part, element string) (map[string]string, error) {
	m, done, err := openMarkup(d.ctx, d.archive, part)
	if err != nil {
		return nil, err
	}
	defer done()
	found := map[string]string{}
	err = m.each(func(e *xml.StartElement) error {
		if e.Name.Local != element || strings.Contains(attribute(e, "type"), "eparator") {
			return nil
		}
		inner := &docx{ctx: d.ctx, archive: d.archive, styles: d.styles, numbering: d.numbering, flow: &flow{}}
		if err := m.element(inner.blocksIn(m)); err != nil {
			return err
		}
		text := inner.flow.plain()
		if author := attribute(e, "author"); author != "" {
			text = author + ": " + text
		}
		found[attribute(e, "id")] = text
		return nil
	})
	return found, err
}

// withEdges is the text with what stands above and below each page, once.
func (d *docx) withEdges(links relations) (string, error) {
	var above, below []string
	for _, id := range d.edges {
		inner := &docx{ctx: d.ctx, archive: d.archive, styles: d.styles, numbering: d.numbering, flow: &flow{}}
		m, done, err := openMarkup(d.ctx, d.archive, links[id].target)
		if err != nil {
			return "", err
		}
		err = m.element(func(*xml.StartElement) error { return m.element(inner.blocksIn(m)) })
		done()
		if err != nil {
			return "", err
		}
		text := inner.flow.plain()
		into := &above
		if links[id].kind == "footer" {
			into = &below
		}
		if strings.ContainsFunc(text, unicode.IsLetter) && !slices.Contains(*into, text) {
			*into = append(*into, text)
		}
	}
	return withEdges(above, d.flow.String(), below), nil
}

// blocksIn returns what reads the paragraphs and tables in an element, whatever lies around them.
func (d *docx) blocksIn(m *markup) func(*xml.StartElement) error {
	var read func(*xml.StartElement) error
	read = func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "p":
			return d.paragraph(m)
		case "tbl":
			t, err := d.table(m)
			d.flow.table(t)
			return err
		case "sectPr":
			return m.element(d.section)
		case "del", "moveFrom", "sdtPr", "Fallback":
			return nil
		}
		return m.element(read)
	}
	return read
}

// section notes what stands above and below the pages of a section.
func (d *docx) section(e *xml.StartElement) error {
	if e.Name.Local == "headerReference" || e.Name.Local == "footerReference" {
		d.edges = append(d.edges, attribute(e, "id"))
	}
	return nil
}

// docxParagraph is a paragraph that is being read.
type docxParagraph struct {
	text  strings.Builder
	style string
	list  listPlace
	// level is that of the outline from 1, 0 for none.
	level int
	// boxes are texts that stand beside it.
	boxes flow
}

func (d *docx) paragraph(m *markup) error {
	p := &docxParagraph{}
	if err := m.element(func(e *xml.StartElement) error { return d.inParagraph(m, e, p) }); err != nil {
		return err
	}
	style := d.style(p.style)
	if p.list.id == "" {
		p.list = style.list
	}
	text := p.text.String()
	label, indent := "", 0
	if strings.TrimSpace(text) != "" {
		label, indent = d.numbering.next(p.list)
	}
	if level := max(p.level, style.level); level > 0 && strings.TrimSpace(text) != "" {
		d.flow.heading(level, label+text)
	} else {
		d.flow.line(strings.Repeat("  ", indent) + label + text)
	}
	if p.boxes.text.Len() > 0 {
		d.flow.line(p.boxes.plain())
	}
	return nil
}

// inParagraph reads an element of a paragraph.
func (d *docx) inParagraph(m *markup, e *xml.StartElement, p *docxParagraph) error {
	switch e.Name.Local {
	case "pPr":
		return d.properties(m, p)
	case "t":
		text, err := m.text()
		p.text.WriteString(text)
		return err
	case "tab", "ptab":
		p.text.WriteByte('\t')
	case "br", "cr":
		p.text.WriteByte('\n')
	case "noBreakHyphen":
		p.text.WriteByte('-')
	case "sym":
		if code, err := strconv.ParseUint(attribute(e, "char"), 16, 16); err == nil {
			p.text.WriteRune(symbol(rune(code)))
		}
	case "footnoteReference":
		p.text.WriteString(d.noteMark(d.footnotes, attribute(e, "id")))
	case "endnoteReference":
		p.text.WriteString(d.noteMark(d.endnotes, attribute(e, "id")))
	case "commentReference":
		if text, ok := d.comments[attribute(e, "id")]; ok {
			p.text.WriteString(d.flow.note("comment by " + text))
		}
	case "docPr":
		if text := attribute(e, "descr"); text != "" {
			p.text.WriteString("[picture: " + strings.Join(strings.Fields(text), " ") + "]")
		}
	case "hyperlink":
		inner := &docxParagraph{}
		err := m.element(func(e *xml.StartElement) error { return d.inParagraph(m, e, inner) })
		p.text.WriteString(linked(inner.text.String(), d.links[attribute(e, "id")].target))
		if inner.boxes.text.Len() > 0 {
			p.boxes.line(inner.boxes.plain())
		}
		return err
	case "txbxContent":
		inner := &docx{ctx: d.ctx, archive: d.archive, links: d.links, styles: d.styles, numbering: d.numbering, flow: &p.boxes}
		return m.element(inner.blocksIn(m))
	case "del", "moveFrom", "Fallback", "rt", "sdtPr", "rPr", "instrText", "delText":
	default:
		return m.element(func(e *xml.StartElement) error { return d.inParagraph(m, e, p) })
	}
	return nil
}

// noteMark is the mark of a footnote, and adds it below the text.
func (d *docx) noteMark(notes map[string]string, id string) string {
	text, ok := notes[id]
	if !ok {
		return ""
	}
	return d.flow.note(text)
}

// properties reads what a paragraph is.
func (d *docx) properties(m *markup, p *docxParagraph) error {
	return m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "pStyle":
			p.style = attribute(e, "val")
		case "outlineLvl":
			if level := number(e, "val", 9, 9); level < 9 {
				p.level = level + 1
			}
		case "numId":
			p.list.id = attribute(e, "val")
		case "ilvl":
			p.list.level = number(e, "val", 0, maxLevel)
		case "sectPr":
			return m.element(d.section)
		}
		return nil
	})
}

func (d *docx) table(m *markup) (*table, error) {
	t := &table{}
	err := m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "tr":
			t.begin()
		case "tc":
			return d.cell(m, t)
		}
		return nil
	})
	return t, err
}

// cell reads a cell. One that goes on with that above has nothing of its own.
func (d *docx) cell(m *markup, t *table) error {
	inner := &docx{
		ctx: d.ctx, archive: d.archive, links: d.links, styles: d.styles, numbering: d.numbering, footnotes: d.footnotes, endnotes: d.endnotes,
		comments: d.comments, flow: &flow{notes: d.flow.notes},
	}
	span := 1
	blocks := inner.blocksIn(m)
	err := m.element(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "tcPr":
			return m.each(func(e *xml.StartElement) error {
				if e.Name.Local == "gridSpan" {
					span = number(e, "val", 1, maxColumns)
				}
				return nil
			})
		case "tbl": // a table in a table is told line by line
			within, err := inner.table(m)
			inner.flow.line(within.lines())
			return err
		}
		return blocks(e)
	})
	d.flow.notes = inner.flow.notes
	t.add(inner.flow.plain(), span)
	return err
}

// symbol is a character of a symbol font, which lie in the private use area (ECMA-376 part 1,
// 17.3.3.30): most are signs for lists.
func symbol(code rune) rune {
	if code >= 0xE000 && code <= 0xF8FF {
		return '•'
	}
	return code
}
