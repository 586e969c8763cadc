//go:build !bindings

package desktop

// Generating says that Open only writes the page's view of the bound methods.
const Generating = false
