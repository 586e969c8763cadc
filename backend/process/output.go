package process

import (
	"io"
	"sync"
)

// output is what a command has written so far, for all who look at it. One side
// writes it, any number read it meanwhile.
type output struct {
	// live is for whoever waits for the command.
	live *live

	mu     sync.Mutex
	record *record
	// newest is for those who look at a job now and then; nil where nobody can.
	newest *ring
	// readers says of each reader how far it has read, and begin where one begins
	// that has not read yet.
	readers map[string]position
	begin   position
}

// position is a place in an output.
type position struct {
	// place is that in the ring.
	place int64
	// characters counts those of the text before it.
	characters int64
}

// newOutput returns the output of a command; for a job others can look at it.
func newOutput(c Command, job bool) *output {
	o := &output{live: newLive(c.Output), record: newRecord(c.Spill)}
	if job {
		o.newest, o.readers = &ring{}, map[string]position{}
	}
	return o
}

// copy takes what comes from a pipe until that ends or is closed. Both look the same
// here: what was read is all there is.
func (o *output) copy(pipe io.Reader) {
	text := newCleaner(o.add)
	out := decoder(text)
	buffer := make([]byte, 32<<10)
	for {
		n, err := pipe.Read(buffer)
		o.count(n)
		// Neither the decoder nor the cleaner can fail to write.
		_, _ = out.Write(buffer[:n])
		if err != nil {
			break
		}
	}
	_ = out.Close()
	text.end()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.record.close()
}

// count counts what came, before it is text.
func (o *output) count(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.record.raw += int64(n)
}

// add takes the next text, without and with its colours.
func (o *output) add(text, coloured []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.record.add(text)
	if o.newest != nil {
		o.newest.add(coloured)
	}
	o.live.add(text)
}

// text returns the text so far.
func (o *output) text() Text {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.record.text()
}

// hand returns the text so far, and has readers begin after it.
func (o *output) hand() Text {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begin = o.now()
	return o.record.text()
}

func (o *output) now() position { return position{o.newest.end, o.record.runes} }

// read returns the text that a reader has not read yet, and notes that it has.
// skipped counts the characters before it that are gone.
func (o *output) read(reader string) (text Text, skipped int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	last, ok := o.readers[reader]
	if !ok {
		last = o.begin
	}
	o.readers[reader] = o.now()
	fresh := newRecord(nil)
	uncolour := newCleaner(func(plain, _ []byte) { fresh.add(plain) })
	coloured, _ := o.newest.since(last.place)
	_, _ = uncolour.Write(coloured) // it cannot fail
	text = fresh.text()
	text.Bytes, text.Spilled, text.SpillErr = o.record.raw, o.record.spill.written, o.record.spill.err
	return text, o.record.runes - last.characters - fresh.runes
}

// tail returns the text with its colours from a place in it on, or from where it
// is still there, and the place after it.
func (o *output) tail(from int64) (text string, begin, next int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	coloured, begin := o.newest.since(from)
	return string(coloured), begin, o.newest.end
}
