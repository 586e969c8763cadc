package process

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// file is a spill in memory.
type file struct {
	bytes.Buffer
	closed int
}

func (f *file) Close() error { f.closed++; return nil }

func TestTOOL04_RecordKeepsHeadAndTail(t *testing.T) {
	const fits = HeadLimit + TailLimit
	tests := []struct {
		name  string
		unit  string
		count int
		piece int
	}{
		{"empty", "a", 0, 100},
		{"short", "a", 10, 3},
		{"just fits", "a", fits, 1000},
		{"one too many", "b", fits + 1, 1000},
		{"just fits, wide", "目", fits, 999},
		{"one too many, wide", "🙂", fits + 1, 997},
		{"at once", "é", 300_000, 300_000},
		{"one by one", "c", fits + 500, 1},
		{"very long", "ab目", 1_000_000, 8191},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			whole := []rune(strings.Repeat(test.unit, test.count))
			spilled, opened := &file{}, 0
			r := newRecord(func() (io.WriteCloser, error) { opened++; return spilled, nil })
			for rest := whole; len(rest) > 0; {
				n := min(test.piece, len(rest))
				r.add([]byte(string(rest[:n])))
				rest = rest[n:]
				if len(r.tail) > 2*4*TailLimit {
					t.Fatalf("the tail has grown to %d bytes", len(r.tail))
				}
			}
			r.close()

			want := Text{Head: string(whole)}
			if len(whole) > fits {
				want = Text{
					Head:    string(whole[:HeadLimit]),
					Tail:    string(whole[len(whole)-TailLimit:]),
					Omitted: int64(len(whole) - fits),
					Spilled: int64(len(string(whole))),
				}
			}
			if diff := cmp.Diff(want, r.textSoFar()); diff != "" {
				t.Error(diff)
			}
			if long := len(whole) > fits; long && (opened != 1 || spilled.closed != 1 || spilled.String() != string(whole)) {
				t.Errorf("opened %d times, closed %d times, %d bytes", opened, spilled.closed, spilled.Len())
			} else if !long && opened != 0 {
				t.Error("a short text was spilled")
			}
		})
	}
}

// broken is a file on a full disk.
type broken struct{ left int }

var errDiskFull = errors.New("disk full")

func (b *broken) Write(p []byte) (int, error) {
	n := min(b.left, len(p))
	b.left -= n
	if n < len(p) {
		return n, errDiskFull
	}
	return n, nil
}

func (b *broken) Close() error { return nil }
