//go:build e2e && linux

package native

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// pageThatMeasures is the page with a script that measures it.
func pageThatMeasures(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(page)); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "frames.js"))
	if err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(folder, "index.html")
	html, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	html = []byte(strings.Replace(string(html), "<head>", `<head><script src="./frames.js"></script>`, 1))
	if err := os.WriteFile(index, html, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "frames.js"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	return folder
}

// memory is what the processes of the window hold together, in bytes: pages that several
// share are counted once.
func (w *window) memory() (total int64) {
	w.t.Helper()
	for _, one := range processes(w.root) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", one.pid))
		if err != nil {
			continue // it has ended
		}
		for line := range strings.Lines(string(text)) {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
				kib, err := strconv.ParseInt(fields[1], 10, 64)
				w.must(err)
				total += kib << 10
			}
		}
	}
	return total
}

// scrollOver turns the wheel over something, a notch every 15 ms, down and up again.
func (w *window) scrollOver(q query, notches int) {
	w.t.Helper()
	box := w.find(q).Box
	w.xdotool("mousemove", strconv.Itoa(box[0]+box[2]/2), strconv.Itoa(box[1]+box[3]/2))
	for _, button := range []string{"5", "4"} {
		w.xdotool("click", "--repeat", strconv.Itoa(notches), "--delay", "15", button)
	}
}

// TestDESK02_SoakAReviewOfManyFilesIsQuick reviews what a command has done to 3,000 files:
// 200,000 lines are others, 20,000 of them in one file.
func TestDESK02_SoakAReviewOfManyFilesIsQuick(t *testing.T) {
	if !soak {
		t.Skip("three thousand files take a minute")
	}
	const files, lines, large = 3_000, 30, 10_000
	p := newPlace(t, `call c1 shell {"command":"sed -i s/before/after/ part*/* large.txt"}`+"\n---\ntext Done.\n")
	text := func(lines int) string {
		var text strings.Builder
		for i := range lines {
			fmt.Fprintf(&text, "line %d of many, as it was before the command\n", i)
		}
		return text.String()
	}
	for i := range files - 1 {
		folder := fmt.Sprintf("part%02d", i/100)
		p.must(os.MkdirAll(filepath.Join(p.workspace, folder), 0o700))
		p.write(filepath.Join(folder, fmt.Sprintf("file%04d.txt", i)), text(lines))
	}
	p.write("large.txt", text(large))
	p.env = append(p.env, "assetdir="+pageThatMeasures(t))
	w := p.open()
	w.ask("change them all")
	w.dialog(runTitle).press(approve)
	w.find(query{Has: "Done."})
	w.exitsWell()
	for run := range 3 {
		w := p.open()
		w.find(query{Has: "Done."})
		w.activate()
		// Nothing of it is there before.
		w.push(query{Role: "page tab", Name: w.words.word("shell.desk.files")})
		w.keys("ctrl+n")
		w.gone(query{Has: "Done."})
		before := w.memory()
		w.push(query{Role: "button", Has: "change them all"})
		w.find(query{Has: "Done."})
		w.keys("ctrl+shift+d")
		list := query{Role: "list box", Name: w.words.word("review.list")}
		w.find(list)
		w.scrollOver(list, 300)
		w.scrollOver(query{Role: "landmark", Name: w.words.word("shell.desk.label")}, 10)
		during := w.memory()
		w.keys("F9")
		var measured struct {
			Opened, Longest, Furthest float64
			Frames, Slow              int
		}
		heading := w.find(query{Role: "heading", Has: "measured"})
		w.must(json.Unmarshal([]byte(strings.TrimPrefix(heading.Name, "measured ")), &measured))
		t.Logf("run %d: %+v, %d MB more", run+1, measured, (during-before)>>20)
		if measured.Opened > 300 || measured.Longest > 150 || measured.Furthest < 10_000 || measured.Slow*100 > measured.Frames {
			t.Errorf("run %d: %+v", run+1, measured)
		}
		if more := during - before; more > 80<<20 {
			t.Errorf("run %d: %d MB more", run+1, more>>20)
		}
		w.exitsWell()
	}
}

// exitsWell closes the window and waits for its end.
func (w *window) exitsWell() {
	w.t.Helper()
	w.close()
	w.exits(15 * time.Second)
}
