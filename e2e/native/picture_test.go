//go:build e2e && linux

package native

import (
	"os"
	"path/filepath"
	"testing"

	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/settings"
)

// story is what the pictures of the READMEs show: the folder of a community garden, and what
// is asked of the model there. The model's part is in its script.txt.
type story struct {
	language string
	// folder is the folder's name, table its list of plots, and photos names without content.
	folder, table string
	photos        []string
	// earlier are tasks of conversations before, update and sort those that are seen.
	earlier      []string
	update, sort string
	// updated and sorted end the answers, member is in the table, and look is typed into the list of
	// everything.
	updated, sorted, member, look string
}

var stories = []story{
	{
		language: "en", folder: "garden", table: "plots.csv",
		photos: []string{
			"photos/2025-05-gate.jpg", "photos/2025-09-harvest.jpg", "photos/2026-04-well.jpg", "photos/2026-07-feast.jpg",
			"photos/2026-08-tomatoes.jpg", "photos/Thumbs.db",
		},
		earlier: []string{"Which plots are free?", "Write an invitation to the autumn meeting", "When is the summer feast?"},
		update:  "Bring plots.csv up to date from the minutes, and make an index of the minutes.",
		sort:    "Sort the photos into folders by year.",
		updated: "(plot 9).", sorted: "points to them.", member: "Ravi Menon", look: "re",
	},
	{
		language: "zh-CN", folder: "菜园", table: "地块.csv",
		photos: []string{
			"照片/2025-05-大门.jpg", "照片/2025-09-收获.jpg", "照片/2026-04-水井.jpg", "照片/2026-07-聚会.jpg", "照片/2026-08-番茄.jpg",
			"照片/Thumbs.db",
		},
		earlier: []string{"哪些地块空着？", "写一份秋季会议的邀请", "夏日聚会是哪天？"},
		update:  "按会议记录更新地块.csv，并给会议记录做一个目录。",
		sort:    "把照片按年份分到文件夹里。",
		updated: "（9 号）。", sorted: "也改好了。", member: "何平", look: "文件",
	},
}

// TestPictures takes the READMEs' pictures of the real window, in both languages and, of the
// first, in both themes. It is asked for with the folder to put them into.
func TestPictures(t *testing.T) {
	into := os.Getenv("FAIRLEAD_PICTURES")
	if into == "" {
		t.Skip("FAIRLEAD_PICTURES names no folder")
	}
	sandboxtest.NeedsFull(t) // a command that is shown first works on a copy
	for _, told := range stories {
		for _, theme := range []string{"light", "dark"} {
			t.Run(told.language+" "+theme, func(t *testing.T) {
				p, w := told.open(t, theme)
				take := func(name string) {
					rest() // until nothing moves
					w.picture(filepath.Join(into, name+"."+told.language+".png"))
				}
				for _, task := range told.earlier {
					w.ask(task)
					w.find(query{Role: "button", Name: p.words.word("shell.composer.send")})
					w.keys("ctrl+n")
				}
				w.ask(told.update)
				yes := query{Role: "button", Name: p.words.word("confirm.approve"), States: []string{"enabled"}}
				w.find(yes)
				take("window-" + theme)
				if theme == "light" {
					told.takeRest(w, yes, take)
				}
			})
		}
	}
}

// open makes the folder and opens the window on it.
func (s story) open(t *testing.T, theme string) (*place, *window) {
	told := filepath.Join("testdata", "garden", s.language)
	script, err := os.ReadFile(filepath.Join(told, "script.txt"))
	if err != nil {
		t.Fatal(err)
	}
	p := newPlace(t, string(script))
	// Where it lies is told in the window.
	p.workspace = filepath.Join("/tmp", s.folder)
	p.must(os.Mkdir(p.workspace, 0o700))
	t.Cleanup(func() { p.must(os.RemoveAll(p.workspace)) })
	p.must(os.CopyFS(p.workspace, os.DirFS(told)))
	p.must(os.Remove(filepath.Join(p.workspace, "script.txt")))
	for _, photo := range s.photos {
		p.must(os.MkdirAll(filepath.Dir(filepath.Join(p.workspace, photo)), 0o700))
		p.write(photo, photo)
	}
	p.configure(`dialog = "never"`, "context_window = 32000")
	p.remember(settings.State{
		Workspace: p.workspace, Recent: []string{p.workspace}, Language: s.language, Theme: theme,
		Model:  settings.ModelChoice{BaseURL: p.model.url, Model: "qwen3"},
		Window: settings.Place{X: 20, Y: 20, Width: 1240, Height: 800},
	})
	p.speak(s.language)
	w := p.open()
	w.activate()
	return p, w
}

// takeRest goes on from the first question, and takes the other pictures.
func (s story) takeRest(w *window, yes query, take func(name string)) {
	side := query{Role: "landmark", Name: w.words.word("shell.desk.label")}
	for range 3 {
		w.push(yes)
	}
	w.sees(s.updated)
	w.find(query{Has: "+3 −3", Within: &side})
	take("review")

	w.chooseMode("preview")
	w.ask(s.sort)
	w.find(query{Has: w.words.word("confirm.changes.question")})
	take("show-first")

	w.push(query{Role: "button", Name: w.words.word("confirm.changes.applyAll"), States: []string{"enabled"}})
	w.sees(s.sorted)
	w.push(query{Role: "page tab", Name: w.words.word("shell.desk.files")})
	w.click(query{Role: "tree item", Has: s.table})
	w.find(query{Role: "table cell", Text: s.member})
	w.xdotool("mousemove", "5", "5") // its title goes
	take("file")

	w.keys("ctrl+k")
	w.types(s.look)
	take("everything")
	w.keys("Escape")

	w.push(query{Role: "combo box", Has: w.words.word("shell.status.context", "n", "")})
	take("context")
}

// picture writes a picture of the window into a file.
func (w *window) picture(file string) {
	w.t.Helper()
	run(w.t, "import", "-window", w.handle(), "-strip", file)
}
