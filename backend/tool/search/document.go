package search

import (
	"context"
	"errors"
	"strings"
	"time"

	"fairlead/backend/tool/document"
	"fairlead/backend/tool/document/exchange"
	"fairlead/backend/workspace"
)

// documentsTime is how long one call reads documents that were not read before.
const documentsTime = 20 * time.Second

// formatOf is the format of a document whose text is to be searched; "" for any other file. HTML is
// searched as it is written.
func (s *scan) formatOf(path string) exchange.Format {
	if s.documents == nil {
		return ""
	}
	format := document.FormatOf(path, nil)
	if format == exchange.HTML || format == exchange.Picture {
		return ""
	}
	return format
}

// searchDocument returns the matches in the text of a document.
func (s *scan) searchDocument(ctx context.Context, opener *workspace.Opener, path string, format exchange.Format) []block {
	file, err := opener.Open(path)
	if err != nil {
		s.unreadable.Add(1)
		return nil
	}
	defer func() { _ = file.Close() }()
	limited, cancel := context.WithDeadline(ctx, s.documentsEnd)
	defer cancel()
	found, err := s.documents.Whole(limited, file, file.Size, format)
	var failure *exchange.Failure
	switch {
	case errors.As(err, &failure) && failure.Reason != exchange.TooSlow, found != nil && found.Scanned == len(found.Parts):
		s.unreadable.Add(1)
		return nil
	case err != nil:
		s.unreadDocuments.Add(1)
		return nil
	}
	var all []block
	for _, part := range found.Parts {
		label, _, _ := strings.Cut(part.Label, ", rows ")
		blocks := s.searchContent(ctx, &text{content: []byte(part.Text)})
		for i := range blocks {
			blocks[i].part = label
		}
		all = append(all, blocks...)
		if ctx.Err() != nil || s.matches.Load() > maxMatches {
			break
		}
	}
	return all
}
