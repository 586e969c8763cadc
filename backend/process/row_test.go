package process

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// wroteRow returns what is kept of pieces of output, and what was shown of it.
func wroteRow(pieces ...string) (kept, shown string) {
	var k, s strings.Builder
	w := row{kept: func(text []byte) { k.Write(text) }, shown: func(text, coloured []byte) {
		if uncolour(string(coloured)) != string(text) {
			panic(fmt.Sprintf("%q and %q are not the same text", coloured, text))
		}
		s.Write(text)
	}}
	c := newCleaner(func(_, coloured []byte) { w.add(coloured) })
	c.move = w.moveInRow
	for _, piece := range pieces {
		_, _ = c.Write([]byte(piece))
		w.flush()
	}
	c.endOutput()
	w.endText()
	return k.String(), s.String()
}

func uncolour(text string) string { return sgr.ReplaceAllString(text, "") }

func TestTOOL04_AProgressBarIsOneLine(t *testing.T) {
	var bar strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&bar, "\r\x1b[32m%4d of 3000\x1b[0m", i+1)
	}
	const want = "first\n3000 of 3000\nlast\n"
	for _, piece := range []int{1, 100, 32 << 10} {
		var live strings.Builder
		o := newOutput(Command{}, true)
		o.live.emit = func(text string) { live.WriteString(text) }
		text := newCleaner(func(_, coloured []byte) { o.row.add(coloured) })
		text.move = o.row.moveInRow
		for part := range slices.Chunk([]byte("first\n"+bar.String()+"\nlast\n"), piece) {
			o.takeBytes(text, part)
			o.live.flush()
		}
		if text := o.currentText(); text.Head != want {
			t.Errorf("pieces of %d: %d characters: %.100q", piece, len(text.Head), text.Head)
		}
		if text, skipped := o.read("model"); text.Head != want || skipped != 0 {
			t.Errorf("pieces of %d: a reader has %.100q, %d skipped", piece, text.Head, skipped)
		}
		if got := pageOf(live.String()); got != want {
			t.Errorf("pieces of %d: the window shows %.100q", piece, got)
		}
	}
}

func TestTOOL05_AReaderHasTheLineThatIsWritten(t *testing.T) {
	o := newOutput(Command{}, true)
	text := newCleaner(func(_, coloured []byte) { o.row.add(coloured) })
	text.move = o.row.moveInRow
	for _, step := range []struct{ in, fresh, all string }{
		{"Password: ", "Password: ", "Password: "},
		{"\n10%", "\n10%", "Password: \n10%"},
		{"\r20%", "20%", "Password: \n20%"},
		{"\r20%\b\b30%", "230%", "Password: \n230%"},
		{"\r\x1b[Kdone\nnext", "done\nnext", "Password: \ndone\nnext"},
		{"\x1b[2K", "", "Password: \ndone\n"},
	} {
		o.takeBytes(text, []byte(step.in))
		if got, skipped := o.read("model"); got.Head != step.fresh || skipped != 0 {
			t.Errorf("after %q a reader has %q, %d skipped", step.in, got.Head, skipped)
		}
		if got := o.currentText(); got.Head != step.all {
			t.Errorf("after %q all is %q", step.in, got.Head)
		}
	}
}

// plainRow is what a terminal is, as plainly as it can be said: columns of characters, of
// which the further ones of a wide character are empty.
type plainRow struct {
	columns  []string
	at       int
	edited   bool
	verbatim string
}

func (p *plainRow) set(at int, text string) {
	for len(p.columns) <= at {
		p.columns = append(p.columns, " ")
	}
	p.columns[at] = text
}

// whole blanks the characters of which only a part is in some columns.
func (p *plainRow) whole(from, to int) {
	n := len(p.columns)
	for i := max(0, from); i < min(to, n); i++ {
		first, last := i, i+1
		for first > 0 && p.columns[first] == "" {
			first--
		}
		for last < n && p.columns[last] == "" {
			last++
		}
		for k := first; k < last; k++ {
			p.columns[k] = " "
		}
	}
}

var motion = regexp.MustCompile("^\x1b\\[([0-9]*)([A-Za-z])")

