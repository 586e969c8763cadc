package search

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"fairlead/backend/workspace"
)

const (
	// windowSize is how much of a large file is searched at once, in bytes, beside the
	// lines around it.
	windowSize = 1 << 20
	// keptLine is how much of a line of a large file is kept: more is neither searched
	// nor shown, nor looked at for secrets.
	keptLine = maxLine + lineBytes + secretBytes + 1
)

// searchLarge returns the matches of a file of any size, which it goes through in windows of
// whole lines. It reads no more than the file had when it was opened.
func (s *scan) searchLarge(ctx context.Context, file *workspace.File) ([]block, error) {
	source := bufio.NewReaderSize(io.LimitReader(file, file.Size), windowSize/4)
	if text, ok := workspace.ReadUTF16(source); ok {
		source = bufio.NewReaderSize(text, windowSize/4)
	}
	sample, err := source.Peek(binarySample)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.IndexByte(sample, 0) >= 0 {
		return nil, nil
	}
	w := window{source: source}
	var blocks []block
	count := 0
	for !w.ended && ctx.Err() == nil && count <= maxMatches {
		if err := w.fillWindow(); err != nil {
			return blocks, err
		}
		end := w.searchableEnd(s.context)
		t := &text{content: w.content, before: w.secrets}
		blocks, count = s.searchPieces(ctx, t, w.next, end, w.number, blocks, count)
		w.slideTo(end, s.context)
	}
	s.matches.Add(int64(count))
	return blocks, nil
}

// window is the part of a large file that is searched: lines that were, for the context
// of those after them, and lines that were not.
type window struct {
	source *bufio.Reader
	// content are whole lines with LF line endings, of long ones only what is kept.
	content []byte
	// next is where the lines begin that were not searched, the first of which has a
	// number.
	next, number int
	// secrets is in the state before content.
	secrets workspace.Hider
	// ended means that nothing follows content.
	ended bool
}

// fillWindow reads whole lines until there is enough to be searched.
func (w *window) fillWindow() error {
	if w.number == 0 {
		w.number = 1
	}
	for begin, full := len(w.content), len(w.content)+windowSize; begin < full; {
		part, err := w.source.ReadSlice('\n')
		line := len(w.content) - begin
		w.content = append(w.content, part[:min(len(part), max(0, keptLine-line))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case err != nil:
			w.ended = true
			return nil
		}
		// What is kept of a long line has not got its end.
		w.content = append(bytes.TrimSuffix(bytes.TrimSuffix(w.content, []byte("\n")), []byte("\r")), '\n')
		begin = len(w.content)
	}
	return nil
}

// searchableEnd returns the end of the lines after which so many more are there as context,
// or nothing follows.
func (w *window) searchableEnd(context int) int {
	end := len(w.content)
	if w.ended {
		return end
	}
	for range context {
		if end = bytes.LastIndexByte(w.content[:max(w.next, end-1)], '\n') + 1; end <= w.next {
			return w.next
		}
	}
	return end
}

// slideTo gives up what was searched up to an end, but for so many lines of context.
func (w *window) slideTo(end, context int) {
	w.number += bytes.Count(w.content[w.next:end], []byte("\n"))
	keep := end
	for range context {
		if keep == 0 {
			break
		}
		keep = bytes.LastIndexByte(w.content[:keep-1], '\n') + 1
	}
	if gone := w.content[:keep]; w.secrets.Under() || workspace.HasKeys(gone) {
		for line := range bytes.Lines(gone) {
			w.secrets.Pass(bytes.TrimSuffix(line, []byte("\n")))
		}
	}
	w.content = append(w.content[:0], w.content[keep:]...)
	w.next = end - keep
}
