//go:build desktop || dev || bindings

package desktop

import _ "embed"

// icon is the window's picture where the system does not take it from the
// program: a PNG, 128 pixels wide, drawn by build/icons.sh.
//
//go:embed icon.png
var icon []byte
