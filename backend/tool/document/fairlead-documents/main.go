// Fairlead-documents turns documents into text for Fairlead, which starts it and hands it the files
// piece by piece. It is a program of its own so that Fairlead does not have to load what it needs,
// and shuts itself off from everything else before it reads the first of them.
package main

import (
	"os"

	"fairlead/backend/tool/document/extract"
)

func main() { os.Exit(extract.Main(os.Args[1:])) }
