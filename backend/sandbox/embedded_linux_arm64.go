//go:build supervisor

package sandbox

import _ "embed" // for the program

// embedded is the program backend/sandbox/supervisor/fairlead-supervisor.
//
//go:embed built/supervisor-arm64
var embedded string
