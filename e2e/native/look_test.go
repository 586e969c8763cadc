//go:build e2e && linux

package native

import (
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// corpus is where documents for tests lie.
var corpus = filepath.Join("..", "..", "backend", "tool", "document", "extract", "testdata", "files")

// TestDOC04_FilesAreLookedAtBesideTheTree opens a file of each kind from the tree, and takes the words of a page along.
func TestDOC04_FilesAreLookedAtBesideTheTree(t *testing.T) {
	p := newPlace(t, "text Understood.\n")
	p.write("contract.pdf", contract)
	p.write("accounts.csv", "Day;Amount\n\"Monday; early\";12\n")
	p.write("notes.md", "# Plan\n\n- one *thing*\n")
	p.write("main.go", "package main // here\n")
	for _, name := range []string{"contract-zh.docx", "orders-zh.xlsx"} {
		content, err := os.ReadFile(filepath.Join(corpus, name))
		p.must(err)
		p.write(name, string(content))
	}
	garden, err := os.Create(filepath.Join(p.workspace, "garden.jpg"))
	p.must(err)
	grey := image.NewGray(image.Rect(0, 0, 600, 400))
	for i := range grey.Pix {
		grey.Pix[i] = uint8(i % 600 / 3) // lighter to the right
	}
	p.must(jpeg.Encode(garden, grey, nil))
	p.must(garden.Close())

	w := p.open()
	pane := query{Role: "landmark", Name: w.words.word("workspace.preview.label")}
	field := query{Role: "entry", Name: w.words.word("shell.composer.label")}
	// The first PDF file has its reader made ready, which nothing else waits for.
	w.click(query{Role: "tree item", Has: "contract.pdf"})
	w.enter(field, "typed meanwhile")
	w.keys("ctrl+a", "BackSpace")
	for _, look := range []struct {
		file string
		want query
	}{
		{"accounts.csv", query{Role: "table cell", Text: "Monday; early"}},
		{"contract-zh.docx", query{Role: "heading", Has: "合同"}},
		{"garden.jpg", query{Role: "image", Name: "garden.jpg"}},
		{"main.go", query{Has: "package main"}},
		{"notes.md", query{Role: "heading", Name: "Plan"}},
		{"orders-zh.xlsx", query{Role: "table cell", Text: "晨曦文具店"}},
		{"contract.pdf", query{Has: "Payment"}},
	} {
		w.click(query{Role: "tree item", Has: look.file})
		look.want.Within = &pane
		limit := patience
		if look.file == "contract.pdf" {
			limit += readerTime
		}
		w.seek("find", look.want, limit, nil)
		w.find(query{Role: "tree item", Has: "accounts.csv", States: []string{"showing"}})
	}
	// What is selected on a page is its words: the line begins at 20 of its 300 points.
	page := w.find(query{Role: "panel", Has: "1", Within: &pane}).Box
	y := strconv.Itoa(page[1] + page[3]*48/100)
	w.xdotool("mousemove", strconv.Itoa(page[0]+page[2]*6/100), y, "sleep", "0.3", "mousedown", "1", "sleep", "0.2", "mousemove", strconv.Itoa(page[0]+page[2]*40/100), y,
		"sleep", "0.2", "mousemove", strconv.Itoa(page[0]+page[2]*70/100), y, "sleep", "0.2", "mouseup", "1")
	w.keys("ctrl+c")
	w.click(field)
	w.keys("ctrl+v")
	w.find(query{Role: "entry", Name: field.Name, Text: "Payment is due on the 3rd."})
	w.exitsWell()
}

// TestUI08_OneFileAfterTheOtherIsReadOut looks at texts, each of which screen readers are told of.
func TestUI08_OneFileAfterTheOtherIsReadOut(t *testing.T) {
	p := newPlace(t, "text Understood.\n")
	names := []string{"1.txt", "2.txt", "3.txt"}
	for _, name := range names {
		p.write(name, "This is "+name+"\nand no more\n")
	}
	w := p.open()
	pane := query{Role: "landmark", Name: w.words.word("workspace.preview.label")}
	for _, name := range append(names, names[0]) {
		w.click(query{Role: "tree item", Has: name})
		w.find(query{Has: "This is " + name, Within: &pane})
	}
	w.exitsWell()
}

// TestUI08_WhatIsScrolledToIsReadOut goes to what was far out of sight in a conversation of the last start, in a
// long text and in a long change: screen readers are told of each.
func TestUI08_WhatIsScrolledToIsReadOut(t *testing.T) {
	var script strings.Builder
	const tasks, lines = 4, 900
	for i := range tasks {
		fmt.Fprintf(&script, "chunk %q\ntext End of number %d.\n---\n", strings.Repeat("Some words about it.\n\n", 30), i)
	}
	fmt.Fprintf(&script, "call c1 write_file {\"path\":\"new.txt\",\"content\":\"%sEnd of the change\\n\"}\n---\ntext Done.\n", strings.Repeat(`A line of it\n`, lines))
	p := newPlace(t, script.String())
	p.write("long.txt", strings.Repeat("A line of it\n", lines)+"End of the text\n")
	w := p.open()
	for i := range tasks {
		w.ask("go on")
		w.sees(fmt.Sprintf("End of number %d.", i))
	}
	w.exitsWell()

	w = p.open()
	log := query{Role: "log"}
	w.sees(fmt.Sprintf("End of number %d.", tasks-1))
	w.find(query{Has: fmt.Sprintf("End of number %d.", tasks-2), Within: &log}) // which is above what is seen
	w.seek("focus", log, patience, nil)
	w.keys("Home")
	w.find(query{Has: "End of number 0.", Within: &log})

	w.click(query{Role: "tree item", Has: "long.txt"})
	content := query{Role: "landmark", Name: w.words.word("workspace.preview.content")}
	w.find(query{Has: "A line of it", Within: &content})
	w.seek("focus", content, patience, nil)
	w.keys("End")
	w.find(query{Has: "End of the text", Within: &content})

	w.ask("make a file")
	change := query{Role: "landmark", Name: fmt.Sprintf("Changes: lines added %d, removed 0", lines+1)}
	w.find(query{Has: "A line of it", Within: &change})
	w.seek("focus", change, patience, nil)
	w.keys("End")
	w.find(query{Has: "End of the change", Within: &change})
}

// TestUI15_ATipTakesNoClick clicks on a file that the tip of the one above it covers, as a hand does that is
// faster than the tip: where the tip just came, and where it was another one's before.
func TestUI15_ATipTakesNoClick(t *testing.T) {
	p := newPlace(t, "text Understood.\n")
	names := []string{"1.txt", "2, with a name that is longer.txt", "3.txt"}
	for _, name := range names {
		p.write(name, "Some text.\n")
	}
	w := p.open()
	pane := query{Role: "landmark", Name: w.words.word("workspace.preview.label")}
	first := w.find(query{Role: "tree item", Has: "1.txt"}).Box
	x, height := first[0]+first[2]/2, first[3]
	y := func(row int) string { return strconv.Itoa(first[1] + height/2 + (row-1)*height) }
	// hover leaves the pointer on a row until its tip is another than before.
	tip := ""
	hover := func(row int) {
		before := tip
		side := 1
		eventually(t, "a tip is there", patience, func() bool {
			side = -side // the pointer has to move
			w.xdotool("mousemove", strconv.Itoa(x+side), y(row), "sleep", "0.8")
			windows := strings.Fields(w.xdotool("search", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid)))
			tip = ""
			for _, window := range windows {
				size := strings.Fields(w.xdotool("getwindowgeometry", window))
				tip += size[len(size)-1] + " "
			}
			return len(windows) > 1 && tip != before
		})
	}
	press := func(row int) {
		w.xdotool("mousemove", strconv.Itoa(x), y(row), "click", "1")
		w.find(query{Role: "heading", Name: names[row-1], Within: &pane})
	}
	hover(1)
	hover(2)
	press(3)
	hover(1)
	press(2)
	w.exitsWell()
}
