//go:build !race

package overlay_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fairlead/backend/change"
)

// userNames are what the user and a draft both change: files that are there, and some that are not.
func userNames() []string {
	var names []string
	for n := range 30 {
		names = append(names, fmt.Sprintf("f%02d", n), fmt.Sprintf("in/f%02d", n))
	}
	return names
}

// userAct is what the user did last at a path.
type userAct struct {
	// content is what they left there; empty for nothing.
	content      string
	began, ended time.Time
}

// user changes files of a folder at random moments, until it is told to stop.
type user struct {
	folder string
	random *rand.Rand
	acts   map[string]userAct
	made   int
}

// act edits, replaces, deletes or creates a file.
func (u *user) act(name string) error {
	path := filepath.Join(u.folder, name)
	u.made++
	act := userAct{content: fmt.Sprintf("user %d\n", u.made), began: time.Now()}
	var err error
	switch u.random.IntN(3) {
	case 0:
		err = os.WriteFile(path, []byte(act.content), 0o644)
	case 1:
		beside := filepath.Join(u.folder, fmt.Sprintf("in/.user%d", u.made))
		err = errors.Join(os.WriteFile(beside, []byte(act.content), 0o644), os.Rename(beside, path))
	case 2:
		act.content = ""
		if err = os.Remove(path); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	act.ended = time.Now()
	u.acts[name] = act
	return err
}

// work acts until it is stopped, but at least so often.
func (u *user) work(least int, names []string, stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			if u.made >= least {
				return nil
			}
		case <-time.After(time.Duration(u.random.IntN(4_000)) * time.Microsecond):
		}
		if err := u.act(names[u.random.IntN(len(names))]); err != nil {
			return err
		}
	}
}

// drawChange draws a command that changes a file.
func drawChange(random *rand.Rand, name string) string {
	return strings.ReplaceAll([]string{
		"echo draft >>NAME", "echo draft >NAME", "rm -f NAME", "echo draft >NAME.t; mv NAME.t NAME",
	}[random.IntN(4)], "NAME", name)
}

// TestPRE06_SoakTheUserGoesOnWorkingMeanwhile has the user edit, replace, delete and create files at
// random moments while a draft of the folder is worked in, looked at and applied: what they did
// after the draft had changed the same path stays, and is never lost; what they did not touch is
// applied; what the draft did not touch is seen in it once its next run begins.
func TestPRE06_SoakTheUserGoesOnWorkingMeanwhile(t *testing.T) {
	rounds := 2
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		rounds = 30
	}
	seed := uint64(time.Now().UnixNano())
	for range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { workBesideUser(t, rand.New(rand.NewPCG(seed, 0)), rand.New(rand.NewPCG(seed, 1))) })
		seed++
	}
}

func workBesideUser(t *testing.T, random, theirs *rand.Rand) {
	r, names := newRig(t), userNames()
	must(t, os.Mkdir(filepath.Join(r.folder, "in"), 0o755))
	for i, name := range names {
		if i%3 > 0 {
			write(t, r.folder, name, "begin\n")
		}
	}
	u := &user{folder: r.folder, random: theirs, acts: map[string]userAct{}}
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() { stopped <- u.work(200, names, stop) }()
	end := sync.OnceFunc(func() {
		close(stop)
		must(t, <-stopped)
	})
	defer end()
	touched, drafted, wasThere := map[string]time.Time{}, map[string]string{}, map[string]bool{}
	for range 4 {
		d := r.enter()
		for range 5 {
			var lines, paths []string
			for range 3 {
				paths = append(paths, names[random.IntN(len(names))])
				lines = append(lines, drawChange(random, paths[len(paths)-1]))
			}
			before := map[string]string{}
			for _, path := range paths {
				before[path] = contentIn(t, r.root, path)
			}
			d.do(strings.Join(lines, "; "))
			err := d.draft.Note()
			must(t, err)
			for _, path := range paths {
				_, known := touched[path]
				if _, err := d.draft.Upper.Lstat(path); err != nil {
					delete(touched, path) // it is the folder's again
				} else if !known {
					touched[path] = time.Now()
					wasThere[path] = before[path] != "" && contentIn(t, r.root, path) != ""
				}
			}
		}
		for path := range touched {
			drafted[path] = contentIn(t, d.root, path)
		}
		d.leave()
	}
	draft, pending := r.readDraft()
	_, _, err := r.ApplyDraft(t.Context(), draft, pending, func(i int) bool { return pending.Collisions[i] == "" })
	must(t, err)
	end()
	for _, name := range names {
		act, acted := u.acts[name]
		when, changed := touched[name]
		got := contentIn(t, r.root, name)
		switch {
		case acted && changed && act.content == "" && !wasThere[name]: // as the draft found it
		case acted && (!changed || act.began.After(when)) && got != act.content:
			t.Errorf("%s holds %q, and the user left %q at %s", name, got, act.content, act.ended)
		case !acted && changed && got != drafted[name]:
			t.Errorf("%s holds %q, and the draft %q", name, got, drafted[name])
		}
	}
	if found, err := change.OpenDraftOf(r.Drafts); err != nil || found == "" {
		return // all of it was applied
	}
	d := r.enter()
	defer d.leave()
	for _, name := range names {
		if _, changed := touched[name]; changed {
			continue
		}
		if got, want := contentIn(t, d.root, name), contentIn(t, r.root, name); got != want {
			t.Errorf("%s is %q in the draft, and %q in the folder", name, got, want)
		}
	}
}

// contentIn is what a file holds; empty for none.
func contentIn(t *testing.T, root *os.Root, name string) string {
	t.Helper()
	text, err := root.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}
