//go:build e2e && linux

package native

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestDESK07_SoakTheEndStaysInSight works in many steps, some of which are approved: in
// the dialog, by the card's key and by a click on the card.
func TestDESK07_SoakTheEndStaysInSight(t *testing.T) {
	steps, every := 6, 2
	if soak {
		steps, every = 40, 5
	}
	asked := func(i int) bool { return i%every == every-1 }
	var script strings.Builder
	for i := range steps {
		fmt.Fprintf(&script, "text Step %d. %s\n", i, strings.Repeat("Some words about what is done next, and why. ", 8))
		if asked(i) {
			fmt.Fprintf(&script, "call c%d write_file {\"path\":\"file%d.txt\",\"content\":\"%s\"}\n---\n", i, i, strings.Repeat(`line\n`, 8))
		} else {
			fmt.Fprintf(&script, "call c%d read_file {\"path\":\"note%d.txt\"}\n---\n", i, i)
		}
	}
	// The rounds fold, so that there has to be something else to scroll.
	script.WriteString("chunk \"" + strings.Repeat("What was done, in a few words.\\n\\n", 60) + "\"\ntext The end.\n")
	p := newPlace(t, script.String())
	p.configure("max_steps = 60")
	for i := range steps {
		p.write(fmt.Sprintf("note%d.txt", i), "Something to read.\n")
	}
	w := p.open()
	w.ask("work in many steps")
	answered := 0
	for i := range steps {
		if !asked(i) {
			continue
		}
		name := fmt.Sprintf("file%d.txt", i)
		card := query{Role: "landmark", Has: name}
		w.find(card)
		question := w.dialog(changeTitle)
		w.endInSight("while " + name + " is asked about")
		switch answered % 3 {
		case 0:
			question.offers(approve)
			w.click(question.within(query{Role: dialogButton, Name: approve}))
		case 1:
			w.activate()
			w.keys("F8", "alt+a")
		case 2:
			w.click(query{Role: "button", Name: w.words.word("confirm.approve"), Within: &card, States: []string{"sensitive"}})
		}
		answered++
		eventually(t, name+" is written", patience, func() bool { return p.exists(name) })
		w.endInSight("after the answer about " + name)
	}
	w.sees("The end.")
	w.endInSight("at the end")
	// It is lost by the user's own hand.
	log := w.find(query{Role: "log"}).Box
	w.xdotool("mousemove", fmt.Sprint(log[0]+log[2]/2), fmt.Sprint(log[1]+log[3]/2), "click", "--repeat", "5", "4")
	eventually(t, "the user looks further up", patience, func() bool { return w.below() > 100 })
}

func TestDESK07_TheScrollBarReleasesTheEnd(t *testing.T) {
	var script strings.Builder
	for i := range 150 {
		fmt.Fprintf(&script, "chunk \"Of %d and its %d neighbours.\\n\\n\"\nwait 100ms\n", i*i, 7*i)
	}
	p := newPlace(t, script.String())
	w := p.open()
	w.ask("tell me all")
	log := query{Role: "log"}
	eventually(t, "there is something to scroll", patience, func() bool {
		var parts []thing
		w.seek("all", query{Role: "paragraph", Within: &log}, 0, &parts)
		return len(parts) > 40
	})
	w.endInSight("before")
	box := w.find(log).Box
	const edge = 5 // pixels, to the middle of the scroll bar
	x, bottom, middle := fmt.Sprint(box[0]+box[2]-edge), fmt.Sprint(box[1]+box[3]-30), fmt.Sprint(box[1]+box[3]/2)
	w.xdotool("mousemove", x, bottom, "sleep", "0.3", "mousedown", "1", "sleep", "0.2", "mousemove", x, middle, "sleep", "0.2", "mouseup", "1")
	before := w.below()
	if before < 300 {
		t.Errorf("the end is %d pixels below after the scroll bar was dragged", before)
	}
	eventually(t, "more is said", patience, func() bool { return w.below() > before+100 })
}

// below is how far the end of the conversation is below what is seen, in pixels.
func (w *window) below() int {
	w.t.Helper()
	log := query{Role: "log"}
	seen := w.find(log).Box
	var parts []thing
	w.seek("all", query{Within: &log}, 0, &parts)
	end := 0
	for _, part := range parts {
		if len(part.Box) == 4 {
			end = max(end, part.Box[1]+part.Box[3])
		}
	}
	return end - (seen[1] + seen[3])
}

