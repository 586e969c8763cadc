//go:build desktop

// Emptywindow is the least that Fairlead's window can cost: the same library with
// the same options, and a page of one word.
package main

import (
	"embed"
	"fmt"
	"os"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/logger"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

//go:embed index.html
var page embed.FS

func main() {
	err := wails.Run(&options.App{
		Title: "Empty", Width: 1180, Height: 780, MinWidth: 900, MinHeight: 600,
		BackgroundColour:         options.NewRGB(0xff, 0xff, 0xff),
		AssetServer:              &assetserver.Options{Assets: page},
		LogLevel:                 logger.WARNING,
		LogLevelProduction:       logger.WARNING,
		SingleInstanceLock:       &options.SingleInstanceLock{UniqueId: "fairlead_bench_empty"},
		DragAndDrop:              &options.DragAndDrop{EnableFileDrop: true, DisableWebViewDrop: true},
		EnableDefaultContextMenu: true,
		Linux:                    &linux.Options{ProgramName: "empty", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
