package process

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"
)

// written returns the output of a job that wrote the pieces.
func written(pieces ...string) *output {
	o := newOutput(Command{}, true)
	o.copy(strings.NewReader(strings.Join(pieces, "")))
	return o
}

func TestRingKeepsTheNewestText(t *testing.T) {
	const all = 3*ringLimit + 12345
	text := make([]byte, all)
	for i := range text {
		text[i] = "abcdefghijklmnopq"[i%17]
	}
	for _, piece := range []int{1, 1000, 32 << 10, ringLimit, ringLimit + 1, all} {
		r := &ring{}
		for at := 0; at < all; at += piece {
			r.add(text[at:min(at+piece, all)])
			end := min(at+piece, all)
			if got, begin := r.textSince(int64(end - 10)); end > 10 && (string(got) != string(text[end-10:end]) || begin != int64(end-10)) {
				t.Fatalf("pieces of %d: at %d: %q from %d", piece, end, got, begin)
			}
		}
		for _, from := range []int{-1, 0, 1, all - ringLimit - 1, all - ringLimit, all - ringLimit + 1, all - 1, all, all + 1} {
			want := min(max(from, all-ringLimit), all)
			if got, begin := r.textSince(int64(from)); begin != int64(want) || !bytes.Equal(got, text[want:]) {
				t.Errorf("pieces of %d: %d bytes from %d, asked for %d", piece, len(got), begin, from)
			}
		}
		if cap(r.buffer) > 3*ringLimit/2 {
			t.Errorf("pieces of %d: %d bytes are kept", piece, cap(r.buffer))
		}
	}
}

func TestTOOL05_ReaderIsToldWhatItMissed(t *testing.T) {
	const line = "\x1b[32m目录\x1b[0m 12345\n" // 22 bytes, 9 characters of text
	for _, count := range []int{1, 1000, 100_000} {
		o := written()
		o.copy(strings.NewReader("first\n"))
		if text, skipped := o.read("model"); text.Head != "first\n" || skipped != 0 {
			t.Errorf("%+v, %d", text, skipped)
		}
		o.copy(strings.NewReader(strings.Repeat(line, count)))
		text, skipped := o.read("model")
		shown := int64(utf8.RuneCountInString(text.Head)+utf8.RuneCountInString(text.Tail)) + text.Omitted
		if skipped+shown != int64(9*count) {
			t.Errorf("%d lines: %d characters skipped, %d shown", count, skipped, shown)
		}
		if lost := count*22 > ringLimit; lost != (skipped > 0) {
			t.Errorf("%d lines: %d characters skipped", count, skipped)
		}
		if text.Bytes != int64(6+22*count) {
			t.Errorf("%d lines: %d bytes", count, text.Bytes)
		}
		if again, skipped := o.read("model"); again.Head != "" || again.Omitted != 0 || skipped != 0 {
			t.Errorf("%d lines: the next reading has %+v, skipped %d", count, again, skipped)
		}
	}
}

func TestTOOL04_ReadingSaysWhereAllOfItIs(t *testing.T) {
	spilled := &file{}
	o := newOutput(Command{Spill: func() (io.WriteCloser, error) { return spilled, nil }}, true)
	o.copy(strings.NewReader(strings.Repeat("x", 1000)))
	if text, _ := o.read("model"); text.Spilled != 0 || text.SpillErr != nil || len(text.Head) != 1000 {
		t.Errorf("%+v", text)
	}
	o.copy(strings.NewReader(strings.Repeat("y", HeadLimit+TailLimit+1)))
	text, _ := o.read("model")
	if text.Omitted != 1 || text.Spilled != HeadLimit+TailLimit+1001 || text.SpillErr != nil || spilled.Len() != int(text.Spilled) {
		t.Errorf("%d left out, %d spilled, %v", text.Omitted, text.Spilled, text.SpillErr)
	}
}

func TestTailBeginsAtAWholeCharacter(t *testing.T) {
	tests := []struct{ name, in, begins string }{
		{"text", "abc", "bc"},
		{"text that looks like numbers", "12\n", "2\n"},
		{"character", "目\n", "\n"},
		{"wide character", "🙂\n", "\n"},
		{"colour", "\x1b[1;31mred", "red"},
		{"colour without a number", "\x1b[mred", "red"},
		{"colours", "\x1b[31m\x1b[4mred", "\x1b[4mred"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// The ring has lost two bytes, the second of which is the first of the text.
			o := written("x", test.in, strings.Repeat("z", ringLimit+1-len(test.in)))
			text, begin, next := o.tailFrom(0)
			want := test.begins + strings.Repeat("z", ringLimit+1-len(test.in))
			if text != want || begin != int64(1+len(test.in)-len(test.begins)) || next != int64(ringLimit+2) {
				t.Errorf("%.20q from %d to %d, want %.20q", text, begin, next, want)
			}
		})
	}
}

func TestTailGoesOn(t *testing.T) {
	o := written("\x1b]0;title\a\x1b[31mred\x1b[K\x1b[0m\n")
	text, begin, next := o.tailFrom(0)
	if text != "\x1b[31mred\x1b[0m\n" || begin != 0 || next != int64(len(text)) {
		t.Errorf("%q from %d to %d", text, begin, next)
	}
	o.copy(strings.NewReader("5m of it\n"))
	if text, begin, _ = o.tailFrom(next); text != "5m of it\n" || begin != next {
		t.Errorf("%q from %d", text, begin)
	}
	for _, from := range []int64{-5, 2, next + 100} {
		if text, begin, next := o.tailFrom(from); !utf8.ValidString(text) || begin+int64(len(text)) != next {
			t.Errorf("from %d: %q from %d to %d", from, text, begin, next)
		}
	}
}

func BenchmarkOutput(b *testing.B) {
	for name, line := range map[string]string{"plain": "0123456789 and so on\n", "coloured": "\x1b[31mred\x1b[0m and so on\n"} {
		for _, job := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s, job %v", name, job), func(b *testing.B) {
				text := strings.Repeat(line, (1<<20)/len(line))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					newOutput(Command{}, job).copy(strings.NewReader(text))
				}
			})
		}
	}
}
