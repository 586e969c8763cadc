package search

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fairlead/backend/tool/document"
	"fairlead/backend/workspace"
)

const (
	// maxMatches is how many matching lines are reported; one more is looked for,
	// to know whether there are more.
	maxMatches = 500
	// maxFile is the largest file searched that was not named, in bytes.
	maxFile = 8 << 20
	// pieceSize is how much of a file is matched between two looks at the
	// context, in bytes.
	pieceSize = 32 << 10
	// binarySample is how much of a file is looked at for NUL bytes, as git does.
	binarySample = 8000
	// workers bounds how many files are searched at the same time.
	workers = 8
)

// scan is one search under way.
type scan struct {
	folder    *workspace.Folder
	documents *document.Reader
	pattern   *pattern
	context   int
	paths     []string
	// named means that the one path was asked for: a file is searched whatever its size.
	named bool

	// documentsEnd is until when documents are read that were not read before.
	documentsEnd time.Time

	next, matches, tooLarge, unreadable, longLines, unreadDocuments atomic.Int64
	// found has the matches of each path. Paths are begun in order and searched
	// to the end, so what is found first does not depend on timing.
	found [][]block
}

// block is a run of lines with matches, as they stand in the file.
type block struct {
	// part is where in a document it stands, as in "page 3 of 12"; empty in any other file.
	part string
	// first is the number of the first line, from 1.
	first int
	lines []line
}

// line is one line of a block; at is where the match begins, -1 for a line that
// is only context.
type line struct {
	text []byte
	at   int
	// hidden is how many secret values were replaced in text.
	hidden int
}

// run searches the paths until all are done, enough is found, or ctx ends.
func (s *scan) run(ctx context.Context) error {
	var group sync.WaitGroup
	for range min(workers, runtime.GOMAXPROCS(0), len(s.paths)) {
		group.Go(func() {
			opener := s.folder.Opener()
			defer opener.Close()
			for ctx.Err() == nil && s.matches.Load() <= maxMatches {
				i := s.next.Add(1) - 1
				if i >= int64(len(s.paths)) {
					return
				}
				s.found[i] = s.searchFile(ctx, opener, s.paths[i])
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// searchFile returns the matches of one file; none for one that is binary, too large or
// unreadable.
func (s *scan) searchFile(ctx context.Context, opener *workspace.Opener, path string) []block {
	if format := s.formatOf(path); format != "" {
		return s.searchDocument(ctx, opener, path, format)
	}
	content, err := opener.Read(ctx, path, maxFile)
	switch {
	case err != nil:
		s.unreadable.Add(1)
		return nil
	case content == nil && s.named:
		return s.open(ctx, opener, path)
	case content == nil:
		s.tooLarge.Add(1)
		return nil
	}
	if text, ok := workspace.FromUTF16(content); ok {
		content = text
	}
	if bytes.IndexByte(content[:min(len(content), binarySample)], 0) >= 0 {
		return nil
	}
	if bytes.IndexByte(content, '\r') >= 0 {
		content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
	}
	return s.searchContent(ctx, &text{content: content})
}

// open returns the matches of a large file.
func (s *scan) open(ctx context.Context, opener *workspace.Opener, path string) []block {
	file, err := opener.Open(path)
	if err != nil {
		s.unreadable.Add(1)
		return nil
	}
	defer func() { _ = file.Close() }()
	blocks, err := s.searchLarge(ctx, file)
	if err != nil {
		s.unreadable.Add(1)
	}
	return blocks
}

// searchContent returns the matches in a text.
func (s *scan) searchContent(ctx context.Context, t *text) []block {
	blocks, count := s.searchPieces(ctx, t, 0, len(t.content), 1, nil, 0)
	s.matches.Add(int64(count))
	return blocks
}

// searchPieces adds the matches of the lines between start and end, of which the first has a
// number.
func (s *scan) searchPieces(ctx context.Context, t *text, start, end, number int, blocks []block, count int) ([]block, int) {
	for start < end && ctx.Err() == nil && count <= maxMatches {
		stop := min(start+pieceSize, end)
		if i := bytes.IndexByte(t.content[stop:end], '\n'); i >= 0 {
			stop += i + 1
		} else {
			stop = end
		}
		piece := t.content[start:stop]
		if s.pattern.canMatch(piece) {
			blocks, count = s.searchPiece(t, start, stop, number, blocks, count)
		}
		number += bytes.Count(piece, []byte("\n"))
		start = stop
	}
	return blocks, count
}

// searchPiece adds the matches between start and end, whose first line has a number. What
// matches only in a secret value is no match: it could be spelled
// out by asking often.
func (s *scan) searchPiece(t *text, start, end, number int, blocks []block, count int) ([]block, int) {
	for start < end && count <= maxMatches {
		stop := lineEnd(t.content, start)
		if stop-start > maxLine {
			s.longLines.Add(1)
		}
		if at := s.pattern.find(t.content[start:stop]); at != nil {
			found := t.contextLine(start, stop, maxLine+lineBytes)
			if found.hidden > 0 {
				at = s.pattern.find(found.text)
			}
			if at != nil {
				found.at = at[0]
				blocks = s.joinBlock(blocks, t, found, start, stop, number)
				count++
			}
		}
		start = stop + 1
		number++
	}
	return blocks, count
}

// joinBlock adds a matching line, with the context around it, to the last block if
// they touch, else as a new one.
func (s *scan) joinBlock(blocks []block, t *text, found line, start, stop, number int) []block {
	content, at := t.content, found.at
	fresh := block{first: number, lines: []line{found}}
	for range s.context {
		if start == 0 {
			break
		}
		previous := bytes.LastIndexByte(content[:start-1], '\n') + 1
		fresh.lines = slices.Insert(fresh.lines, 0, t.contextLine(previous, start-1, lineBytes))
		fresh.first--
		start = previous
	}
	for range s.context {
		if stop+1 >= len(content) {
			break
		}
		following := lineEnd(content, stop+1)
		fresh.lines = append(fresh.lines, t.contextLine(stop+1, following, lineBytes))
		stop = following
	}
	if len(blocks) == 0 {
		return append(blocks, fresh)
	}
	last := &blocks[len(blocks)-1]
	end := last.first + len(last.lines)
	if s.context == 0 || fresh.first > end {
		return append(blocks, fresh)
	}
	// The context of both overlaps: the new match may stand in the old context.
	last.lines = append(last.lines, fresh.lines[min(end-fresh.first, len(fresh.lines)):]...)
	last.lines[number-last.first].at = at
	return blocks
}
