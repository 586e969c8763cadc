//go:build !supervisor || !(amd64 || arm64)

package sandbox

// embedded is empty: this build holds no program of its own that confines commands.
const embedded = ""
