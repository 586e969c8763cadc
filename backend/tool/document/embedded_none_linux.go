//go:build !supervisor || !(amd64 || arm64)

package document

// embedded is empty: this program reads documents itself.
const embedded = ""
