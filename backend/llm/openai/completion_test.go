package openai

import (
	"encoding/json"
	"testing"
	"time"
)

func FuzzMSG04_WholeArgumentsAreJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":{"b":[1,"}"]}}`, `{"a":"\"}"} `, `{}{}`, `"{\"a\":1}"`, `"a" "b"`, `null`, `12`, `{]`, `}{`, `[1,2] x`, ` `, `{"a":1} {`, `{x}`, `"\\"`,
	} {
		f.Add(seed, 1)
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = max(size, 1)
		var c completion
		for text != "" {
			piece := text[:min(size, len(text))]
			text = text[len(piece):]
			c.add(piece)
			so := c.text.String()
			// A number longer than any honest one counts as one that goes on.
			want := json.Valid([]byte(so)) && (c.began || len(so) <= maxScalar)
			if c.isWhole() != want {
				t.Fatalf("%q is whole: %v, want %v", so, !want, want)
			}
		}
	})
}

// Pieces that each could open a call of their own had the whole text looked at again,
// for every one of them.
func TestSEC11_LongArgumentsAreFollowedOnce(t *testing.T) {
	var a assembler
	began := time.Now()
	add := func(arguments string) {
		if err := a.add(piece{name: "f", arguments: arguments}); err != nil {
			t.Fatal(err)
		}
	}
	for range 200_000 {
		add(`{"a":`)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("200,000 pieces took %v", took)
	}
	if len(a.drafts) != 1 {
		t.Errorf("%d calls", len(a.drafts))
	}
}
