//go:build bindings

package desktop

// newDialogs returns none: this program only writes the page's view of the bound
// methods.
func newDialogs(*Window) Dialogs { return nil }
