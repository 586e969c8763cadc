// Package tokens estimates how many tokens a text is for a model: how much of its
// context window it takes up, before a provider has counted it.
package tokens

import (
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

const (
	// longest is the text that is counted as a whole, in bytes. Usual text takes
	// 0.1 to 0.4 ms a KiB: up to here that is less than what a request costs anyway,
	// and above it a step over a large history would be felt.
	longest = 64 << 10
	// sample is how much of a longer text is counted in each of three places.
	sample = 16 << 10
	// piece is what is counted at once. The library takes time by the square of a
	// run of mixed white space, 3 s for 64 KiB; in pieces that is 0.1 s, and
	// what their ends add is less than 0.2 %.
	piece = 2 << 10
)

// counter counts the tokens of a text.
type counter interface {
	Count(text string) (int, error)
}

// encoding is o200k_base, which takes 20 ms and 7 MB to load.
var encoding = sync.OnceValue(func() counter { return codec.NewO200kBase() })

// Count estimates the tokens of a text, by the encoding o200k_base of OpenAI's
// models. It is an estimate: other models have encodings of their own, providers
// add tokens around messages, and of a text longer than 64 KiB only the beginning,
// the middle and the end are counted. It is safe for concurrent use.
func Count(text string) int {
	if text == "" {
		return 0
	}
	return estimateBy(encoding(), text)
}

func estimateBy(by counter, text string) int {
	if len(text) <= longest {
		return countTokens(by, text)
	}
	middle := start(text, (len(text)-sample)/2)
	end := start(text, len(text)-sample)
	bytes, tokens := 0, 0
	for _, part := range []string{
		text[:start(text, sample)], text[middle:start(text, middle+sample)], text[end:],
	} {
		bytes += len(part)
		tokens += countTokens(by, part)
	}
	return int(int64(tokens) * int64(len(text)) / int64(bytes))
}

// countTokens counts a text in pieces. A piece that the library fails at has a token for
// every four bytes, which is about what English has.
func countTokens(by counter, text string) int {
	all := 0
	for text != "" {
		end := start(text, min(piece, len(text)))
		n, err := by.Count(text[:end])
		if err != nil {
			n = (end + 3) / 4
		}
		all += n
		text = text[end:]
	}
	return all
}

// start is the place of the next character at or after a place; in what is no
// UTF-8, the place itself.
func start(text string, at int) int {
	for next := at; next < len(text) && next < at+utf8.UTFMax; next++ {
		if utf8.RuneStart(text[next]) {
			return next
		}
	}
	return at
}
