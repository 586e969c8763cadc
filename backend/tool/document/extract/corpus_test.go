//go:build !race

// The race detector would take a minute to compile PDFium.

package extract

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/tool/document/exchange"
)

// openPDFs opens PDFium for a test.
func openPDFs(t *testing.T) *PDFs {
	t.Helper()
	pdfs, err := OpenPDFs(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pdfs.Close() })
	return pdfs
}

// readAll returns all of a document's text.
func readAll(t *testing.T, pdfs *PDFs, name string) (exchange.Text, error) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", "files", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	format := exchange.Format(strings.TrimPrefix(filepath.Ext(name), "."))
	return Extract(t.Context(), pdfs, Source{file, info.Size()}, exchange.Request{Format: format, First: 1, Characters: 8 << 20})
}

// words are the words of a text in order; a character of Chinese is one of its own.
func words(text string) (found []string) {
	word := ""
	end := func() {
		if word != "" {
			found = append(found, word)
		}
		word = ""
	}
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			end()
			found = append(found, string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r):
			word += string(r)
		default:
			end()
		}
	}
	end()
	return found
}

// common is how many words two texts have in common in the same order, and what else each of them
// has.
func common(a, b []string) (count int, restOfA, restOfB []string) {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			i, j = i+1, j+1
		case table[i+1][j] >= table[i][j+1]:
			restOfA = append(restOfA, a[i])
			i++
		default:
			restOfB = append(restOfB, b[j])
			j++
		}
	}
	return table[0][0], append(restOfA, a[i:]...), append(restOfB, b[j:]...)
}

// missing lists words of the first text that the second one does not have so often.
func missing(want, got []string) (list []string) {
	left := map[string]int{}
	for _, word := range got {
		left[word]++
	}
	for _, word := range want {
		if left[word]--; left[word] < 0 {
			list = append(list, word)
		}
	}
	return list
}

// tableOf reads a table in Markdown. That of a sheet begins with the names of its columns and the
// numbers of its rows.
func tableOf(text string, isSheet bool) (rows [][]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") {
			continue
		}
		line = strings.NewReplacer(`\|`, "\x00").Replace(line)
		var row []string
		for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			cell = strings.NewReplacer("\x00", "|", "<br>", "\n", "<br />", "\n").Replace(strings.TrimSpace(cell))
			row = append(row, cell)
		}
		if isSheet {
			row = row[1:]
		}
		rows = append(rows, row)
	}
	if isSheet && len(rows) > 0 {
		rows = rows[1:]
	}
	return tidyRows(rows)
}

// tidyRows drops empty rows, and empty cells at the end of others.
func tidyRows(rows [][]string) (tidy [][]string) {
	for _, row := range rows {
		if n := usedCells(row); n > 0 {
			row = slices.Clone(row[:n])
			for i := range row {
				row[i] = strings.Join(strings.Fields(row[i]), " ")
			}
			tidy = append(tidy, row)
		}
	}
	return tidy
}

// expectedTables is what another program shows of the tables in a document.
type expectedTables struct {
	Sheets []struct {
		Name string `json:"name"`
		// Total is how many rows it has, of which Rows are the first.
		Total int        `json:"total"`
		Rows  [][]string `json:"rows"`
	} `json:"sheets"`
	Tables []struct {
		Rows [][]string `json:"rows"`
	} `json:"tables"`
}

