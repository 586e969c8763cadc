package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// phrase is a sequence of words, each in one of several forms.
type phrase struct {
	words   [][]string
	instead string
}

// parsePhrases reads the form of words.txt.
func parsePhrases(text string) ([]phrase, error) {
	var phrases []phrase
	for number, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words, instead, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(instead) == "" {
			return nil, fmt.Errorf("line %d of the word list: %q says nothing to write instead", number+1, line)
		}
		p := phrase{instead: strings.TrimSpace(instead)}
		for _, word := range strings.Fields(words) {
			p.words = append(p.words, strings.Split(word, "|"))
		}
		phrases = append(phrases, p)
	}
	return phrases, nil
}

// exceptions are lines that may use a listed word: text by path.
type exceptions []struct{ path, text string }

// parseExceptions reads the form of exceptions.txt.
func parseExceptions(text string) (exceptions, error) {
	var list exceptions
	for number, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		path, text, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("line %d of the exceptions: %q has no colon", number+1, line)
		}
		list = append(list, struct{ path, text string }{path, strings.TrimSpace(text)})
	}
	return list, nil
}

func (e exceptions) allow(name, line string) bool {
	for _, x := range e {
		samePath := x.path == name || strings.HasSuffix(x.path, "/") && strings.HasPrefix(name, x.path)
		if samePath && strings.Contains(line, x.text) {
			return true
		}
	}
	return false
}

// hit is a place where a phrase begins.
type hit struct {
	line   int // 1-based
	text   string
	phrase phrase
}

// search returns where text uses one of phrases, in order.
func search(text string, phrases []phrase) []hit {
	byFirst := map[string][]phrase{}
	for _, p := range phrases {
		for _, first := range p.words[0] {
			byFirst[first] = append(byFirst[first], p)
		}
	}
	words := splitWords(text)
	var hits []hit
	for i, w := range words {
		for _, p := range byFirst[w.text] {
			if matches(words[i:], p) {
				hits = append(hits, hit{w.line, joinWords(words[i : i+len(p.words)]), p})
			}
		}
	}
	return hits
}

func matches(words []word, p phrase) bool {
	if len(words) < len(p.words) {
		return false
	}
	for i, forms := range p.words {
		if i > 0 && !words[i].follows || !slices.Contains(forms, words[i].text) {
			return false
		}
	}
	return true
}

func joinWords(words []word) string {
	var texts []string
	for _, w := range words {
		texts = append(texts, w.text)
	}
	return strings.Join(texts, " ")
}

// word is a word in lower case.
type word struct {
	text string
	line int
	// follows: nothing but space, a line end with the sign of a comment, or the
	// inside of a name parts it from the word before.
	follows bool
}

// splitWords returns the words of text. A name of several words gives each.
func splitWords(text string) []word {
	var (
		words   []word
		current strings.Builder
		line    = 1
		follows = false
		last    rune
	)
	end := func() {
		if current.Len() > 0 {
			words = append(words, word{strings.ToLower(current.String()), line, follows})
			current.Reset()
			follows = true
		}
	}
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			if unicode.IsUpper(r) && unicode.IsLower(last) {
				end()
			}
			current.WriteRune(r)
		case unicode.IsSpace(r), strings.ContainsRune("/*#_-", r):
			end()
		default:
			end()
			follows = false
		}
		if r == '\n' {
			line++
		}
		last = r
	}
	end()
	return words
}
