//go:build !supervisor || !(amd64 || arm64)

package sandbox

// supervisor is empty: this build holds no program of its own that confines commands.
var supervisor string
