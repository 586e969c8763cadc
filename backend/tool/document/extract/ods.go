package extract

import (
	"context"
	"encoding/xml"
	"fmt"
	"strings"

	"fairlead/backend/tool/document/exchange"
)

// readODS reads the sheets of a workbook (OpenDocument 1.3 part 3, 9). Cells hold what they show.
func readODS(ctx context.Context, source Source, into *pages) error {
	into.text.Unit = exchange.Rows
	o, err := openODF(ctx, source)
	if err != nil {
		return err
	}
	names, err := o.listTables()
	if err != nil {
		return err
	}
	all, number := &sheets{into: into}, 0
	err = o.body(func(m *markup, e *xml.StartElement) error {
		if e.Name.Local != "table" {
			return nil
		}
		number++
		all.begin(attribute(e, "name"), number, names, o.hidden[attribute(e, "style-name")])
		if err := o.readRows(m, all); err != nil {
			return err
		}
		return all.end()
	})
	if err == nil {
		into.text.Total = all.before
	}
	return err
}

// listTables counts the sheets.
func (o *odf) listTables() (count int, err error) {
	err = o.body(func(_ *markup, e *xml.StartElement) error {
		if e.Name.Local == "table" {
			count++
		}
		return nil
	})
	return count, err
}

// readRows reads the rows of a sheet, each as often as it stands there.
func (o *odf) readRows(m *markup, into *sheets) error {
	row := 0
	var read func(*xml.StartElement) error
	read = func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "table-row-group", "table-header-rows", "table-rows":
			return m.element(read)
		case "table-row":
		default:
			return nil
		}
		times := number(e, "number-rows-repeated", 1, maxRows)
		cells, err := o.readCells(m, into)
		if err != nil {
			return err
		}
		if usedCells(cells) == 0 {
			row = min(row+times, maxRows)
			return nil
		}
		for range times {
			if row++; row > maxRows {
				return &exchange.Failure{Reason: exchange.TooLarge, Detail: "it has more rows than a sheet can have"}
			}
			if err := into.row(row, append([]string(nil), cells...)); err != nil {
				return err
			}
		}
		return nil
	}
	return m.element(read)
}

// readCells reads the cells of a row.
func (o *odf) readCells(m *markup, into *sheets) (cells []string, err error) {
	// Empty cells count when another one follows: many sheets end in thousands of them.
	empty := 0
	err = m.element(func(e *xml.StartElement) error {
		times := number(e, "number-columns-repeated", 1, maxColumns)
		text, err := o.readCell(m)
		if text == "" || e.Name.Local == "covered-table-cell" || err != nil {
			empty = min(empty+times, maxColumns)
			return err
		}
		if len(cells)+empty+times > maxColumns {
			into.into.note("rows with more than %d cells are cut", maxColumns)
			return nil
		}
		cells = append(cells, make([]string, empty)...)
		empty = 0
		for range times {
			cells = append(cells, text)
		}
		return nil
	})
	return cells, err
}

// readCell reads what a cell shows.
func (o *odf) readCell(m *markup) (string, error) {
	var lines []string
	err := m.element(func(e *xml.StartElement) error {
		if e.Name.Local != "p" && e.Name.Local != "h" {
			return nil
		}
		line, err := o.text(m, &flow{})
		lines = append(lines, line)
		return err
	})
	return strings.Join(lines, "\n"), err
}

// readODP reads slides (OpenDocument 1.3 part 3, 10.2 and 16.40).
func readODP(ctx context.Context, source Source, into *pages) error {
	into.text.Unit = exchange.Slides
	o, err := openODF(ctx, source)
	if err != nil {
		return err
	}
	total := 0
	if err := o.body(func(_ *markup, e *xml.StartElement) error {
		if e.Name.Local == "page" {
			total++
		}
		return nil
	}); err != nil {
		return err
	}
	into.text.Total = total
	number := 0
	return o.body(func(m *markup, e *xml.StartElement) error {
		if e.Name.Local != "page" {
			return nil
		}
		number++
		wanted, err := into.wants(number)
		if err != nil || !wanted {
			return err
		}
		label := fmt.Sprintf("slide %d of %d", number, total)
		hidden := o.hidden[attribute(e, "style-name")]
		if hidden {
			label += ", hidden"
		}
		o.flow = &flow{}
		if err := m.element(func(e *xml.StartElement) error { return o.shape(m, e) }); err != nil {
			return err
		}
		return into.add(exchange.Part{First: number, Last: number, Hidden: hidden, Label: label, Text: o.flow.String()})
	})
}

// shape reads a shape of a slide, or its notes.
func (o *odf) shape(m *markup, e *xml.StartElement) error {
	inner := *o
	inner.flow = &flow{}
	switch class := attribute(e, "class"); {
	case e.Name.Local == "notes":
		if err := m.element(func(e *xml.StartElement) error { return inner.shape(m, e) }); err != nil {
			return err
		}
		if text := inner.flow.plain(); text != "" {
			o.flow.apart = true
			o.flow.line("Notes: " + text)
		}
		return nil
	case class == "header" || class == "footer" || class == "date-time" || class == "page-number" || class == "page" || e.Name.Local == "forms":
		return nil
	case class == "title":
		if err := m.element(func(e *xml.StartElement) error { return inner.block(m, e) }); err != nil {
			return err
		}
		o.flow.heading(2, inner.flow.plain())
		return nil
	}
	return o.block(m, e)
}
