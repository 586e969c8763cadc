package tokens

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

const (
	english = "The quick brown fox jumps over the lazy dog, and nobody asks it why. "
	chinese = "人人生而自由，在尊严和权利上一律平等。"
	code    = "func (s *Store) Rename(ctx context.Context, id string) error {\n\treturn nil\n}\n"
	// blank is the white space that the library is slowest at.
	blank = " \r\n\t"
)

func TestCountsOfKnownTexts(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{
		{"", 0},
		{"a", 1},
		{"hello world", 2},
		{"antidisestablishmentarianism", 6},
		{english, 17},
		{chinese, 15},
		{code, 20},
		{"日本語", 2},
		{"🙂", 1},
		{"<|endoftext|>", 7}, // in a text it is no end
		{strings.Repeat("a", 1000), 125},
	} {
		if got := Count(test.text); got != test.want {
			t.Errorf("%.30q has %d tokens, want %d", test.text, got, test.want)
		}
	}
}

// TestCountAtOnce is for the race detector: runs share what is loaded.
func TestCountAtOnce(t *testing.T) {
	want := Count(code)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if got := Count(code); got != want {
					t.Errorf("%d tokens, want %d", got, want)
				}
			}
		})
	}
	all.Wait()
}

// broken is a library that fails at texts with a word in them.
type broken string

func (b broken) Count(text string) (int, error) {
	if strings.Contains(text, string(b)) {
		return 7, errors.New("broken")
	}
	return 1, nil
}

func TestAFailingLibrary(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{
		{"bad", 1},
		{"bad bad", 2},
		{"good", 1},
		{strings.Repeat("good", piece/4) + strings.Repeat("bad ", piece/4), 1 + piece/4},
		{strings.Repeat("bad ", 1<<20), 1 << 20},
	} {
		got := estimateBy(broken("bad"), test.text)
		if difference := got - test.want; difference < -1 || difference > 1 {
			t.Errorf("%d bytes are %d tokens, want %d", len(test.text), got, test.want)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	for _, size := range []int{1 << 10, longest, 10 << 20} {
		for _, text := range []string{english, chinese, code, "a", blank} {
			b.Run(fmt.Sprintf("%.8q/%d", text, size), func(b *testing.B) {
				whole := strings.Repeat(text, size/len(text))
				b.SetBytes(int64(len(whole)))
				for b.Loop() {
					Count(whole)
				}
			})
		}
	}
}
