//go:build !race

package process

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestTOOL04_RecordTellsWhyTextIsNotKept(t *testing.T) {
	errOpen := errors.New("no such folder")
	tests := []struct {
		name    string
		open    func() (io.WriteCloser, error)
		length  int
		spilled int64
		want    error
	}{
		{"no place", nil, 90_000, 0, errNoSpill},
		{"cannot open", func() (io.WriteCloser, error) { return nil, errOpen }, 90_000, 0, errOpen},
		{"disk full", func() (io.WriteCloser, error) { return &broken{20_000}, nil }, 90_000, 20_000, errDiskFull},
		{"just kept", func() (io.WriteCloser, error) { return &broken{SpillLimit}, nil }, SpillLimit, SpillLimit, nil},
		{"too long", func() (io.WriteCloser, error) { return &broken{SpillLimit}, nil }, SpillLimit + 1, SpillLimit, ErrSpillFull},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRecord(test.open)
			text := bytes.Repeat([]byte("x"), test.length)
			for piece := range slices.Chunk(text, 30_000) {
				r.add(piece)
			}
			r.close()
			got := r.textSoFar()
			if got.Spilled != test.spilled || !cmp.Equal(got.SpillErr, test.want, cmpopts.EquateErrors()) {
				t.Errorf("spilled %d, %v", got.Spilled, got.SpillErr)
			}
			if len(got.Head) != HeadLimit || len(got.Tail) != TailLimit {
				t.Errorf("head %d, tail %d", len(got.Head), len(got.Tail))
			}
		})
	}
}

func TestTOOL04_WhatATerminalWouldShow(t *testing.T) {
	long := strings.Repeat("x", maxColumns)
	tests := []struct{ name, in, want string }{
		{"lines", "a\nb\n\nc", "a\nb\n\nc"},
		{"ends of lines of Windows", "a\r\nb\r\n\r\nc  \r\n", "a\r\nb\r\n\r\nc  \r\n"},
		{"ends of lines with too many returns", "a\r\r\nb\r\r\r\n", "a\r\nb\r\n"},
		{"a bar", "\r10%\r20%\r100%\n", "100%\n"},
		{"a bar that ends in both", "10%\r100%\r\n", "100%\r\n"},
		{"a shorter text over a longer one", "abcdef\rXY\n", "XYcdef\n"},
		{"a return at the end", "abc\r", "abc"},
		{"a bar that is blanked", "abc\r   \rd\n", "d\n"},
		{"a bar that is erased", "50% of it\r\x1b[Kdone\n", "done\n"},
		{"a bar that is erased whole", "50% of it\x1b[2K\rdone\n", "done\n"},
		{"erased up to the cursor", "abcdef\b\b\b\x1b[1K\n", "    ef\n"},
		{"erased from the cursor on", "abcdef\b\b\b\x1b[0K\n", "abc\n"},
		{"nothing to be erased", "\x1b[01mx.c:1:\x1b[m\x1b[K error\x1b[K\n", "x.c:1: error\n"},
		{"nothing is erased behind blanks", "a  \x1b[K\n", "a  \n"},
		{"backspaces", "10%\b\b\b20%\b\b\b30%\n", "30%\n"},
		{"more backspaces than text", "ab\b\b\b\bc\n", "cb\n"},
		{"bold print", "N\bNA\bAM\bME\bE _\bx\n", "NAME x\n"},
		{"a column", "50%\x1b[2K\x1b[1G100%\n", "100%\n"},
		{"to the left", "50%\x1b[1000D100%\n", "100%\n"},
		{"to the right", "a\x1b[2Cb\n", "a  b\n"},
		{"a sequence with two numbers", "abc\x1b[1;1Gd\n", "abcd\n"},
		{"tabs stay", "a\tb\n\tc\n", "a\tb\n\tc\n"},
		{"a tab moves over text", "abcdefghij\r\tX\n", "abcdefghXj\n"},
		{"a tab is written over", "a\tb\rxyz\n", "xyz     b\n"},
		{"wide characters", "下载中 10%\r下载完成  \n", "下载完成\n"},
		{"half of a wide character", "目录\rx\n", "x 录\n"},
		{"marks go with their characters", "e\u0301a\rx\n", "xa\n"},
		{"other lines are not reached", "abc\n\bx\ry\n", "abc\ny\n"},
		{"colours", "\x1b[31m10%\x1b[0m\r\x1b[32m100%\x1b[0m\n", "100%\n"},
		{"a row as wide as a terminal has none", long + "abc\rX\n", long + "Xbc\n"},
		{"and not one column more", long + "\rX\n", "X" + long[1:] + "\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for cut := range len(test.in) + 1 {
				// In the middle of a run of the same letter, one cut is as good as another.
				if cut > 100 && cut < len(test.in)-100 && cut%100 != 0 {
					continue
				}
				if kept, _ := wroteRow(test.in[:cut], test.in[cut:]); kept != test.want {
					t.Fatalf("cut at %d: %.200q, want %.200q", cut, kept, test.want)
				}
			}
		})
	}
}

func TestTOOL04_ARowTakesBoundedMemory(t *testing.T) {
	for name, unit := range map[string]string{
		"text": "x", "marks": "\u0301", "tabs": "\t", "colours": "\x1b[31mx", "wide": "目", "edited": "ab\b", "returns": "\rxy", "moves": "x\x1b[100C",
	} {
		w := row{kept: func([]byte) {}, shown: func(_, _ []byte) {}}
		c := newCleaner(func(_, coloured []byte) { w.add(coloured) })
		c.move = w.moveInRow
		for range 200 {
			_, _ = c.Write([]byte(strings.Repeat(unit, 1000)))
			w.flush()
		}
		if size := cap(w.raw) + cap(w.fresh) + cap(w.plain) + 60*cap(w.cells); size > 2<<20 {
			t.Errorf("%s: %d bytes", name, size)
		}
	}
}
