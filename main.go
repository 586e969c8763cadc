// Fairlead lets people hand work on the files of one folder to a language model
// and stay in command of it. This file picks the door: the command line, or the
// window where the build has one and nothing else is asked for.
package main

import (
	"fmt"
	"os"

	"fairlead/backend/cli"
	"fairlead/backend/desktop"
	"fairlead/backend/settings"
)

func main() {
	if desktop.Generating {
		generate()
		return
	}
	streams := cli.Standard()
	if desktop.HasWindow {
		streams.OpenWindow = openWindow
	}
	os.Exit(cli.Main(os.Args[1:], streams))
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