// endInSight waits until the end of the conversation is in sight.
func (w *window) endInSight(when string) {
	w.t.Helper()
	const most = 2 // pixels, for rounding
	eventually(w.t, "the end is in sight "+when, 3*time.Second, func() bool { return w.below() <= most })
}

// TestUI15_SoakEveryAnswerIsInSight looks, at each size and zoom and in both languages,
// whether the answers to a question are whole in the window and nothing lies over them.
func TestUI15_SoakEveryAnswerIsInSight(t *testing.T) {
	type zoom struct {
		name string // in per cent
		keys []string
	}
	sizes := [][2]int{{900, 600}, {1180, 800}, {1440, 900}}
	zooms := []zoom{
		{"80", []string{"ctrl+minus", "ctrl+minus"}},
		{"100", nil},
		{"160", slices.Repeat([]string{"ctrl+equal"}, 4)},
		{"200", slices.Repeat([]string{"ctrl+equal"}, 6)},
	}
	languages := map[string]words{"en": english, "zh-CN": chinese}
	if !soak {
		sizes, zooms = sizes[:1], zooms[3:]
		delete(languages, "zh-CN")
	}
	for language, words := range languages {
		t.Run(language, func(t *testing.T) {
			p := newPlace(t, `call c1 shell {"command":"touch ran"}`+"\n---\ntext done")
			p.configure(`dialog = "never"`)
			state := p.remembered()
			state.Language = language
			p.remember(state)
			p.words = words
			w := p.open()
			look := func(names ...string) {
				t.Helper()
				for _, size := range sizes {
					w.xdotool("windowsize", "--sync", w.handle(), fmt.Sprint(size[0]), fmt.Sprint(size[1]))
					for _, zoom := range zooms {
						w.keys(append([]string{"ctrl+0"}, zoom.keys...)...)
						var faults []string
						limit := time.Now().Add(3 * time.Second) // the page is drawn anew
						for faults = w.misplaced(names); len(faults) > 0 && time.Now().Before(limit); faults = w.misplaced(names) {
							pause()
						}
						if len(faults) > 0 {
							t.Errorf("at %dx%d and %s %%: %s", size[0], size[1], zoom.name, strings.Join(faults, "; "))
						}
						if into := os.Getenv("FAIRLEAD_PICTURES"); into != "" {
							w.picture(filepath.Join(into, fmt.Sprintf("%s-%s-%dx%d-%s.png", names[0], language, size[0], size[1], zoom.name)))
						}
					}
				}
				w.keys("ctrl+0")
			}
			w.activate()
			look("shell.composer.send")
			w.ask("run it")
			w.find(query{Role: "landmark", Has: "touch ran"})
			look("confirm.approve", "confirm.reject", "shell.composer.stop")
		})
	}
}

// misplaced says what is wrong with the places of buttons, by the paths to their words:
// those that are not whole in the window, and those that another button lies over.
func (w *window) misplaced(paths []string) (faults []string) {
	w.t.Helper()
	var all []thing
	w.seek("all", query{Role: "button", States: []string{"showing"}}, 0, &all)
	page := w.find(query{Role: "document web"}).Box
	inside := func(box []int) bool {
		return box[2] > 1 && box[3] > 1 && box[0] >= page[0] && box[1] >= page[1] && box[0]+box[2] <= page[0]+page[2] && box[1]+box[3] <= page[1]+page[3]
	}
	for _, path := range paths {
		name := w.words.word(path)
		at := slices.IndexFunc(all, func(one thing) bool { return one.Name == name && len(one.Box) == 4 && inside(one.Box) })
		if at < 0 {
			faults = append(faults, name+" is not in sight")
			continue
		}
		one := all[at]
		for i, other := range all {
			if i == at || len(other.Box) != 4 {
				continue
			}
			across := min(one.Box[0]+one.Box[2], other.Box[0]+other.Box[2]) - max(one.Box[0], other.Box[0])
			down := min(one.Box[1]+one.Box[3], other.Box[1]+other.Box[3]) - max(one.Box[1], other.Box[1])
			if across > 1 && down > 1 {
				faults = append(faults, fmt.Sprintf("%s %v and %s %v overlap", name, one.Box, other.Name, other.Box))
			}
		}
	}
	return faults
}
