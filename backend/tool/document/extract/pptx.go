package extract

import (
	"context"
	"encoding/xml"
	"fmt"
	"strings"

	"fairlead/backend/tool/document/exchange"
)

// readPPTX reads slides (ECMA-376 part 1, 19 and 21).
func readPPTX(ctx context.Context, source Source, into *pages) error {
	into.text.Unit = exchange.Slides
	a, main, links, err := openOffice(ctx, source, "ppt/presentation.xml")
	if err != nil {
		return err
	}
	m, done, err := openMarkup(ctx, a, main)
	if err != nil {
		return err
	}
	defer done()
	var slides []string
	if err := m.each(func(e *xml.StartElement) error {
		if e.Name.Local == "sldId" {
			for _, name := range e.Attr {
				// It has an id of its own too, without a namespace.
				if name.Name.Local == "id" && name.Name.Space != "" {
					slides = append(slides, links[name.Value].target)
				}
			}
		}
		return nil
	}); err != nil {
		return err
	}
	into.text.Total = len(slides)
	for i, part := range slides {
		if wanted, err := into.wants(i + 1); err != nil || !wanted {
			if err != nil {
				return err
			}
			continue
		}
		s := &slide{}
		if err := s.read(ctx, a, part); err != nil {
			return err
		}
		label := fmt.Sprintf("slide %d of %d", i+1, len(slides))
		if s.hidden {
			label += ", hidden"
		}
		if err := into.add(exchange.Part{First: i + 1, Last: i + 1, Hidden: s.hidden, Label: label, Text: s.flow.String()}); err != nil {
			return err
		}
	}
	return nil
}

// slide is a slide that is being read.
type slide struct {
	flow   flow
	hidden bool
	// titled says that its title was found.
	titled bool
}

// read reads a slide and its notes.
func (s *slide) read(ctx context.Context, a *archive, part string) error {
	links, err := relationsOf(ctx, a, part)
	if err != nil {
		return err
	}
	if err := s.readPart(ctx, a, part); err != nil {
		return err
	}
	for _, notes := range links.of("notesSlide") {
		beside := &slide{titled: true}
		if err := beside.readPart(ctx, a, notes); err != nil {
			return err
		}
		if text := beside.flow.plain(); text != "" {
			s.flow.apart = true
			s.flow.line("Notes: " + text)
		}
	}
	return nil
}

func (s *slide) readPart(ctx context.Context, a *archive, part string) error {
	m, done, err := openMarkup(ctx, a, part)
	if err != nil {
		return err
	}
	defer done()
	return m.element(func(e *xml.StartElement) error {
		s.hidden = attribute(e, "show") == "0"
		return m.element(func(e *xml.StartElement) error { return s.inShapes(m, e) })
	})
}

// inShapes reads an element among the shapes of a slide.
func (s *slide) inShapes(m *markup, e *xml.StartElement) error {
	switch e.Name.Local {
	case "sp":
		return s.shape(m)
	case "tbl":
		t := &table{}
		err := m.each(func(e *xml.StartElement) error {
			switch e.Name.Local {
			case "tr":
				t.begin()
			case "tc":
				span := number(e, "gridSpan", 1, maxColumns)
				merged := attribute(e, "hMerge") == "1" || attribute(e, "vMerge") == "1"
				lines, err := paragraphs(m)
				if attribute(e, "hMerge") != "1" { // the cell before spans it
					t.add(cellText(lines, merged), span)
				}
				return err
			}
			return nil
		})
		s.flow.table(t)
		return err
	case "Fallback":
		return nil
	}
	return m.element(func(e *xml.StartElement) error { return s.inShapes(m, e) })
}

func cellText(lines []slideLine, merged bool) string {
	if merged {
		return ""
	}
	text := make([]string, len(lines))
	for i, line := range lines {
		text[i] = line.text
	}
	return strings.Join(text, "\n")
}

// slideLine is a paragraph of a shape, with its level from 0.
type slideLine struct {
	text  string
	level int
}

// shape reads the text of a shape. What every slide has in the same way, such as its number, is
// left out.
func (s *slide) shape(m *markup) error {
	kind := ""
	var lines []slideLine
	err := m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "ph":
			kind = attribute(e, "type")
		case "txBody":
			more, err := paragraphs(m)
			lines = append(lines, more...)
			return err
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case kind == "sldNum" || kind == "dt" || kind == "ftr" || kind == "hdr" || kind == "sldImg":
		return nil
	case (kind == "title" || kind == "ctrTitle") && !s.titled:
		s.titled = true
		s.flow.heading(2, cellText(lines, false))
		return nil
	}
	for _, line := range lines {
		prefix := strings.Repeat("  ", line.level)
		if (kind == "" || kind == "body" || kind == "obj") && len(lines) > 1 && line.text != "" {
			prefix += "- "
		}
		s.flow.line(prefix + line.text)
	}
	return nil
}

// paragraphs reads the paragraphs of a text of DrawingML (ECMA-376 part 1, 21.1.2).
func paragraphs(m *markup) (lines []slideLine, err error) {
	var line *slideLine
	err = m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "p":
			lines = append(lines, slideLine{})
			line = &lines[len(lines)-1]
		case "pPr":
			if line != nil {
				line.level = number(e, "lvl", 0, maxLevel)
			}
		case "t":
			text, err := m.text()
			if line != nil {
				line.text += text
			}
			return err
		case "br":
			if line != nil {
				line.text += "\n"
			}
		}
		return nil
	})
	return lines, err
}
