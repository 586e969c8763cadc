package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"testing"
	"time"
	"unicode/utf8"

	"fairlead/backend/tool/document/exchange"
)

// FuzzMarkup puts a text where each format that is made of XML has its own, and reads it.
func FuzzMarkup(f *testing.F) {
	f.Add(`<w:document xmlns:w="w"><w:body><w:p><w:pPr><w:pStyle w:val="a"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>a</w:t><w:tab/><w:br/></w:r></w:p><w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p/></w:tc></w:tr></w:tbl></w:body></w:document>`)
	f.Add(`<c xmlns:t="t" xmlns:b="b"><body><text><t:list t:style-name="a"><t:list-item t:start-value="3"><t:p>a<t:s t:c="3"/></t:p></t:list-item></t:list><b:table><b:table-row b:number-rows-repeated="9"><b:table-cell b:number-columns-repeated="9"><t:p>a</t:p></b:table-cell></b:table-row></b:table></text></body></c>`)
	f.Add(`<worksheet><sheetData><row r="2"><c r="B2" t="s" s="1"><v>0</v></c><c t="inlineStr"><is><t>a</t></is></c><c r="D2"><v>46034.5</v></c></row></sheetData></worksheet>`)
	f.Add(`<sld><sp><nvPr><ph type="title"/></nvPr><txBody><p><pPr lvl="1"/><r><t>a</t></r></p></txBody></sp><tbl><tr><tc gridSpan="2"><txBody><p/></txBody></tc></tr></tbl></sld>`)
	f.Add(`<styleSheet><numFmts><numFmt numFmtId="200" formatCode="[h]:mm;@"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, part := range []struct {
			format exchange.Format
			name   string
		}{
			{exchange.DOCX, "word/document.xml"},
			{exchange.DOCX, "word/numbering.xml"},
			{exchange.PPTX, "ppt/slide.xml"},
			{exchange.XLSX, "xl/sheet.xml"},
			{exchange.XLSX, "xl/styles.xml"},
			{exchange.ODT, "content.xml"},
			{exchange.ODS, "content.xml"},
			{exchange.ODP, "content.xml"},
			{exchange.ODT, "styles.xml"},
			{exchange.EPUB, "a.opf"},
		} {
			extractAny(t, part.format, packAround(t, part.name, text))
		}
	})
}

// packAround is an archive with a part, and with others that lead to it.
func packAround(t *testing.T, name, text string) []byte {
	t.Helper()
	parts := map[string]string{
		"word/document.xml":               `<d><body><p><pPr><numPr><numId val="1"/></numPr></pPr><r><t>a</t></r></p></body></d>`,
		"word/_rels/document.xml.rels":    `<R><Relationship Id="1" Type="x/numbering" Target="numbering.xml"/></R>`,
		"ppt/presentation.xml":            `<p xmlns:r="r"><sldId r:id="1"/></p>`,
		"ppt/_rels/presentation.xml.rels": `<R><Relationship Id="1" Type="x/slide" Target="slide.xml"/></R>`,
		"xl/workbook.xml":                 `<w xmlns:r="r"><sheet name="a" r:id="1"/></w>`,
		"xl/_rels/workbook.xml.rels":      `<R><Relationship Id="1" Type="x/worksheet" Target="sheet.xml"/><Relationship Id="2" Type="x/styles" Target="styles.xml"/></R>`,
		"xl/sheet.xml":                    `<w><row><c s="0"><v>1</v></c></row></w>`,
		"content.xml":                     `<c><body><text><p>a</p></text></body></c>`,
		"META-INF/container.xml":          `<c><rootfile full-path="a.opf"/></c>`,
	}
	parts[name] = text
	return pack(t, parts)
}

// pack is an archive of parts.
func pack(t *testing.T, parts map[string]string) []byte {
	t.Helper()
	var file bytes.Buffer
	z := zip.NewWriter(&file)
	for name, content := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// FuzzRTF reads any text as RTF.
func FuzzRTF(f *testing.F) {
	f.Add(`{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fcharset134 a;}}\f0\'d6\'d0\u25991?{\footnote a}\trowd\cellx1 a\cell b\cell\row\par}`)
	f.Add(`{\rtf1\uc2\u-10179 xx\u-8704 xx{\*\a b}\bin3 abc\'e9\par}`)
	f.Fuzz(func(t *testing.T, text string) { extractAny(t, exchange.RTF, []byte(`{\rtf`+text)) })
}

// FuzzNumber shows numbers in any format.
func FuzzNumber(f *testing.F) {
	f.Add(`#,##0.00 [$€-407];[Red]-0.0%;"a"\b_c*d`, 1234.5)
	f.Add(`[hh]:mm:ss.000 AM/PM yyyy"年"`, 46034.75)
	f.Add(`# ??/16 0.0E+0,,`, 0.1)
	f.Fuzz(func(t *testing.T, code string, n float64) {
		if text := parseFormat(code).show(n, false); len(text) > 10_000+20*len(code) {
			t.Errorf("%q becomes %d bytes", code, len(text))
		}
	})
}

// extractAny reads a document that can be anything: a text in its bounds, or a reason.
func extractAny(t *testing.T, format exchange.Format, file []byte) {
	t.Helper()
	const space = 5000
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	text, err := Extract(ctx, nil, Source{bytes.NewReader(file), int64(len(file))}, exchange.Request{Format: format, First: 1, Characters: space})
	var failure *exchange.Failure
	if err != nil && !errors.As(err, &failure) {
		t.Errorf("%s: neither a text nor a reason: %v", format, err)
	}
	characters := 0
	for _, part := range text.Parts {
		if !utf8.ValidString(part.Text) {
			t.Errorf("%s: no valid UTF-8: %q", format, part.Text)
		}
		characters += utf8.RuneCountInString(part.Text)
	}
	if characters > space {
		t.Errorf("%s: %d characters", format, characters)
	}
}
