//go:build desktop

// Emptywindow is the least that Fairlead's window can cost: the same library with
// the same options, and a page of one word. Where EMPTYWINDOW_ANSWER names an address,
// its page appends the text that comes from there as plain text, from the first Enter on.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

//go:embed empty plain
var pages embed.FS

func main() {
	if err := open(os.Getenv("EMPTYWINDOW_ANSWER")); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// open opens the window, with the page for the answer from an address, if there is one.
func open(address string) error {
	name := "empty"
	if address != "" {
		name = "plain"
	}
	page, err := fs.Sub(pages, name)
	if err != nil {
		return fmt.Errorf("find the page: %w", err)
	}
	return wails.Run(&options.App{
		Title: "Empty", Width: 1180, Height: 780, MinWidth: 900, MinHeight: 600,
		BackgroundColour:         options.NewRGB(0xff, 0xff, 0xff),
		AssetServer:              &assetserver.Options{Assets: page},
		LogLevel:                 logger.WARNING,
		LogLevelProduction:       logger.WARNING,
		SingleInstanceLock:       &options.SingleInstanceLock{UniqueId: "fairlead_bench_empty"},
		DragAndDrop:              &options.DragAndDrop{EnableFileDrop: true, DisableWebViewDrop: true},
		EnableDefaultContextMenu: true,
		Linux:                    &linux.Options{ProgramName: "empty", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		OnStartup: func(ctx context.Context) {
			if address == "" {
				return
			}
			var once sync.Once
			runtime.EventsOn(ctx, "begin", func(...any) {
				once.Do(func() {
					go func() {
						if err := follow(ctx, address); err != nil {
							fmt.Fprintln(os.Stderr, "error:", err)
							os.Exit(1)
						}
					}()
				})
			})
		},
	})
}

// pause is the time between two pieces for the page: as often Fairlead draws what has come.
const pause = time.Second / 10

// follow gives the page what comes from an address.
func follow(ctx context.Context, address string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("ask for the answer: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask for the answer: %w", err)
	}
	defer func() { _ = response.Body.Close() }() // it is read to its end, or given up
	var came strings.Builder
	for drawn, piece := time.Now(), make([]byte, 64<<10); ; {
		n, err := response.Body.Read(piece)
		came.Write(piece[:n])
		if time.Since(drawn) >= pause || err != nil {
			runtime.EventsEmit(ctx, "text", came.String())
			came.Reset()
			drawn = time.Now()
		}
		if errors.Is(err, io.EOF) {
			runtime.EventsEmit(ctx, "end")
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
	}
}
