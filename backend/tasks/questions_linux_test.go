//go:build !race

package tasks_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend"
	"fairlead/backend/approve"
	"fairlead/backend/message"
	"fairlead/backend/sandbox/sandboxtest"
	"fairlead/backend/settings"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// counts are commands, how many of them changed something, and the questions about them.
type counts struct {
	mu                 sync.Mutex
	commands, changing int
	// ask are the questions about commands in the mode ask, and held those that came beside
	// them; preview are all questions in that mode.
	ask, held, preview int
}

// TestPRE02_OneQuestionForEachCommandThatChangedSomething has the tasks of testdata done three
// times: by a shell without Fairlead, which tells what each command changes; in the mode ask;
// and in the mode preview. There is no rule that answers a question.
func TestPRE02_OneQuestionForEachCommandThatChangedSomething(t *testing.T) {
	sandboxtest.NeedsFull(t)
	for _, program := range []string{"git", "go", "gcc", "make", "perl", "python3", "sqlite3", "xz", "patch"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	b := open(t)
	sum := &counts{}
	t.Run("tasks", func(t *testing.T) {
		for _, task := range readTasks(t) {
			t.Run(task.name, func(t *testing.T) {
				t.Parallel()
				(&trial{T: t, task: task, backend: b, folder: filepath.Join(t.TempDir(), "folder")}).compare(sum)
			})
		}
	})
	t.Logf("%d commands, of which %d changed something. Questions in the mode ask: %d, and %d about what was held; in the mode preview: %d",
		sum.commands, sum.changing, sum.ask, sum.held, sum.preview)
	if sum.preview*2 > sum.ask {
		t.Error("the mode preview asks more than half as often as ask")
	}
}

// open opens a backend whose commands are those of a user of git.
func open(t *testing.T) *backend.Backend {
	t.Helper()
	const gitconfig = "[user]\n\tname = Mina Example\n\temail = mina@localhost\n[init]\n\tdefaultBranch = main\n"
	must(t, os.WriteFile(filepath.Join(os.Getenv("HOME"), ".gitconfig"), []byte(gitconfig), 0o600))
	folders, err := settings.FindFolders(filepath.Join(t.TempDir(), "state"))
	must(t, err)
	b, err := backend.Open(backend.Options{Folders: folders, LogLevel: "info", Helper: sandboxtest.Program("fairlead-supervisor")})
	must(t, err)
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if level := b.Confinement().Level; level != message.LevelFull {
		t.Fatalf("commands are confined at level %s", level)
	}
	return b
}

// compare does the task three times and compares what came of it.
func (r *trial) compare(sum *counts) {
	r.Helper()
	changed, want := r.doPlainly()
	ask := r.do(approve.Ask)
	if diff := cmp.Diff(want, r.content()); diff != "" {
		r.Errorf("after the task in the mode ask (-want +got): %s", diff)
	}
	preview := r.do(approve.Preview)
	if diff := cmp.Diff(want, r.content()); diff != "" {
		r.Errorf("after the task in the mode preview (-want +got): %s", diff)
	}
	for i, c := range r.task.commands {
		r.compareQuestions("preview", c, questionsInPreview(changed[i]), preview.questions[i])
		r.compareQuestions("ask", c, questionsInAsk(c), ask.questions[i])
		stays := !changed[i] || c.marks["unwanted"]
		if isSame := cmp.Equal(preview.folders[i], preview.folders[i+1]); isSame != stays {
			r.Errorf("%s: the folder is as before: %v", c.line, isSame)
		}
		if failed := preview.failed[i]; failed != c.marks["fails"] && !c.marks["unwanted"] {
			r.Errorf("%s: in the mode preview it failed: %v", c.line, failed)
		}
	}
	sum.mu.Lock()
	defer sum.mu.Unlock()
	for i := range r.task.commands {
		sum.commands++
		if changed[i] {
			sum.changing++
		}
		sum.ask += ask.questions[i][message.QuestionCommand]
		sum.held += ask.questions[i][message.QuestionChanges]
		for _, n := range preview.questions[i] {
			sum.preview += n
		}
	}
}

// questions says how many there were of each kind.
type questions map[message.QuestionKind]int

func questionsInPreview(changed bool) questions {
	if changed {
		return questions{message.QuestionChanges: 1}
	}
	return nil
}

// questionsInAsk are those about a command, and about what it changed where that is held.
func questionsInAsk(c command) questions {
	if c.marks["held"] && !c.marks["unwanted"] {
		return questions{message.QuestionCommand: 1, message.QuestionChanges: 1}
	}
	return questions{message.QuestionCommand: 1}
}

func (r *trial) compareQuestions(mode approve.Mode, c command, want, got questions) {
	r.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		r.Errorf("%s: questions in the mode %s (-want +got): %s", c.line, mode, diff)
	}
}
