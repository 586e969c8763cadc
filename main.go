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
	if desktop.HasWindow && len(os.Args) == 1 {
		os.Exit(openWindow())
	}
	os.Exit(cli.Main(os.Args[1:], cli.Standard()))
}

// openWindow opens the window and returns the exit code.
func openWindow() int {
	folders, err := settings.FindFolders(os.Getenv("FAIRLEAD_DATA_DIR"))
	if err == nil {
		window := desktop.NewWindow(cli.Version(), folders)
		err = desktop.Open(window, &App{window})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	return 0
}
