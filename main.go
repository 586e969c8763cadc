// Fairlead lets people hand work on the files of one folder to a language model
// and stay in command of it. This file chooses the entry point: the command line, or the
// window where the build has one and nothing else is asked for.
package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"fairlead/backend/cli"
	"fairlead/backend/desktop"
	"fairlead/backend/settings"
	"fairlead/backend/tool/document/builtin"
)

func main() {
	if builtin.Asked() {
		os.Exit(builtin.Main())
	}
	if desktop.Generating {
		generate()
		return
	}
	if len(os.Args) > 1 { // the window stays, and so does the memory of its start
		collectLater()
	}
	streams := cli.Standard()
	if desktop.HasWindow {
		streams.OpenWindow = openWindow
	}
	os.Exit(cli.Main(os.Args[1:], streams))
}

const (
	// startTime is how long a start can take, and startGrowth by how many percent the heap
	// may grow in it before it is collected. Go says 100, from 4 MB on.
	startTime   = 50 * time.Millisecond
	startGrowth = 400
	// runGrowth is the same for a run. Each request is the whole history, and garbage once
	// it is sent: a fifth less of it at a time is some megabyte, for little processor time.
	runGrowth = 80
)

// collectLater keeps the collector from working while the program starts: nearly all that
// is made then stays in use, and looking through it takes part of the start.
func collectLater() {
	if usual := debug.SetGCPercent(startGrowth); usual != 100 { // the user has set GOGC
		debug.SetGCPercent(usual)
		return
	}
	time.AfterFunc(startTime, func() { debug.SetGCPercent(runGrowth) })
}

// generate writes the page's view of the bound methods, which is all that opening
// the window does in a build that generates, with or without a display.
func generate() {
	if err := openWindow(); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// openWindow opens the window and returns when it is closed.
func openWindow() error {
	folders, err := settings.FindFolders(os.Getenv("FAIRLEAD_DATA_DIR"))
	if err != nil {
		return err
	}
	window := desktop.NewWindow(cli.Version(), folders)
	return desktop.Open(window, &App{window})
}
