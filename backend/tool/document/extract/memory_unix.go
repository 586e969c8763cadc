//go:build unix

package extract

import (
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sys/unix"
)

// allocate gives a program in WebAssembly its memory: addresses for as much as it may have, of
// which the system fills in what is used. Nothing is copied when it grows.
func allocate(_, most uint64) experimental.LinearMemory {
	space, err := unix.Mmap(-1, 0, int(most), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE) //nolint:gosec // it is at most pdfMemory
	if err != nil {
		return &mapped{}
	}
	return &mapped{space}
}

// mapped is memory from the system.
type mapped struct{ space []byte }

// Reallocate implements experimental.LinearMemory.
func (m *mapped) Reallocate(size uint64) []byte {
	if size > uint64(len(m.space)) {
		return nil
	}
	return m.space[:size]
}

// Free implements experimental.LinearMemory.
func (m *mapped) Free() {
	_ = unix.Munmap(m.space)
	m.space = nil
}
