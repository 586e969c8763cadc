//go:build desktop || dev || bindings

package desktop

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	system "runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"fairlead/backend/process"
	"fairlead/backend/settings"
)

type assetsFS = fs.FS

// shell is the window system's side: it implements Native and takes the window
// library's callbacks.
type shell struct {
	window *Window
	// ctx is the library's, which every call to it needs.
	ctx    atomic.Pointer[context.Context]
	placed sync.Once
	ended  error
	// down is closed when everything is closed, and downed ensures that it is
	// closed once.
	down   chan struct{}
	downed sync.Once
}

func (s *shell) context() context.Context { return *s.ctx.Load() }

// Emit implements Native.
func (s *shell) Emit(name string, data any) { runtime.EventsEmit(s.context(), name, data) }

// ChooseFolder implements Native.
func (s *shell) ChooseFolder(title, start string) (string, error) {
	if start == "" {
		// Left alone, GTK begins at what was used last, and opens nothing there that
		// is typed.
		start, _ = os.UserHomeDir() // without one the system decides
	}
	dir, err := runtime.OpenDirectoryDialog(s.context(), runtime.OpenDialogOptions{
		Title: title, DefaultDirectory: start, CanCreateDirectories: true,
	})
	if err != nil {
		return "", fmt.Errorf("ask for a folder: %w", err)
	}
	return dir, nil
}

// ChooseFiles implements Native.
func (s *shell) ChooseFiles(title, start string) ([]string, error) {
	if start == "" {
		start, _ = os.UserHomeDir() // without one the system decides
	}
	paths, err := runtime.OpenMultipleFilesDialog(s.context(), runtime.OpenDialogOptions{Title: title, DefaultDirectory: start})
	if err != nil {
		return nil, fmt.Errorf("ask for files: %w", err)
	}
	return paths, nil
}

// clipboardTime is how long a program may take to hand over what it has put on the clipboard.
const clipboardTime = 5 * time.Second

// ClipboardPicture implements Native.
func (s *shell) ClipboardPicture() ([]byte, error) {
	ctx, stop := context.WithTimeout(s.context(), clipboardTime)
	defer stop()
	picture, err := readClipboard(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the clipboard: %w", err)
	}
	return picture, nil
}

// OpenLink implements Native. The library would run the first program of PATH that can
// open links, which a command may have put there; on Windows it runs none.
func (s *shell) OpenLink(url string) {
	if system.GOOS == "windows" {
		runtime.BrowserOpenURL(s.context(), url)
		return
	}
	if err := process.OpenLink(url, s.window.writableFolders()...); err != nil {
		s.window.log.Warn("open a link", "error", err)
	}
}

// Show implements Native. A second start of the program can ask for it before
// this one has a window.
func (s *shell) Show() {
	if s.ctx.Load() == nil {
		return
	}
	runtime.WindowUnminimise(s.context())
	runtime.WindowShow(s.context())
}

// Quit implements Native.
func (s *shell) Quit() { runtime.Quit(s.context()) }

// Place implements Native.
func (s *shell) Place() settings.Place {
	var at settings.Place
	at.X, at.Y = runtime.WindowGetPosition(s.context())
	at.Width, at.Height = runtime.WindowGetSize(s.context())
	at.Maximised = runtime.WindowIsMaximised(s.context())
	return at
}

// domReady puts the window where it was, and has it take what is dropped. It is called on every
// reload, but the user may have moved the window since the first.
func (s *shell) domReady(ctx context.Context) {
	s.placed.Do(func() {
		// As the library tells the page of it where it takes it itself.
		takeDrops(func(x, y int, paths []string) { runtime.EventsEmit(ctx, "wails:file-drop", x, y, paths) })
		at := s.window.Remembered()
		if at.Maximised || at.X == 0 && at.Y == 0 {
			return
		}
		screens, err := runtime.ScreenGetAll(ctx)
		if err != nil {
			return
		}
		width, height := 0, 0
		for _, screen := range screens {
			width += screen.Size.Width
			height += screen.Size.Height
		}
		// Off every screen, which may have gone, the window could not be reached.
		if at.X >= 0 && at.Y >= 0 && at.X < width && at.Y < height {
			runtime.WindowSetPosition(ctx, at.X, at.Y)
		}
	})
}

func (s *shell) beforeClose(context.Context) (stay bool) { return s.window.Closing() }

func (s *shell) shutdown(context.Context) {
	s.downed.Do(func() {
		s.ended = s.window.Stop()
		process.KillAll()
		close(s.down)
	})
}

// quitTime is how long the library may take to end after a signal.
const quitTime = 3 * time.Second

// obeySignals closes the window when the system asks for it, without a question:
// the session is ending. The library takes the same signals for a press on the
// close button.
func (s *shell) obeySignals() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		s.window.Decide()
		s.Quit()
		select {
		case <-s.down:
		case <-time.After(quitTime):
			// The dialog that asks for a folder keeps the library from ending.
			s.shutdown(s.context())
			os.Exit(0)
		}
	}()
}
