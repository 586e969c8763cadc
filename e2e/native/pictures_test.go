//go:build e2e && linux

package native

import (
	"bufio"
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// beside starts another program on the desktop, one of the scripts here, which says when it is ready.
func beside(t *testing.T, script string, arguments ...string) {
	t.Helper()
	owner := exec.CommandContext(t.Context(), "/usr/bin/python3", append([]string{script}, arguments...)...)
	owner.Stderr = os.Stderr
	held, err := owner.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = held.Close()
		_ = owner.Wait()
	})
	if line, err := bufio.NewReader(output).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%s: %q, %v", script, line, err)
	}
}

// shot is a picture in a file, of 320 by 200 pixels.
func shot(t *testing.T) string {
	t.Helper()
	drawn := image.NewRGBA(image.Rect(0, 0, 320, 200))
	draw.Draw(drawn, drawn.Rect, image.NewUniform(color.RGBA{200, 30, 30, 255}), image.Point{}, draw.Src)
	var file bytes.Buffer
	if err := png.Encode(&file, drawn); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "shot.png")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDOC02_APictureIsPastedAndShown pastes a picture into the real window: it is shown above what is written, sent to
// a model that sees, and shown in the conversation.
func TestDOC02_APictureIsPastedAndShown(t *testing.T) {
	p := newPlace(t, "text white\n---\ntext It is a plan.\n---\ntext Still one.\n")
	beside(t, "clipboard.py", shot(t))
	w := p.open()
	w.activate()
	w.keys("ctrl+v")
	pasted := query{Role: "button", Name: w.words.word("shell.composer.remove", "name", "clipboard.png")}
	w.find(pasted)
	w.ask("what is this?")
	w.sees("It is a plan.")
	w.gone(pasted)
	w.model.sentPictures(2, 1)
	w.push(query{Role: "button", Name: w.words.word("transcript.enlarge", "name", "clipboard.png")})
	w.ask("are you sure?")
	w.sees("Still one.")
	w.model.sentPictures(3, 1)
	w.exitsWell()
}

func TestDOC03_FilesAreChosenInTheNativeDialog(t *testing.T) {
	p := newPlace(t, "text white\n---\ntext A plan.\n")
	p.write("notes.txt", "x")
	w := p.open()
	choose := func(path string) {
		w.press("shell.composer.add")
		w.find(query{Role: "file chooser"})
		w.keys("ctrl+l")
		w.types(path)
		w.find(query{Role: "text", Has: path, States: []string{"focused"}})
		w.push(query{Role: "button", Name: "Open", States: []string{"sensitive"}})
		w.gone(query{Role: "file chooser"})
	}
	choose(shot(t))
	w.find(query{Role: "button", Name: w.words.word("shell.composer.remove", "name", "shot.png")})
	choose(filepath.Join(p.workspace, "notes.txt"))
	w.find(query{Role: "entry", Name: w.words.word("shell.composer.label"), Text: "notes.txt "})
	w.ask("what is this?")
	w.sees("A plan.")
	w.model.sentPictures(2, 1)
	w.exitsWell()
}

func TestDOC02_APictureIsDroppedOnTheWindow(t *testing.T) {
	p := newPlace(t, "text white\n---\ntext A plan.\n")
	w := p.open()
	w.drop(shot(t))
	w.find(query{Role: "button", Name: w.words.word("shell.composer.remove", "name", "shot.png")})
	// The window manager takes its time after a drag, and the window has the keyboard.
	w.types("what is this?")
	w.keys("Return")
	w.sees("A plan.")
	w.model.sentPictures(2, 1)
}

// drop drags a file from another program onto the window.
func (w *window) drop(path string) {
	w.t.Helper()
	beside(w.t, "drag.py", path)
	to := w.find(query{Role: "entry", Name: w.words.word("shell.composer.label")}).Box
	x, y := strconv.Itoa(to[0]+to[2]/2), strconv.Itoa(to[1]-100)
	w.xdotool("mousemove", "60", "40", "mousedown", "1", "sleep", "0.1", "mousemove_relative", "10", "10", "sleep", "0.1",
		"mousemove_relative", "20", "0", "sleep", "0.1", "mousemove", x, y, "sleep", "0.2", "mousemove_relative", "3", "3", "sleep", "0.3", "mouseup", "1")
}

// sentPictures expects so many pictures in the n-th request.
func (m *model) sentPictures(n, count int) {
	m.t.Helper()
	requests := m.Requests()
	if len(requests) < n {
		m.t.Fatalf("the model was asked %d times, not %d", len(requests), n)
	}
	pictures := requests[n-1].Pictures()
	if len(pictures) != count {
		m.t.Fatalf("request %d has %d pictures, want %d", n, len(pictures), count)
	}
	for _, picture := range pictures {
		if config, _, err := image.DecodeConfig(bytes.NewReader(picture.Data)); err != nil || config.Width != 320 {
			m.t.Errorf("request %d has a picture %d pixels wide: %v", n, config.Width, err)
		}
	}
}
