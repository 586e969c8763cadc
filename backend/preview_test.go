package backend

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/tool/document/exchange"
)

func TestDOC04_WhatAReaderSendsIsBounded(t *testing.T) {
	page := func(mediaType string, words int) exchange.Part {
		return exchange.Part{Layout: &exchange.Layout{MediaType: mediaType, Lines: [][]exchange.Word{make([]exchange.Word, words)}}}
	}
	long := page("image/png", 1)
	long.Layout.Lines[0][0].Text = strings.Repeat("x", mostText+1)
	empty := page("image/jpeg", 5)
	empty.Layout.Lines = append(empty.Layout.Lines, nil)
	sizes := slices.Repeat([]exchange.Size{{Width: 1, Height: 1}}, exchange.MaxSizes+1)
	text := &exchange.Text{
		Parts:    []exchange.Part{page("image/svg+xml", 1), empty, page("image/png", exchange.MaxWords), {Text: strings.Repeat("x", mostText+1)}},
		Sizes:    sizes,
		Pictures: []exchange.Shown{{MediaType: "text/html"}, {MediaType: "image/png"}, {MediaType: "image/png"}},
		Notes:    append(slices.Repeat([]string{"a"}, mostNotes), strings.Repeat("x", mostNote+1)),
	}
	bound(text)
	withoutWords := page("image/png", 0)
	withoutWords.Layout.Lines = nil
	want := []exchange.Part{{}, page("image/jpeg", 5), withoutWords}
	if diff := cmp.Diff(want, text.Parts); diff != "" {
		t.Error(diff)
	}
	if len(text.Sizes) != exchange.MaxSizes || len(text.Pictures) != 1 || len(text.Notes) != mostNotes {
		t.Errorf("%d sizes, %d pictures and %d notes are left", len(text.Sizes), len(text.Pictures), len(text.Notes))
	}
	sizes[3].Height = 0
	text = &exchange.Text{Parts: append([]exchange.Part{long}, make([]exchange.Part, mostParts)...), Sizes: sizes, Notes: []string{strings.Repeat("x", mostNote+1)}}
	bound(text)
	if len(text.Parts) != 1 || text.Parts[0].Layout.Lines != nil || len(text.Sizes) != 3 || len(text.Notes) != 0 {
		t.Errorf("%d parts, %d sizes and %d notes are left", len(text.Parts), len(text.Sizes), len(text.Notes))
	}
	text = &exchange.Text{Parts: make([]exchange.Part, mostParts+1)}
	if bound(text); len(text.Parts) != mostParts {
		t.Errorf("%d parts without text are left", len(text.Parts))
	}
}
