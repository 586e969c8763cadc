package openai

import (
	"strings"
	"unicode"
)

// restated joins the pieces of a text. Some services have each piece restate all so far,
// which is taken for sure once the first three pieces were of that kind: hardly any other
// text begins with growing copies of itself.
type restated struct {
	kind restating
	// whole is the last piece that restated all so far, and held one that may.
	whole, held string
}

type restating int

const (
	undecided restating = iota
	restates
	plainPieces
)

// add takes a piece and returns the text that is new in it.
func (r *restated) add(piece string) string {
	if piece == "" || r.kind == plainPieces {
		return piece
	}
	rest, again := strings.CutPrefix(piece, r.whole)
	again = again && rest != ""
	switch {
	case r.kind == restates && again:
		r.whole = piece
		return rest
	case r.kind == restates && strings.HasPrefix(r.whole, piece):
		return "" // the whole once more, at its end
	case r.kind == restates:
		r.whole += piece
		return piece
	case r.whole == "" && strings.ContainsFunc(piece, isLetterOrDigit):
		r.whole = piece
		return piece
	case r.whole != "" && r.held == "" && again:
		r.held = piece
		return ""
	case r.held != "" && len(piece) > len(r.held) && strings.HasPrefix(piece, r.held):
		r.kind, r.whole, r.held = restates, piece, ""
		return rest
	}
	r.kind = plainPieces
	return r.release() + piece
}

// release returns what is held at the end.
func (r *restated) release() string {
	held := r.held
	r.held = ""
	return held
}

func isLetterOrDigit(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
