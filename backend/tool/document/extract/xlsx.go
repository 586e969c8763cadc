package extract

import (
	"context"
	"encoding/xml"
	"strconv"
	"strings"

	"fairlead/backend/tool/document/exchange"
)

// maxStrings is how many bytes the texts that cells share may have together.
const maxStrings = 64 << 20

// xlsx is a workbook of Excel that is being read (ECMA-376 part 1, 18).
type xlsx struct {
	ctx     context.Context
	archive *archive
	texts   []string
	formats []numberFormat
	// since1904 says that days are counted from the year 1904.
	since1904 bool
	into      *sheets
}

func readXLSX(ctx context.Context, source Source, into *pages) error {
	into.text.Unit = exchange.Rows
	a, main, links, err := openOffice(ctx, source, "xl/workbook.xml")
	if err != nil {
		return err
	}
	x := &xlsx{ctx: ctx, archive: a, into: &sheets{into: into}}
	list, err := x.listSheets(main, links)
	if err != nil {
		return err
	}
	if err := x.readTexts(links.first("sharedStrings", "")); err != nil {
		return err
	}
	if err := x.readFormats(links.first("styles", "")); err != nil {
		return err
	}
	for i, sheet := range list {
		x.into.begin(sheet.name, i+1, len(list), sheet.hidden)
		if err := x.readSheet(sheet.part); err != nil {
			return err
		}
		if err := x.into.end(); err != nil {
			return err
		}
	}
	into.text.Total = x.into.before
	return nil
}

// xlsxSheet is one sheet of a workbook.
type xlsxSheet struct {
	name, part string
	hidden     bool
}

// listSheets lists the sheets with cells; one that is a diagram has none.
func (x *xlsx) listSheets(main string, links relations) (list []xlsxSheet, err error) {
	m, done, err := openMarkup(x.ctx, x.archive, main)
	if err != nil {
		return nil, err
	}
	defer done()
	err = m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			x.since1904 = isTrue(attribute(e, "date1904"))
		case "sheet":
			link := links[attribute(e, "id")]
			if link.kind == "worksheet" {
				list = append(list, xlsxSheet{attribute(e, "name"), link.target, attribute(e, "state") != "" && attribute(e, "state") != "visible"})
			}
		}
		return nil
	})
	return list, err
}

func isTrue(value string) bool { return value == "1" || value == "true" }

// readTexts reads the texts that cells share.
func (x *xlsx) readTexts(part string) error {
	m, done, err := openMarkup(x.ctx, x.archive, part)
	if err != nil {
		return err
	}
	defer done()
	size := 0
	return m.each(func(e *xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := richText(m)
		if size += len(text); size > maxStrings {
			return &exchange.Failure{Reason: exchange.TooLarge, Detail: "it has more text than is read"}
		}
		x.texts = append(x.texts, text)
		return err
	})
}

// richText is the text in an element without how it is pronounced.
func richText(m *markup) (string, error) {
	var text strings.Builder
	err := m.content(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "t":
			part, err := m.text()
			text.WriteString(part)
			return err
		case "r":
			part, err := richText(m)
			text.WriteString(part)
			return err
		}
		return nil
	}, nil)
	return text.String(), err
}

// readFormats reads how numbers are shown, for each style of cells.
func (x *xlsx) readFormats(part string) error {
	m, done, err := openMarkup(x.ctx, x.archive, part)
	if err != nil {
		return err
	}
	defer done()
	codes := map[int]string{}
	return m.each(func(e *xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			codes[number(e, "numFmtId", 0, 1<<16)] = attribute(e, "formatCode")
		case "cellXfs":
			return m.element(func(e *xml.StartElement) error {
				id := number(e, "numFmtId", 0, 1<<16)
				code, own := codes[id]
				if !own {
					code = builtInFormats[id]
				}
				x.formats = append(x.formats, parseFormat(code))
				return nil
			})
		}
		return nil
	})
}

// readSheet reads the cells of a sheet.
func (x *xlsx) readSheet(part string) error {
	m, done, err := openMarkup(x.ctx, x.archive, part)
	if err != nil {
		return err
	}
	defer done()
	row := 0
	return m.each(func(e *xml.StartElement) error {
		if e.Name.Local != "row" {
			return nil
		}
		row = max(row+1, number(e, "r", 0, maxRows))
		if row > maxRows {
			return &exchange.Failure{Reason: exchange.TooLarge, Detail: "it has more rows than a sheet can have"}
		}
		cells, err := x.readRow(m)
		if err != nil {
			return err
		}
		return x.into.row(row, cells)
	})
}

// readRow reads the cells of a row.
func (x *xlsx) readRow(m *markup) (cells []string, err error) {
	err = m.element(func(e *xml.StartElement) error {
		if e.Name.Local != "c" {
			return nil
		}
		column := columnNumber(attribute(e, "r"))
		if column < 0 {
			column = len(cells)
		}
		if column >= maxColumns {
			x.into.into.note("rows with more than %d cells are cut", maxColumns)
			return nil
		}
		text, err := x.readCell(m, e)
		if text == "" || err != nil {
			return err
		}
		for len(cells) <= column {
			cells = append(cells, "")
		}
		cells[column] = text
		return nil
	})
	return cells, err
}

// readCell reads what a cell shows.
func (x *xlsx) readCell(m *markup, e *xml.StartElement) (string, error) {
	kind, style := attribute(e, "t"), number(e, "s", 0, 1<<20)
	var value string
	err := m.element(func(e *xml.StartElement) (err error) {
		switch e.Name.Local {
		case "v":
			value, err = m.text()
		case "is":
			value, err = richText(m)
		}
		return err
	})
	switch kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || i < 0 || i >= len(x.texts) {
			return "", nil
		}
		return x.texts[i], nil
	case "b":
		if isTrue(value) {
			return "TRUE", err
		}
		return "FALSE", err
	case "str", "inlineStr", "e", "d":
		return value, err
	}
	if value == "" || err != nil {
		return "", err
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return value, nil
	}
	var format numberFormat
	if style < len(x.formats) {
		format = x.formats[style]
	}
	return format.show(n, x.since1904), nil
}
