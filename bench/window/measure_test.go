package window

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestByTurns(t *testing.T) {
	var order string
	next := func(name string, values ...time.Duration) func(context.Context) (time.Duration, error) {
		return func(context.Context) (time.Duration, error) {
			order += name
			value := values[0]
			values = values[1:]
			return value, nil
		}
	}
	got, err := byTurns(t.Context(), 3, next("e", 1, 9, 2), next("f", 30, 10, 20))
	if want := (Pair[time.Duration]{Empty: 2, Fairlead: 20}); got != want || err != nil || order != "efefef" {
		t.Errorf("%v in order %s, %v; want the medians %v", got, order, err, want)
	}
	failed := errors.New("no window")
	if _, err := byTurns(t.Context(), 1, next("e", 1), func(context.Context) (time.Duration, error) { return 0, failed }); !errors.Is(err, failed) {
		t.Errorf("error %v, want %v", err, failed)
	}
}

func TestUniform(t *testing.T) {
	white := bytes.Repeat([]byte{255, 255, 255, 0}, 100)
	if !isUniform(white) || !isUniform(nil) {
		t.Error("one color is not uniform")
	}
	black := []byte{0, 0, 0, 0}
	for _, at := range []int{0, 50, 99} {
		spot := bytes.Clone(white)
		copy(spot[at*4:], black)
		if isUniform(spot) {
			t.Errorf("a spot at pixel %d is not seen", at)
		}
	}
}

func TestReadEnvironment(t *testing.T) {
	got, err := readEnvironment(strings.NewReader("A=1\n2\x00B=\x00\x00later"))
	if diff := cmp.Diff([]string{"A=1\n2", "B="}, got); diff != "" || err != nil {
		t.Errorf("variables (-want +got), error %v:\n%s", err, diff)
	}
	if _, err := readEnvironment(strings.NewReader("A=1\x00B=2")); err == nil {
		t.Error("variables without an end are taken")
	}
}

func TestDesktop_GivesNoKeysAndSettings(t *testing.T) {
	d := &desktop{environment: []string{"DISPLAY=:9", "OPENAI_API_KEY=k", "FAIRLEAD_MODEL=m", "https_proxy=p", "HOME=/h"}}
	if diff := cmp.Diff([]string{"DISPLAY=:9", "HOME=/h", "X=1"}, d.environmentWith("X=1")); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	if d.lookup("HOME") != "/h" || d.lookup("NONE") != "" {
		t.Errorf("HOME is %q, NONE is %q", d.lookup("HOME"), d.lookup("NONE"))
	}
}

func TestScripts(t *testing.T) {
	dist := t.TempDir()
	if _, err := scriptSize(dist); err == nil {
		t.Error("a page without scripts has a size")
	}
	noise := make([]byte, 5000)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	if err := os.Mkdir(filepath.Join(dist, "assets"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"assets/a.js": noise, "b.js": bytes.Repeat([]byte("a"), 5000), "c.css": noise, "index.html": noise,
	} {
		if err := os.WriteFile(filepath.Join(dist, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := scriptSize(dist)
	if err != nil || got < 5000 || got > 5100 {
		t.Errorf("%d bytes, %v; want those of a.js and a few of b.js", got, err)
	}
}
