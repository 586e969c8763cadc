//go:build unix

package desktop_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/suggestion/suggestiontest"
)

// workScript is what a model does in each hostile folder.
var workScript = suggestiontest.Task("echo done")

// hostile is a hostile folder that is open in the window.
type hostile struct {
	*stage
	suggestiontest.Folder
	canary  *suggestiontest.Canary
	started func() []string
}

// openHostile opens a folder, for workScript and any number of runs by look.
func openHostile(t *testing.T, folder suggestiontest.Folder) *hostile {
	t.Helper()
	const runs = 100
	script := workScript
	for i := range runs {
		if nested := folder.Nested(); len(nested) > 0 {
			script += "---\n"
			for j, dir := range nested {
				script += fmt.Sprintf("call n%d-%d list_files {\"path\":%q}\n", i, j, dir)
			}
		}
		script += "---\ntext Looked.\n"
	}
	_, started := suggestiontest.WatchPrograms(t)
	h := &hostile{stage: open(t, script, nil), Folder: folder, started: started}
	h.canary = suggestiontest.NewCanary(t, h.folder)
	folder.Make(t, h.folder, h.canary)
	h.ready()
	return h
}

// TestEXT04_HostileFoldersDoNothingBeforeAYes opens hostile folders in the window, works on them and
// closes them: none has started a program, has reached a server, or has told the model anything that
// it did not ask for.
func TestEXT04_HostileFoldersDoNothingBeforeAYes(t *testing.T) {
	for _, folder := range suggestiontest.Folders(t) {
		t.Run(folder.Name, func(t *testing.T) {
			h := openHostile(t, folder)
			h.awaitSuggestions(h.wanted())
			h.work()
			h.awaitSuggestions(h.wanted())
			for i, request := range h.model.Requests() {
				untrusted, err := suggestiontest.Untrusted(request.Body, suggestiontest.Reading)
				if err != nil || len(untrusted) > 0 {
					t.Errorf("request %d has %q, %v", i+1, untrusted, err)
				}
			}
			if requests := len(h.model.Requests()); requests != strings.Count(workScript, "---")+1 {
				t.Errorf("%d requests", requests)
			}
			h.close()
		})
	}
}

// TestMSG10_AnyChangedByteOfAHostileFolderAsksAgain agrees to what hostile folders suggest, as the
// page does, and changes each file in turn.
func TestMSG10_AnyChangedByteOfAHostileFolderAsksAgain(t *testing.T) {
	for _, folder := range suggestiontest.Folders(t) {
		if len(folder.Suggests) == 0 {
			continue
		}
		t.Run(folder.Name, func(t *testing.T) {
			h := openHostile(t, folder)
			h.awaitSuggestions(h.wanted())
			h.work()
			for _, one := range folder.Suggests {
				h.decide(one)
			}
			h.given("after a yes", "")
			for _, one := range folder.Suggests {
				h.changeEach(one)
			}
			h.given("at last", "")
			h.close()
		})
	}
}

// wanted is what the window lists before a decision.
func (h *hostile) wanted() map[string]string {
	wanted := map[string]string{}
	for _, one := range h.Suggests {
		wanted[one.Path] = ""
	}
	return wanted
}

// work does the task of workScript, with a yes to each question.
func (h *hostile) work() {
	h.t.Helper()
	started := h.run("Work")
	for seen := 0; ; {
		next := h.screen.await(h.t, "a question or the end", func(e envelope) bool {
			return e.RunID == started.RunID && (ended(e) || e.Type == event.TypeConfirmRequest && int(e.Seq) > seen)
		})
		if next.Type != event.TypeConfirmRequest {
			break
		}
		seen = int(next.Seq)
		var request event.ConfirmRequest
		if err := json.Unmarshal(next.Data, &request); err != nil {
			h.t.Fatal(err)
		}
		h.answer(started.RunID, request, message.Approve)
	}
	if text, err := os.ReadFile(filepath.Join(h.folder, "notes/todo.txt")); err != nil || string(text) != "one\n" {
		h.t.Errorf("written: %q, %v", text, err)
	}
}

// decide agrees to what can be used, and skips what is only shown.
func (h *hostile) decide(one suggestiontest.Suggested) {
	h.t.Helper()
	folders := service[*desktop.Folders](h.stage)
	shown := h.shownText(one.Kind, one.Path)
	if !strings.Contains(shown.Text, suggestiontest.Sentences) && !strings.Contains(one.Path, "#docs") {
		h.t.Errorf("%s is not shown whole: %s", one.Path, shown.Text)
	}
	_, err := folders.UseSuggestion(one.Kind, one.Path, shown.SHA256, true)
	if isUsed(one) != (err == nil) || isUsed(one) != shown.CanUse {
		h.t.Errorf("%s: %v", one.Path, err)
	}
	if err != nil {
		if _, err := folders.UseSuggestion(one.Kind, one.Path, shown.SHA256, false); err != nil {
			h.t.Error(err)
		}
	}
}

