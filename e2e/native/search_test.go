//go:build e2e && linux

package native

import (
	"strings"
	"testing"
)

// TestFIND01_APlaceIsFoundAndGoneTo searches two conversations with keys alone, and goes on from the place
// in the one that has it. The keys do not wait for the answers.
func TestFIND01_APlaceIsFoundAndGoneTo(t *testing.T) {
	for _, language := range []string{"en", "zh-CN"} {
		t.Run(language, func(t *testing.T) {
			long := strings.Repeat("A line of the answer.\\n\\n", 60)
			p := newPlace(t, `chunk "The orchard has apples.\n\n`+long+`"
text The end.
---
chunk "Pears as well.\n\n`+long+`"
text The end.
---
text 租赁合同 is here.
`)
			p.speak(language)
			w := p.open()
			w.ask("look for apples")
			w.sees("The orchard has apples.")
			w.ask("and now for pears")
			w.sees("Pears as well.")
			w.find(query{Role: "button", Name: w.words.word("shell.conversation"), States: []string{"sensitive"}})
			w.keys("ctrl+n")
			w.gone(query{Has: "Pears as well."})
			w.ask("something else")
			w.sees("租赁合同 is here.")

			w.activate()
			w.keys("ctrl+shift+f")
			field := query{Role: "entry", Name: w.words.word("search.label")}
			focused := field
			focused.States = []string{"focused"}
			w.find(focused)
			w.types("ORCHARD")
			w.find(query{Role: "button", Has: "The orchard has apples."})
			w.keys("Down", "Return")
			find := query{Role: "entry", Name: w.words.word("search.find.label"), Text: "ORCHARD", States: []string{"focused"}}
			w.find(find)
			w.sees(w.words.word("search.find.count", "at", "1", "n", "1"))
			w.gone(query{Has: "租赁合同 is here."})
			w.inSight("The orchard has apples.")
			w.keys("ctrl+a")
			w.types("line of")
			w.sees(w.words.word("search.find.count", "at", "1", "n", "2"))
			w.keys("Return")
			w.sees(w.words.word("search.find.count", "at", "2", "n", "2"))
			w.inSight("The orchard has apples.")
			w.keys("Escape")
			w.gone(query{Role: "entry", Name: w.words.word("search.find.label")})
			w.find(query{Role: "entry", Name: w.words.word("shell.composer.label"), States: []string{"focused"}})

			w.enter(field, "租赁")
			w.find(query{Role: "button", Has: "租赁合同 is here."})
			w.keys("Escape")
			w.find(query{Role: "entry", Name: field.Name, Text: ""})
			w.exitsWell()
		})
	}
}

// TestUI09_EverythingIsInOneList opens a file, a conversation and a setting with keys that do not wait.
func TestUI09_EverythingIsInOneList(t *testing.T) {
	p := newPlace(t, "text One.\n---\ntext Two.\n")
	p.write("notes.txt", "what is to be done\n")
	w := p.open()
	w.ask("first task")
	w.sees("One.")
	w.keys("ctrl+p")
	w.types("notes")
	w.find(query{Role: "list item", Has: "notes.txt"})
	w.keys("Return")
	w.sees("what is to be done")
	w.keys("ctrl+n")
	w.gone(query{Has: "One."})
	w.ask("second task")
	w.sees("Two.")
	w.keys("ctrl+e")
	w.types("first")
	w.find(query{Role: "list item", Has: "first task"})
	w.keys("Return")
	w.sees("One.")
	w.keys("ctrl+k")
	w.types("shortcuts")
	w.find(query{Role: "list item", Has: w.words.word("actions.keys")})
	w.keys("Return")
	w.sees(w.words.word("palette.keys.question.title"))
	w.keys("Escape")
	w.gone(query{Has: w.words.word("palette.keys.question.title")})
	w.find(query{Role: "entry", Name: w.words.word("shell.composer.label"), States: []string{"focused"}})
	w.exitsWell()
}

// inSight waits until the beginning of a paragraph of the conversation is in sight.
func (w *window) inSight(text string) {
	w.t.Helper()
	log := query{Role: "log"}
	eventually(w.t, text+" is in sight", patience, func() bool {
		seen, found := w.find(log).Box, w.find(query{Role: "paragraph", Has: text, Within: &log}).Box
		return len(found) == 4 && found[1] >= seen[1] && found[1] < seen[1]+seen[3]
	})
}
