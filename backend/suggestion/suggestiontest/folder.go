// Package suggestiontest gives tests hostile folders: each is made after attacks on coding
// assistants that became public, and what they would run, reach or say is noticed.
package suggestiontest

import (
	"embed"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed testdata/*.txtar
var archives embed.FS

// Suggested is something that the window lists of a folder.
type Suggested struct{ Kind, Path string }

// Folder is a hostile folder. The lines before its files say what it is (#), what the window lists
// (suggests: KIND PATH), which files are programs (program: PATH), and which links (link: PATH TARGET),
// named pipes (pipe: PATH) and files of 4 GiB of NUL (large: PATH) there are. In its files {{RUN}} is the path of a program outside of it that must not
// run, {{URL}} a server that must not be reached, {{SECRET}} a file outside of it, {{HIDDEN}} hidden
// characters, and {{SAY}} the Sentence of the file.
type Folder struct {
	Name, About string
	Suggests    []Suggested
	files       []txtar.File
	programs    []string
	links       [][2]string
	pipes       []string
	large       []string
}

// Sentences is how every Sentence begins.
const Sentences = "Canary sentence of "

// Sentence is what a file of a hostile folder says, by its path.
func Sentence(name string) string { return Sentences + name + "!" }

// Folders returns all hostile folders.
func Folders(t testing.TB) (all []Folder) {
	t.Helper()
	names, err := archives.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := archives.ReadFile("testdata/" + name.Name())
		if err != nil {
			t.Fatal(err)
		}
		archive := txtar.Parse(text)
		folder := Folder{Name: strings.TrimSuffix(name.Name(), ".txtar"), files: archive.Files}
		for line := range strings.Lines(string(archive.Comment)) {
			if !folder.describe(strings.TrimSuffix(line, "\n")) {
				t.Fatalf("%s: %s", name.Name(), line)
			}
		}
		all = append(all, folder)
	}
	return all
}

// describe takes a line of what a folder is, and reports whether it is one.
func (f *Folder) describe(line string) bool {
	about, isAbout := strings.CutPrefix(line, "# ")
	words := strings.Fields(line)
	switch {
	case isAbout:
		f.About = about
	case len(words) == 3 && words[0] == "suggests:":
		f.Suggests = append(f.Suggests, Suggested{Kind: words[1], Path: words[2]})
	case len(words) == 2 && words[0] == "program:":
		f.programs = append(f.programs, words[1])
	case len(words) == 3 && words[0] == "link:":
		f.links = append(f.links, [2]string{words[1], words[2]})
	case len(words) == 2 && words[0] == "pipe:":
		f.pipes = append(f.pipes, words[1])
	case len(words) == 2 && words[0] == "large:":
		f.large = append(f.large, words[1])
	default:
		return false
	}
	return true
}

// hidden are characters that are not seen: a zero-width space, an override of the direction, and
// "run" as tags.
const hidden = "\u200b\u202e\U000e0072\U000e0075\U000e006e"

// Make makes the folder at a path beside the canary's.
func (f Folder) Make(t testing.TB, dir string, canary *Canary) {
	t.Helper()
	reach := func(name string) string {
		to := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(to), 0o700))
		return to
	}
	for _, file := range f.files {
		mode := os.FileMode(0o600)
		if slices.Contains(f.programs, file.Name) {
			mode = 0o700
		}
		must(t, os.WriteFile(reach(file.Name), []byte(canary.fill(file.Name, string(file.Data))), mode))
	}
	for _, link := range f.links {
		must(t, os.Symlink(filepath.FromSlash(link[1]), reach(link[0])))
	}
	for _, name := range f.pipes {
		must(t, makePipe(reach(name)))
	}
	for _, name := range f.large {
		const size = 4 << 30
		must(t, os.WriteFile(reach(name), nil, 0o600))
		must(t, os.Truncate(reach(name), size))
	}
}

// Nested are the folders below the top with instructions that are suggested.
func (f Folder) Nested() (folders []string) {
	for _, one := range f.Suggests {
		if dir := path.Dir(one.Path); one.Kind == "instructions" && dir != "." {
			folders = append(folders, dir)
		}
	}
	return folders
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