// given looks in a new conversation: the model is to be given all that was agreed to but one.
func (h *hostile) given(step, but string) {
	h.t.Helper()
	before := len(h.model.Requests())
	started := h.run("Look")
	h.awaitEnd(started.RunID)
	said := ""
	for _, request := range h.model.Requests()[before:] {
		said += string(request.Body)
	}
	for _, one := range h.Suggests {
		sentence := suggestiontest.Sentence(one.Path)
		if one.Kind == "skill" {
			sentence = suggestiontest.Sentence(one.Path + "/SKILL.md")
		}
		want := isUsed(one) && one.Path != but
		if got := strings.Contains(said, sentence); got != want {
			h.t.Errorf("%s: the model is given %s: %v", step, one.Path, got)
		}
	}
}

// isUsed reports whether a suggestion is one that can be used, and not only shown.
func isUsed(one suggestiontest.Suggested) bool {
	return one.Kind == "instructions" || one.Kind == "skill"
}

// decision is what is decided about a suggestion as it is now; "none" where it is not there any more.
func (h *hostile) decision(one suggestiontest.Suggested) string {
	answer := h.get("/fairlead/suggestion?kind=" + one.Kind + "&path=" + url.QueryEscape(one.Path))
	var shown desktop.SuggestionText
	if answer.Code != http.StatusOK || json.Unmarshal(answer.Body.Bytes(), &shown) != nil {
		return "none"
	}
	return shown.Decision
}

// changeEach changes each file of a suggestion in turn, and back again.
func (h *hostile) changeEach(one suggestiontest.Suggested) {
	h.t.Helper()
	decided := "skip"
	if isUsed(one) {
		decided = "use"
	}
	changes := h.changes(one)
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if got := h.decision(one); got != decided {
			h.t.Errorf("before %s it is decided %q", name, got)
		}
		change := changes[name]
		if err := change.do(); err != nil {
			h.t.Fatal(err)
		}
		if got := h.decision(one); got != "" && got != "none" {
			h.t.Errorf("after %s it is decided %q", name, got)
		}
		if isUsed(one) {
			h.given(name, one.Path)
		}
		if err := change.undo(); err != nil {
			h.t.Fatal(err)
		}
	}
}

// fileChange is a change, and how it is undone.
type fileChange struct{ do, undo func() error }

// changes are those of the files of a suggestion, by what they do.
func (h *hostile) changes(one suggestiontest.Suggested) map[string]fileChange {
	h.t.Helper()
	all := map[string]fileChange{}
	file, _, isPart := strings.Cut(one.Path, "#")
	top := filepath.Join(h.folder, filepath.FromSlash(file))
	err := filepath.WalkDir(top, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		renamed := at + ".x"
		if entry.Name() == "AGENTS.md" || entry.Name() == "CLAUDE.md" {
			renamed = filepath.Join(filepath.Dir(at), "GEMINI.md")
		}
		if !isPart {
			all["a rename of "+at] = fileChange{func() error { return os.Rename(at, renamed) }, func() error { return os.Rename(renamed, at) }}
		}
		switch {
		case entry.IsDir():
		case entry.Type() == fs.ModeSymlink:
			target, err := os.Readlink(at)
			if err != nil {
				return err
			}
			link := func(to string) func() error {
				return func() error { return errors.Join(os.Remove(at), os.Symlink(to, at)) }
			}
			all["another target of "+at] = fileChange{link(target + "x"), link(target)}
		default:
			text, err := os.ReadFile(at)
			if err != nil {
				return err
			}
			write := func(text string) func() error { return func() error { return os.WriteFile(at, []byte(text), 0o600) } }
			all["other letters in "+at] = fileChange{write(strings.ReplaceAll(string(text), "Canary s", "Canary S") + " "), write(string(text))}
			if !isPart {
				all["a byte after "+at] = fileChange{write(string(text) + "x"), write(string(text))}
			}
			info, err := entry.Info()
			if err != nil || one.Kind != "skill" {
				return err
			}
			mode := func(mode fs.FileMode) func() error { return func() error { return os.Chmod(at, mode) } }
			all["another mode of "+at] = fileChange{mode(info.Mode() ^ 0o100), mode(info.Mode())}
		}
		return nil
	})
	if err != nil || len(all) == 0 {
		h.t.Fatal(err, all)
	}
	return all
}

// close closes the window and looks at what the folder has done meanwhile.
func (h *hostile) close() {
	h.t.Helper()
	if err := h.Stop(); err != nil {
		h.t.Error(err)
	}
	if diff := cmp.Diff([]string(nil), h.canary.Noticed()); diff != "" {
		h.t.Errorf("the folder has done something (-want +got):\n%s", diff)
	}
	for _, line := range h.started() {
		if !ownGit.MatchString(line) {
			h.t.Errorf("%s was started", line)
		}
	}
}

// ownGit is the one program that Fairlead starts for itself: git, which is asked for its settings and
// runs nothing for that.
var ownGit = regexp.MustCompile(`^(git --git-dir=\S* --no-pager config --list --show-origin --null --includes)?$`)
