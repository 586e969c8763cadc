//go:build !race

package tasks_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// The marks of a command in a task, with what they say of it.
var marks = map[string]string{
	"look":     "changes nothing in the folder",
	"write":    "makes or changes something there",
	"delete":   "something is not there any more at its path",
	"build":    "builds",
	"test":     "runs tests",
	"fails":    "ends with another exit code than 0",
	"held":     "some of what it changes is held",
	"unwanted": "the user does not want what it changes",
}

// command is one that the model runs.
type command struct {
	line  string
	marks map[string]bool
}

// changes reports whether it changes something.
func (c command) changes() bool { return c.marks["write"] || c.marks["delete"] }

// task is what the model is asked to do once, in a folder of its own.
type task struct {
	name, about string
	// prepare are commands that complete the folder before the task.
	prepare  []string
	files    []txtar.File
	commands []command
	// varies are patterns of files whose content differs each time they are made.
	varies []string
}

// usesGo reports whether the folder is a module of Go.
func (k task) usesGo() bool {
	return slices.ContainsFunc(k.files, func(f txtar.File) bool { return f.Name == "go.mod" })
}

// readTasks reads testdata. A file is one task: what is in its folder, after lines of what the
// task is (#), of what completes the folder (prepare:), of files whose content differs each time
// they are made (varies:), and of the commands, each after its marks.
func readTasks(t *testing.T) []task {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	must(t, err)
	var all []task
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		must(t, err)
		read := task{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), files: archive.Files}
		for line := range strings.Lines(string(archive.Comment)) {
			if err := read.add(strings.TrimSuffix(line, "\n")); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		all = append(all, read)
	}
	return all
}

// add adds a line to a task.
func (k *task) add(line string) error {
	about, isAbout := strings.CutPrefix(line, "# ")
	head, rest, found := strings.Cut(line, ": ")
	switch {
	case line == "":
	case isAbout:
		k.about += about + " "
	case !found:
		return fmt.Errorf("no marks: %q", line)
	case head == "prepare":
		k.prepare = append(k.prepare, rest)
	case head == "varies":
		k.varies = append(k.varies, strings.Fields(rest)...)
	default:
		c := command{line: rest, marks: map[string]bool{}}
		for mark := range strings.SplitSeq(head, ", ") {
			if _, ok := marks[mark]; !ok {
				return fmt.Errorf("there is no mark %q", mark)
			}
			c.marks[mark] = true
		}
		if c.changes() == c.marks["look"] {
			return fmt.Errorf("it changes something or not: %q", line)
		}
		k.commands = append(k.commands, c)
	}
	return nil
}

// TestPRE02_TheTasksAreThoseOfEveryDay looks whether the list is what the counts of
// TestPRE02_OneQuestionForEachCommandThatChangedSomething are said of.
func TestPRE02_TheTasksAreThoseOfEveryDay(t *testing.T) {
	tasks := readTasks(t)
	commands, changing, count := 0, 0, map[string]int{}
	for _, task := range tasks {
		if len(task.commands) < 8 || task.about == "" {
			t.Errorf("%s: %d commands, about %q", task.name, len(task.commands), task.about)
		}
		runs := 0
		for _, c := range task.commands {
			commands++
			if c.changes() {
				changing++
			}
			for mark := range maps.Keys(c.marks) {
				count[mark]++
			}
			if c.marks["build"] || c.marks["test"] {
				runs++
			}
		}
		if runs == 0 {
			t.Errorf("%s has no build and no test run", task.name)
		}
	}
	for _, mark := range slices.Sorted(maps.Keys(marks)) {
		t.Logf("%3d %s: %s", count[mark], mark, marks[mark])
	}
	t.Logf("%d commands in %d tasks, %d change something", commands, len(tasks), changing)
	if len(tasks) != 30 || commands < 300 || count["write"]*100 < commands*40 || count["delete"]*100 < commands*10 || changing*2 > commands {
		t.Error("the list is to have 30 tasks of 300 commands, of which 40 % write, 10 % delete and at most half change something")
	}
	if count["unwanted"] < 10 || count["held"] < 5 {
		t.Error("too few changes that are not wanted, or that are held")
	}
}
