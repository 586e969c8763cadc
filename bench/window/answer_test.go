package window

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAnswer_HasTheShapeOfALongOne(t *testing.T) {
	text := longAnswer()
	if text != longAnswer() {
		t.Error("two answers differ")
	}
	if runes := utf8.RuneCountInString(text); runes < answerRunes || runes > answerRunes*11/10 {
		t.Errorf("%d characters, want some more than %d", runes, answerRunes)
	}
	if fences := strings.Count(text, "\n```"); fences < 32 || fences%2 != 0 {
		t.Errorf("%d lines begin or end code, want at least 32 and none left open", fences)
	}
	for _, part := range []string{"\n## 16.", "\n|---|", "\n  - ", "\n> ", "\n1. ", "测试", "```typescript", "```json"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in the answer", part)
		}
	}
	if !strings.HasSuffix(text, "\n"+answerEnd+"\n") {
		t.Errorf("it ends with %q", text[len(text)-80:])
	}
}

func TestDeltas_AreTheWholeText(t *testing.T) {
	text := longAnswer()
	pieces := splitDeltas(text)
	if len(pieces) < 20_000 || len(pieces) > 22_000 {
		t.Errorf("%d deltas, want a little more than 20,000", len(pieces))
	}
	for _, piece := range pieces {
		if !utf8.ValidString(piece) {
			t.Fatalf("%q is cut within a character", piece)
		}
	}
	if strings.Join(pieces, "") != text {
		t.Error("the deltas are not the text")
	}
}
