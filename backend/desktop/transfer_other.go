//go:build (!linux && (desktop || dev || bindings)) || (linux && bindings && !desktop && !dev)

package desktop

import "context"

// readClipboard returns nothing: the page takes pictures from the clipboard itself.
func readClipboard(context.Context) ([]byte, error) { return nil, nil }

// takeDrops does nothing: the window library takes what is dropped.
func takeDrops(func(x, y int, paths []string)) {}
