package process

import (
	"io"
	"sync"
	"unicode/utf8"
)

// output is what a command has written so far, for all who look at it. One side
// writes it, any number read it meanwhile.
type output struct {
	// live is for those who wait for the command.
	live *live

	mu sync.Mutex
	// row is the line that the command is writing, record what came before it.
	row    row
	record *record
	// newest is for those who look at a job now and then: what was shown, with its
	// colours. settled is the newest text that cannot change any more. Both are nil
	// where nobody can look.
	newest, settled *ring
	// readers says of each reader how far it has read, and begin where one begins
	// that has not read yet.
	readers map[string]position
	begin   position
}

// position is a place in an output.
type position struct {
	// place is that in the settled text.
	place int64
	// characters counts those of the text before it.
	characters int64
	// row is the line that was not settled then, and edits counts how often anything
	// had been written over.
	row   string
	edits int
}

// newOutput returns the output of a command; for a job others can look at it.
func newOutput(c Command, job bool) *output {
	o := &output{live: newLive(c.Output), record: newRecord(c.Spill)}
	if job {
		o.newest, o.settled, o.readers = &ring{}, &ring{}, map[string]position{}
	}
	o.row.kept, o.row.shown = o.keepText, o.showText
	return o
}

// copy takes what comes from a pipe until that ends or is closed. Both look the same
// here: what was read is all there is.
func (o *output) copy(pipe io.Reader) {
	text := newCleaner(func(_, coloured []byte) { o.row.add(coloured) })
	text.move = o.row.moveInRow
	out := newDecoder(text)
	buffer := make([]byte, 32<<10)
	for {
		n, err := pipe.Read(buffer)
		o.takeBytes(out, buffer[:n])
		if err != nil {
			break
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = out.Close()
	text.endOutput()
	o.row.endText()
	o.record.close()
}

// takeBytes takes what came next, by way of what makes text of it.
func (o *output) takeBytes(out io.Writer, p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.record.raw += int64(len(p))
	// Neither the decoder nor the cleaner can fail to write.
	_, _ = out.Write(p)
	o.row.flush()
}

// keepText takes text that cannot change any more. The caller holds the lock.
func (o *output) keepText(text []byte) {
	o.record.add(text)
	if o.settled != nil {
		o.settled.add(text)
	}
}

// showText takes the next text for those who look, without and with its colours. The caller
// holds the lock.
func (o *output) showText(text, coloured []byte) {
	if o.newest != nil {
		o.newest.add(coloured)
	}
	o.live.add(text)
}

// currentText returns the text so far.
func (o *output) currentText() Text {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.record.textWith(o.row.currentText())
}

// handOver returns the text so far, and has readers begin after it.
func (o *output) handOver() Text {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begin = o.endPosition()
	return o.record.textWith(o.row.currentText())
}

// endPosition is where a reader is that has read everything. The caller holds the lock.
func (o *output) endPosition() position {
	return position{o.settled.end, o.record.runes, string(o.row.currentText()), o.row.edits}
}

// read returns the text that a reader has not read yet, and notes that it has.
// skipped counts the characters before it that are gone.
func (o *output) read(reader string) (text Text, skipped int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	last, ok := o.readers[reader]
	if !ok {
		last = o.begin
	}
	now := o.endPosition()
	o.readers[reader] = now
	settled, _ := o.settled.textSince(last.place)
	skipped = now.characters - last.characters - int64(utf8.RuneCount(settled))
	unread := append(settled, now.row...)
	if now.edits == last.edits { // else the row that was read may be another one now
		read := int64(utf8.RuneCountInString(last.row))
		gone := min(skipped, read)
		skipped -= gone
		unread = unread[prefixBytes(unread, int(read-gone)):]
	}
	fresh := newRecord(nil)
	fresh.add(unread)
	text = fresh.textSoFar()
	text.Bytes, text.Spilled, text.SpillErr = o.record.raw, o.record.spill.written, o.record.spill.err
	return text, skipped
}

// tailFrom returns the text with its colours from a place in it on, or from where it
// is still there, and the place after it.
func (o *output) tailFrom(from int64) (text string, begin, next int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	coloured, begin := o.newest.textSince(from)
	return string(coloured), begin, o.newest.end
}
