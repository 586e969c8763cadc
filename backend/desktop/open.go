//go:build desktop || dev || bindings

package desktop

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"

	"fairlead/frontend"
)

// HasWindow says that this build contains the window.
const HasWindow = true

// minWidth and minHeight are the smallest window, in pixels, that shows all of
// the page.
const minWidth, minHeight = 900, 600

// usualWidth and usualHeight are the window of a first start, in pixels.
const usualWidth, usualHeight = 1180, 780

// generated is bound when the page's view of the bound methods is written; nil else.
var generated []any

// Open opens the window, with app bound to the page beside the window's own
// services, and returns when it is closed. Nothing with an effect happens before
// the library runs, because generating the bindings runs all this too.
func Open(w *Window, app any) (err error) {
	assets, err := frontend.Assets()
	if err != nil {
		return fmt.Errorf("find the page: %w", err)
	}
	// The library panics when the display turns it away.
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("open the window: %v; check DISPLAY or WAYLAND_DISPLAY, or use fairlead run", problem)
		}
	}()
	setUpEngine()
	shell := &shell{window: w, down: make(chan struct{})}
	if err := wails.Run(shell.windowOptions(app, assets)); err != nil {
		return fmt.Errorf("open the window: %w", err)
	}
	return shell.ended
}

func (s *shell) windowOptions(app any, assets assetsFS) *options.App {
	w := s.window
	at := w.Remembered()
	if at.Width == 0 || at.Height == 0 {
		at.Width, at.Height = usualWidth, usualHeight
	}
	start := options.Normal
	if at.Maximised {
		start = options.Maximised
	}
	return &options.App{
		Title: "Fairlead", Width: at.Width, Height: at.Height, MinWidth: minWidth, MinHeight: minHeight, WindowStartState: start,
		BackgroundColour: options.NewRGB(w.backgroundColor()),
		AssetServer:      &assetserver.Options{Assets: assets, Middleware: w.Middleware},
		Logger:           &library{window: w}, LogLevel: logger.WARNING, LogLevelProduction: logger.WARNING,
		OnStartup: s.startup, OnDomReady: s.domReady, OnBeforeClose: s.beforeClose, OnShutdown: s.shutdown,
		Bind:           slices.Concat([]any{app}, w.Services(), generated),
		ErrorFormatter: Format,
		SingleInstanceLock: &options.SingleInstanceLock{
			UniqueId: w.instanceID(), OnSecondInstanceLaunch: func(options.SecondInstanceData) { s.Show() },
		},
		DragAndDrop:              &options.DragAndDrop{EnableFileDrop: true, DisableWebViewDrop: true},
		EnableDefaultContextMenu: true,
		Linux:                    &linux.Options{Icon: icon, ProgramName: "fairlead", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		Windows:                  w.windowsOptions(),
	}
}

// startup opens the window's folders. The library calls it in a goroutine of its
// own on Linux and Windows, so the page can be there first; its calls wait.
func (s *shell) startup(ctx context.Context) {
	s.ctx.Store(&ctx)
	s.window.Start(s, newDialogs(s.window))
	if notices, err := newNotices(ctx, s.window.OpenNotice); err != nil {
		s.window.log.Warn("no notices of the system", "error", err)
	} else if s.window.isOpen() {
		s.window.ServeNotices(notices)
	}
	s.obeySignals()
}

// instanceID names the one window of a data folder on the session bus, where only
// letters, digits and underscores are safe.
func (w *Window) instanceID() string {
	sum := sha256.Sum256([]byte(w.folders.Data))
	return "fairlead_" + hex.EncodeToString(sum[:8])
}

// backgroundColor returns the color behind the page before it is painted.
func (w *Window) backgroundColor() (red, green, blue uint8) {
	if w.remembered.currentState().Theme == "dark" {
		return 0x0b, 0x0b, 0x0b
	}
	return 0xff, 0xff, 0xff
}
