package document_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	excelBook = `<workbook xmlns:r="r"><sheets><sheet name="a" r:id="1"/></sheets></workbook>`
	excelLink = `<Relationships><Relationship Id="1" Type="x/worksheet" Target="sheet.xml"/><Relationship Id="2" Type="x/sharedStrings" Target="texts.xml"/></Relationships>`
	openHead  = `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text>`
	openTail  = `</office:text></office:body></office:document-content>`
)

// excel is a workbook with the rows of a sheet, and texts.
func excel(t *testing.T, texts content, rows ...any) []byte {
	return archive(t, map[string]content{
		"xl/workbook.xml": {excelBook}, "xl/_rels/workbook.xml.rels": {excelLink}, "xl/texts.xml": texts,
		"xl/sheet.xml": append(append(content{"<worksheet><sheetData>"}, rows...), "</sheetData></worksheet>"),
	})
}

// packed is data as a stream of PDF has it, compressed.
func packed(t *testing.T, c content) string {
	t.Helper()
	var data bytes.Buffer
	w := zlib.NewWriter(&data)
	if err := c.writeTo(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return data.String()
}

// overlapping is a ZIP file in which all entries share one compressed content, as in the bombs that
// David Fifield described in 2019.
func overlapping(t *testing.T, entries, size int) []byte {
	t.Helper()
	var data, file bytes.Buffer
	w, err := flate.NewWriter(&data, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	sum := crc32.NewIEEE()
	if err := (content{repeated{"\x00", size}}).writeTo(io.MultiWriter(w, sum)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	head := func(signature uint32, name string, extra ...any) {
		for _, v := range append([]any{signature}, extra...) {
			_ = binary.Write(&file, binary.LittleEndian, v)
		}
		file.WriteString(name)
	}
	const name = "word/document.xml"
	head(0x04034b50, name, uint16(20), uint16(0), uint16(8), uint32(0), sum.Sum32(), uint32(data.Len()), uint32(size), uint16(len(name)), uint16(0))
	file.Write(data.Bytes())
	at := file.Len()
	for i := range entries {
		n := name
		if i > 0 {
			n = fmt.Sprintf("word/part%08d.xml", i)
		}
		head(0x02014b50, n, uint16(20), uint16(20), uint16(0), uint16(8), uint32(0), sum.Sum32(), uint32(data.Len()), uint32(size),
			uint16(len(n)), uint16(0), uint16(0), uint16(0), uint16(0), uint32(0), uint32(0))
	}
	length := file.Len() - at
	head(0x06054b50, "", uint16(0), uint16(0), uint16(min(entries, 65535)), uint16(min(entries, 65535)), uint32(length), uint32(at), uint16(0))
	return file.Bytes()
}

// hostile are files that were made to do harm, by name.
func hostile(t *testing.T) map[string][]byte {
	t.Helper()
	const billion = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>`
	const outside = `<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>`
	text := "BT /F 12 Tf 20 100 Td (text) Tj ET"
	files := map[string][]byte{
		"zeros.docx":      archive(t, map[string]content{"word/document.xml": {repeated{"\x00", 1 << 28}}}),
		"one text.docx":   word(t, "<w:p><w:r><w:t>", repeated{"a", 210 << 20}, "</w:t></w:r></w:p>"),
		"paragraphs.docx": word(t, repeated{"<w:p><w:r><w:t>ab</w:t></w:r></w:p>", 2 << 20}),
		"deep.docx":       word(t, repeated{"<w:sdt>", 1 << 20}),
		"attributes.docx": word(t, "<w:p ", repeated{`a="b" `, 8 << 20}, "/>"),
		"entities.docx":   archive(t, map[string]content{"word/document.xml": {billion, wordHead, "<w:p><w:r><w:t>&c;</w:t></w:r></w:p>", wordTail}}),
		"outside.docx":    archive(t, map[string]content{"word/document.xml": {outside, wordHead, "<w:p><w:r><w:t>&a;</w:t></w:r></w:p>", wordTail}}),
		"spans.docx":      word(t, "<w:tbl>", repeated{`<w:tr><w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>`, 1 << 16}, "</w:tbl>"),
		"tables.docx":     word(t, repeated{"<w:tbl><w:tr><w:tc>", 160}, "<w:p><w:r><w:t>a</w:t></w:r></w:p>", repeated{"</w:tc></w:tr></w:tbl>", 160}),
		"in itself.docx":  archive(t, map[string]content{"word/document.xml": {string(word(t, ""))}}),
		"entries.docx":    overlapping(t, 60_000, 1<<20),
		"overlap.docx":    overlapping(t, 5000, 200<<20),
		"columns.xlsx":    excel(t, nil, "<row>", repeated{"<c><v>1</v></c>", 1 << 20}, "</row>"),
		"rows.xlsx":       excel(t, nil, repeated{"<row><c><v>1</v></c></row>", 5 << 18}),
		"far.xlsx":        excel(t, nil, `<row r="99999999999999"><c r="ZZZZZZZZ1"><v>1</v></c></row><row r="-4"><c r="A-1" s="99999999999" t="s"><v>-1</v></c></row>`),
		"texts.xlsx":      excel(t, content{"<sst>", repeated{"<si><t>" + strings.Repeat("abcdefghij", 10) + "</t></si>", 700_000}, "</sst>"}, `<row><c t="s"><v>1</v></c></row>`),
		"repeated.ods": archive(t, map[string]content{"content.xml": {
			`<o:c xmlns:o="o" xmlns:b="b" xmlns:t="t"><o:body><o:spreadsheet><b:table b:name="a"><b:table-row b:number-rows-repeated="999999999">`,
			`<b:table-cell b:number-columns-repeated="999999999"><t:p>a</t:p></b:table-cell></b:table-row></b:table></o:spreadsheet></o:body></o:c>`,
		}}),
		"spaces.odt": archive(t, map[string]content{"content.xml": {openHead, "<text:p>", repeated{`<text:s text:c="999999999"/>`, 1 << 16}, "</text:p>", openTail}}),
		"lists.odt":  archive(t, map[string]content{"content.xml": {openHead, repeated{"<text:list><text:list-item>", 200}, "<text:p>a</text:p>", repeated{"</text:list-item></text:list>", 200}, openTail}}),
		"loop.pptx": archive(t, map[string]content{
			"ppt/presentation.xml":            {`<p:presentation xmlns:p="p" xmlns:r="r">`, repeated{`<p:sldId id="256" r:id="1"/>`, 1 << 18}, "</p:presentation>"},
			"ppt/_rels/presentation.xml.rels": {`<Relationships><Relationship Id="1" Type="x/slide" Target="presentation.xml"/></Relationships>`},
		}),
		"elsewhere.epub": archive(t, map[string]content{
			"META-INF/container.xml": {`<container><rootfile full-path="a.opf"/></container>`},
			"a.opf":                  {`<package><item id="1" media-type="text/html" href="../../../../../etc/passwd"/><itemref idref="1"/></package>`},
		}),
		"deep.epub": archive(t, map[string]content{
			"META-INF/container.xml": {`<container><rootfile full-path="a.opf"/></container>`},
			"a.opf":                  {`<package><item id="1" media-type="text/html" href="a.html"/>`, repeated{`<itemref idref="1"/>`, 1000}, `</package>`},
			"a.html":                 {repeated{"<table><tr><td><b>", 1 << 17}, "a"},
		}),
		"groups.rtf":  []byte(`{\rtf1` + strings.Repeat("{", 8<<20)),
		"binary.rtf":  []byte(`{\rtf1\ansicpg99999999999\bin99999999999999999\u-99999 \'zz\'` + strings.Repeat(`\trowd\cell\row`, 1<<20)),
		"cells.rtf":   []byte(`{\rtf1\trowd` + strings.Repeat(`a\cell`, 4<<20)),
		"long.html":   []byte("<p>" + strings.Repeat("<a href=x>", 3<<20)),
		"loop.pdf":    pdf("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R 2 0 R] /Count 999999 >>"),
		"pages.pdf":   pdf("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>", "<< /Type /Page /Parent 2 0 R >>"),
		"stream.pdf":  onePage(stream("/Filter /FlateDecode", packed(t, content{repeated{text + " ", 30 << 20}})), ""),
		"twice.pdf":   onePage(stream("/Filter [/FlateDecode /FlateDecode]", packed(t, content{packed(t, content{repeated{"\x00", 1 << 28}})})), ""),
		"image.pdf":   onePage(stream("", "100 0 0 100 0 0 cm /I Do "+text), "/XObject << /I 6 0 R >>", stream("/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /FlateDecode", packed(t, content{repeated{"\x00", 1 << 28}}))),
		"form.pdf":    onePage(stream("", strings.Repeat("/X Do ", 1000)), "/XObject << /X 6 0 R >>", stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>", strings.Repeat("/X Do ", 1000))),
		"nested.pdf":  onePage(stream("", strings.Repeat("[", 1<<20)+strings.Repeat("<<", 1<<20)), ""),
		"states.pdf":  onePage(stream("", strings.Repeat("q ", 4<<20)+text), ""),
		"locked.pdf":  append(pdf("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"), []byte("trailer << /Root 1 0 R /Encrypt << /Filter /Standard /V 5 /R 6 /O (x) /U (y) /P -1 >> >>\n%%EOF")...),
		"numbers.pdf": onePage(stream("", strings.Repeat("9", 1<<22)+" "+strings.Repeat("1 ", 1<<22)+text), ""),
	}
	// Real documents with some bytes changed.
	random := rand.New(rand.NewPCG(1, 2))
	whole := onePage(stream("", text), "/XObject << /X 6 0 R >>", stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9]", text))
	for i := range 10 {
		changed := bytes.Clone(whole)
		for range 1 + random.IntN(12) {
			changed[random.IntN(len(changed))] = byte(random.IntN(256))
		}
		files[fmt.Sprintf("changed %d.pdf", i)] = changed
	}
	return files
}
