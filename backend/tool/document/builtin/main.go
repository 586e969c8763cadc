//go:build !supervisor

package builtin

import (
	"os"

	"fairlead/backend/tool/document/extract"
)

// Main reads documents until nobody asks any more, and returns the exit code.
func Main() int { return extract.Main(os.Args[2:]) }
