package extract

import (
	"bytes"
	"testing"

	"fairlead/backend/tool/document/exchange"
)

func TestDOC01_LinksAreKept(t *testing.T) {
	const relations = `<R><Relationship Id="l1" Type="x/hyperlink" Target="https://example.org/a(1)" TargetMode="External"/>` +
		`<Relationship Id="l2" Type="x/hyperlink" Target="mailto:ada@example.org" TargetMode="External"/>` +
		`<Relationship Id="l3" Type="x/hyperlink" Target="file:///etc/passwd" TargetMode="External"/></R>`
	const word = `<d xmlns:r="r"><body><p><r><t>See </t></r><hyperlink r:id="l1"><r><t>the </t></r><r><t>terms</t></r></hyperlink><r><t>.</t></r></p>` +
		`<p><hyperlink r:id="l2"><r><t>ada@example.org</t></r></hyperlink></p><p><hyperlink r:id="l3"><r><t>here</t></r></hyperlink></p>` +
		`<p><hyperlink anchor="x"><r><t>above</t></r></hyperlink></p>` +
		`<tbl><tr><tc><p><hyperlink r:id="l1"><r><t>in a cell</t></r></hyperlink></p></tc><tc><p/></tc></tr></tbl></body></d>`
	const text = `<c><body><text><p>See <a href="https://example.org/a(1)">the <span>terms</span></a>.</p>` +
		`<p><a href="mailto:ada@example.org">ada@example.org</a></p><p><a href="#x">above</a></p></text></body></c>`
	for _, test := range []struct {
		format exchange.Format
		parts  map[string]string
		want   string
	}{
		{
			exchange.DOCX,
			map[string]string{"word/document.xml": word, "word/_rels/document.xml.rels": relations},
			"See [the terms](https://example.org/a%281%29).\nada@example.org\nhere\nabove\n\n[in a cell](https://example.org/a%281%29)\n",
		},
		{exchange.ODT, map[string]string{"content.xml": text}, "See [the terms](https://example.org/a%281%29).\nada@example.org\nabove\n"},
	} {
		file := pack(t, test.parts)
		got, err := Extract(t.Context(), nil, Source{bytes.NewReader(file), int64(len(file))}, exchange.Request{Format: test.format, First: 1, Characters: 1000})
		if err != nil || got.Parts[0].Text != test.want {
			t.Errorf("%s: %+v, %v", test.format, got.Parts, err)
		}
	}
}
