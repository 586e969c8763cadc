//go:build e2e && linux

package native

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead/backend/message"
	"fairlead/backend/settings"
	"fairlead/backend/store"
)

const (
	// patience is how long a test waits for what must come.
	patience = 15 * time.Second
	// canary is a key that must be found nowhere.
	canary = "sk-canary-7f3a9e5b1c8d4026"
)

// place is one user's home with a workspace and a scripted model. Nothing that
// was started there may be left when the test ends.
type place struct {
	t         *testing.T
	root      string
	home      string
	data      string
	workspace string
	temporary string
	env       []string
	words     words
	model     *model
}

// newPlace returns a place in which the workspace and the model are chosen.
func newPlace(t *testing.T, script string) *place {
	t.Helper()
	p := emptyPlace(t, script)
	p.remember(settings.State{
		Workspace: p.workspace, Recent: []string{p.workspace}, Model: settings.ModelChoice{BaseURL: p.model.url, Model: "scripted"},
	})
	return p
}

// emptyPlace returns a place in which Fairlead was never started.
func emptyPlace(t *testing.T, script string) *place {
	t.Helper()
	p := &place{t: t, root: t.TempDir(), words: english}
	p.model = startModel(t, script)
	for folder, path := range map[string]*string{"home": &p.home, "data": &p.data, "work": &p.workspace, "tmp": &p.temporary} {
		*path = filepath.Join(p.root, folder)
		p.must(os.Mkdir(*path, 0o700))
	}
	p.env = []string{
		"HOME=" + p.home, "TMPDIR=" + p.temporary, "FAIRLEAD_DATA_DIR=" + p.data, "assetdir=" + page,
		// Nobody is there: the user's own Ollama is not asked.
		"OLLAMA_HOST=127.0.0.1:9",
		// A script has no answers to questions for a title.
		"FAIRLEAD_MODEL_TITLES=false",
		"GTK_IM_MODULE=gtk-im-context-simple",
	}
	for _, name := range []string{
		"PATH", "LANG", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE",
		"GDK_BACKEND", "GSETTINGS_BACKEND", "GIO_USE_VFS", "LIBGL_ALWAYS_SOFTWARE",
	} {
		p.env = append(p.env, name+"="+os.Getenv(name))
	}
	t.Cleanup(p.empty)
	return p
}

// empty waits until no process is left here, and ends what stays.
func (p *place) empty() {
	p.t.Helper()
	limit := time.Now().Add(patience)
	for left := processes(p.root); len(left) > 0; left = processes(p.root) {
		if time.Now().After(limit) {
			p.t.Errorf("processes are left: %v", left)
			for _, one := range left {
				_ = syscall.Kill(one.pid, syscall.SIGKILL) // it may just end
			}
			return
		}
		pause()
	}
}

// messages are those of a saved conversation.
func (p *place) messages(saved *store.Store, id string) []message.Message {
	p.t.Helper()
	var messages []message.Message
	for m, err := range saved.EachMessage(p.t.Context(), id) {
		p.must(err)
		messages = append(messages, m)
	}
	return messages
}

func (p *place) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// remember makes a state what the window remembers.
func (p *place) remember(state settings.State) {
	p.t.Helper()
	p.must(state.Write(p.data))
}

// remembered is what the window remembers.
func (p *place) remembered() settings.State {
	p.t.Helper()
	state, err := settings.ReadState(p.data)
	p.must(err)
	return state
}

// speak has the window speak a language, en or zh-CN.
func (p *place) speak(language string) {
	p.t.Helper()
	state := p.remembered()
	state.Language = language
	p.remember(state)
	if language == "zh-CN" {
		p.words = chinese
	}
}

// configure writes the settings file.
func (p *place) configure(lines ...string) {
	p.t.Helper()
	p.must(os.WriteFile(filepath.Join(p.data, settings.FileName), []byte(strings.Join(lines, "\n")+"\n"), 0o600))
}

func (p *place) write(name, text string) {
	p.t.Helper()
	p.must(os.WriteFile(filepath.Join(p.workspace, name), []byte(text), 0o600))
}

// read returns a file of the workspace, "" when there is none.
func (p *place) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(p.workspace, name))
	return string(text)
}

func (p *place) exists(name string) bool {
	_, err := os.Stat(filepath.Join(p.workspace, name))
	return err == nil
}

// start starts the program, with further variables in its environment.
func (p *place) start(env ...string) *window {
	p.t.Helper()
	w := &window{place: p, cmd: exec.Command(program), output: &bytes.Buffer{}, ended: make(chan struct{})}
	w.cmd.Dir, w.cmd.Env = p.root, append(append([]string{}, p.env...), env...)
	w.cmd.Stdout, w.cmd.Stderr = w.output, w.output
	// Its web engine keeps the output open for a moment longer.
	w.cmd.WaitDelay = patience
	// A group of its own, so that a signal can go to all of it, as from a terminal.
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.must(w.cmd.Start())
	go func() {
		defer close(w.ended)
		_ = w.cmd.Wait() // what came of it stands in the ProcessState
	}()
	p.t.Cleanup(w.end)
	p.t.Cleanup(w.keepEvidence)
	return w
}

// open starts the program and waits until it asks for a task.
func (p *place) open(env ...string) *window {
	p.t.Helper()
	w := p.start(env...)
	w.find(query{Role: "entry", Name: p.words.word("shell.composer.label")})
	return w
}

// filesWith returns the files of the place that hold a text.
func (p *place) filesWith(text string) []string {
	p.t.Helper()
	var found []string
	p.must(filepath.WalkDir(p.root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil // it went away, or is a socket
		}
		content, err := os.ReadFile(path)
		if err == nil && bytes.Contains(content, []byte(text)) {
			found = append(found, path)
		}
		return nil
	}))
	return found
}