// plainly is what a terminal shows of a text.
func plainly(text string) string {
	var out strings.Builder
	p, returned := &plainRow{}, false
	show := func(end string) {
		line := p.verbatim
		if p.edited {
			line = strings.TrimRight(strings.Join(p.columns, ""), " ")
		}
		out.WriteString(line + end)
		p = &plainRow{}
	}
	for len(text) > 0 {
		n, final := 0, byte(0)
		size := 1
		switch found := motion.FindStringSubmatch(text); {
		case text[0] == '\n' && returned:
			show("\r\n")
			returned = false
			text = text[1:]
			continue
		case text[0] == '\n':
			show("\n")
			text = text[1:]
			continue
		case text[0] == '\r':
			returned = true
			text = text[1:]
			continue
		case text[0] == '\b':
			n, final = 1, 'D'
		case found != nil:
			_, _ = fmt.Sscan(found[1], &n)
			size, final = len(found[0]), found[2][0]
			if final != 'K' {
				n = max(n, 1)
			}
		}
		if final == 'm' {
			text = text[size:]
			continue
		}
		if returned {
			p.at, p.edited, returned = 0, true, false
		}
		if final != 0 {
			text = text[size:]
			p.edited = p.edited || final == 'C' || len(p.columns) > 0 && (final != 'K' || n > 0) || final == 'G' && n > 1
			switch {
			case final == 'D':
				p.at = max(0, p.at-n)
			case final == 'C':
				p.at = min(maxColumns-1, p.at+n)
			case final == 'G':
				p.at = min(maxColumns, n) - 1
			case final == 'K' && n == 0:
				p.whole(p.at, len(p.columns))
				p.columns = p.columns[:min(p.at, len(p.columns))]
			case final == 'K' && n == 1:
				p.whole(0, p.at+1)
			case final == 'K' && n == 2:
				p.columns = nil
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		base, marks := p.at-1, maxMarks
		for base > 0 && base < len(p.columns) && p.columns[base] == "" {
			base--
		}
		if base >= 0 && base < len(p.columns) {
			marks = utf8.RuneCountInString(p.columns[base]) - 1
		}
		wide := columnsOf(r, p.at, marks)
		switch {
		case r == '\t' && p.at < len(p.columns):
			p.at = min(p.at+wide, maxColumns-1)
		case wide == 0:
			p.columns[base] += string(r)
			p.verbatim += string(r)
		case p.at+wide > maxColumns:
			for len(p.columns) < p.at {
				p.columns = append(p.columns, " ")
			}
			out.WriteString(strings.Join(p.columns, ""))
			p = &plainRow{}
			continue
		default:
			p.whole(p.at, p.at+wide)
			for i := range wide {
				p.set(p.at+i, "")
			}
			p.set(p.at, string(r))
			p.at += wide
			p.verbatim += string(r)
		}
		text = text[size:]
	}
	show("")
	return out.String()
}

// pageOf is what the page makes of what is shown: a return begins the line anew.
func pageOf(shown string) string {
	var lines []string
	for line := range strings.SplitSeq(shown, "\n") {
		line = strings.TrimRight(line, "\r")
		lines = append(lines, strings.TrimRight(line[strings.LastIndexByte(line, '\r')+1:], " "))
	}
	return strings.Join(lines, "\n")
}

func FuzzRow(f *testing.F) {
	units := []string{
		"a", "b", " ", "\t", "\r", "\n", "\r\n", "\b", "\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[G", "\x1b[5G", "\x1b[3D", "\x1b[2C",
		"\x1b[31m", "\x1b[0m", "目", "\u0301", "é", "50%", strings.Repeat("x", 500), "\x1b[4095G", "\x1b[9C", "\b\b\b",
	}
	f.Add([]byte{0, 4, 1, 5}, 2)
	f.Add([]byte{15, 23, 2}, 2)
	f.Add([]byte{20, 4, 20, 8, 6, 17, 7, 0, 5}, 4)
	f.Add([]byte{21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 4, 1, 21, 22, 3, 17, 5}, 9)
	f.Add([]byte{18, 18, 0, 18, 7, 18, 3, 4, 3, 17, 4, 3, 7, 1, 15, 4, 16, 5}, 3)
	f.Add([]byte{15, 24, 2}, 0)
	f.Fuzz(func(t *testing.T, which []byte, cut int) {
		var b strings.Builder
		for _, at := range which[:min(len(which), 200)] {
			b.WriteString(units[int(at)%len(units)])
		}
		in := b.String()
		want := plainly(in)
		kept, shown := wroteRow(in)
		if kept != want {
			t.Fatalf("%q is %q, want %q", in, kept, want)
		}
		if strings.Count(in, "\n") != strings.Count(kept, "\n") {
			t.Errorf("lines of %q went missing: %q", in, kept)
		}
		if cut > 0 && cut < len(in) {
			again, again2 := wroteRow(in[:cut], in[cut:])
			if again != want {
				t.Fatalf("%q cut at %d is %q, want %q", in, cut, again, want)
			}
			shown = again2
		}
		if len(in) < maxColumns/2 && !strings.Contains(in, "\x1b[4095G") {
			if got, want := pageOf(shown), pageOf(kept); got != want {
				t.Errorf("%q is shown as %q, want %q", in, shown, want)
			}
		}
	})
}
