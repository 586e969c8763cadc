//go:build !bindings

package desktop

// Generating reports that Open only writes the page's view of the bound methods.
const Generating = false