// TestDOC01_TheTextOfDocuments compares the text of each document with what other programs find
// in it: 98 of 100 words in the order of reading, each cell of a table, or why it cannot be read.
func TestDOC01_TheTextOfDocuments(t *testing.T) {
	pdfs := openPDFs(t)
	files, err := os.ReadDir(filepath.Join("testdata", "files"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := file.Name()
		t.Run(name, func(t *testing.T) {
			expected := func(kind string) []byte {
				content, _ := os.ReadFile(filepath.Join("testdata", "expected", name+"."+kind))
				return content
			}
			const mostTime = 3 * time.Second
			began := time.Now()
			text, err := readAll(t, pdfs, name)
			if took := time.Since(began); took > mostTime {
				t.Errorf("it takes %v", took)
			}
			if reason := expected("error"); reason != nil {
				wantReason(t, strings.TrimSpace(string(reason)), text, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			all := ""
			for _, part := range text.Parts {
				all += part.Text
			}
			isPDF := strings.HasSuffix(name, ".pdf")
			if want := expected("txt"); want != nil {
				wantWords(t, string(want), all, isPDF)
			}
			if want := expected("tables.json"); want != nil && !isPDF { // which has no tables, only their words
				wantTables(t, want, text)
			}
		})
	}
}

func wantReason(t *testing.T, reason string, text exchange.Text, err error) {
	t.Helper()
	got := ""
	var failure *exchange.Failure
	switch {
	case errors.As(err, &failure):
		got = string(failure.Reason)
	case err == nil && text.Scanned == len(text.Parts):
		got = "scan"
	case err == nil && len(text.Parts) > 0:
		got = "text: " + text.Parts[0].Text
	}
	if got == string(exchange.OtherFormat) {
		got = "old"
	}
	if got != reason {
		t.Errorf("got %q (%v), want %q", got, err, reason)
	}
}

func wantWords(t *testing.T, want, got string, isPDF bool) {
	t.Helper()
	const least = 98 // of a hundred
	wanted, found := words(want), words(got)
	n, wantedRest, foundRest := common(wanted, found)
	if !isPDF {
		// Footnotes, text boxes and comments stand below the text in what is expected, and where they belong
		// here.
		more, _, _ := common(wantedRest, foundRest)
		n += more
	}
	if 100*n < least*len(wanted) {
		t.Errorf("%d of %d words are found in order; not found at all: %q\n%s", n, len(wanted), missing(wanted, found), got)
	}
	// Notes, marks and what stands on each page may come on top.
	if extra := missing(found, wanted); 4*len(extra) > len(found) {
		t.Errorf("%d of %d words are not in the document: %q", len(extra), len(found), extra)
	}
}

func wantTables(t *testing.T, content []byte, text exchange.Text) {
	t.Helper()
	var want expectedTables
	if err := json.Unmarshal(content, &want); err != nil {
		t.Fatal(err)
	}
	for i, sheet := range want.Sheets {
		var got [][]string
		for _, part := range text.Parts {
			if strings.Contains(part.Label, `"`+sheet.Name+`"`) {
				got = append(got, tableOf(part.Text, true)...)
			}
		}
		rows := tidyRows(sheet.Rows)
		if sheet.Total > len(sheet.Rows) && len(got) > len(rows) {
			got = got[:len(rows)]
		}
		if diff := cmp.Diff(rows, got); diff != "" {
			t.Errorf("sheet %d (- want, + got):\n%s", i+1, diff)
		}
	}
	all := ""
	for _, part := range text.Parts {
		all += part.Text + "\n"
	}
	got := tableOf(all, false)
	for i, table := range want.Tables {
		rows := tidyRows(table.Rows)
		if len(got) < len(rows) || !hasRows(got[:len(rows)], rows) {
			// A table in a cell of another one is told in that.
			if !hasWords(all, rows) {
				t.Errorf("table %d (- want, + got):\n%s", i+1, cmp.Diff(rows, got))
			}
			continue
		}
		got = got[len(rows):]
	}
}

// hasRows reports whether rows have the cells that are wanted, in which more may stand.
func hasRows(got, want [][]string) bool {
	return slices.EqualFunc(got, want, func(got, want []string) bool {
		return slices.EqualFunc(got, want, func(got, want string) bool {
			n, _, _ := common(words(want), words(got))
			return got == want || want != "" && n == len(words(want))
		})
	})
}

// hasWords reports whether a text has the words of a table in their order.
func hasWords(text string, rows [][]string) bool {
	var all []string
	for _, row := range rows {
		all = append(all, words(strings.Join(row, " "))...)
	}
	n, _, _ := common(all, words(text))
	return n == len(all)
}

func TestDOC04_WhatADocumentHidesIsSaidToBe(t *testing.T) {
	for name, want := range map[string]int{"accounts-en.xlsx": 1, "accounts-en.ods": 1, "slides-en.pptx": 1, "slides-en.odp": 1} {
		text, err := readAll(t, nil, name)
		if err != nil {
			t.Fatal(err)
		}
		hidden := 0
		for _, part := range text.Parts {
			if part.Hidden {
				hidden++
			}
			if part.Hidden != strings.Contains(part.Label, ", hidden") {
				t.Errorf("%s: %s, hidden %v", name, part.Label, part.Hidden)
			}
		}
		if hidden != want {
			t.Errorf("%s: %d parts are hidden, want %d", name, hidden, want)
		}
	}
}
