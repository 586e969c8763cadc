//go:build !race

package extract

import (
	"strings"
	"testing"
)

// tableLines are the lines of a document's text that belong to tables.
func tableLines(t *testing.T, pdfs *PDFs, name string) string {
	t.Helper()
	text, err := readAll(t, pdfs, name)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, part := range text.Parts {
		for line := range strings.Lines(part.Text) {
			if strings.HasPrefix(line, "|") {
				lines.WriteString(line)
			}
		}
	}
	return lines.String()
}

func TestDOC01_TablesOfPDFFiles(t *testing.T) {
	pdfs := openPDFs(t)
	for name, want := range map[string]string{
		"page-en.pdf": `| Line | Route | First | Last | Every | Fare |
|---|---|---|---|---|---|
| N1 | Market square – Mill bridge – Ostrand | 23:30 | 04:00 | 30 min | €2.80 |
| N2 | Market square – Hospital – Upper Quarry | 23:40 | 03:40 | 40 min | €2.80 |
| N3 | Market square – Harbour – Saltings | 23:45 | 03:45 | 60 min | €3.40 |
`,
		"page-zh.pdf": `| 日期 | 上午 | 下午 |
|---|---|---|
| 星期二至星期五 | 9:00–11:30 | 14:00–18:00 |
| 星期六、星期日 | 9:00–12:00 | 13:00–17:30 |
| 星期一 | 闭馆 | 闭馆 |
`,
		"paper-en.pdf": `| Office | Files | Moves | Opened |
|---|---|---|---|
| A | 150 | 1,204 | 61% |
| B | 130 | 2,377 | 38% |
| C | 120 | 288 | 92% |
`,
		// Columns of a text and the items of lists are no tables.
		"columns-en.pdf": "",
		"maths-en.pdf":   "",
		"letter-en.pdf":  "",
	} {
		if got := tableLines(t, pdfs, name); got != want {
			t.Errorf("%s has the tables\n%s", name, got)
		}
	}
	accounts := tableLines(t, pdfs, "accounts-en.pdf")
	for _, row := range []string{
		"| 2025-01-31 | 00421 4000 | Wages |  | £14,980.00 | £4,482.66 |\n",
		"| Account | Name | Plan | Actual | Difference | Share | Within plan |\n",
		"| 4700 | Vehicles | (800) | (1,388) | (588) | 4.0% | FALSE |\n",
		"|  | Sum | (34,900) | (34,861) | 39 | 100.0% |  |\n",
	} {
		if !strings.Contains(accounts, row) {
			t.Errorf("accounts-en.pdf has no row %q", row)
		}
	}
	if items := tableLines(t, pdfs, "archive-en.pdf"); strings.Contains(items, "1.1") || !strings.Contains(items, "| No. | Device | Serial number | Tolerance |\n") {
		t.Errorf("archive-en.pdf has the tables\n%s", items)
	}
}
