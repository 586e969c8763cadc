// Fairlead lets people hand work on the files of one folder to a language model
// and stay in command of it. This file picks the door: the command line.
package main

import (
	"os"

	"fairlead/backend/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Standard()))
}
