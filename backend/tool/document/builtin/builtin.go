// Package builtin makes Fairlead itself the program that reads documents, in builds that do not
// have that as a program of its own.
package builtin

import (
	"os"

	"fairlead/backend/tool/document"
	"fairlead/backend/tool/document/exchange"
)

// Asked reports whether this process was started to read documents. Where it was not, it may start
// such ones.
func Asked() bool {
	if len(os.Args) > 1 && os.Args[1] == exchange.Verb {
		return true
	}
	document.UseOwnProgram()
	return false
}
