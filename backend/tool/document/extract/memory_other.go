//go:build !unix

package extract

import "github.com/tetratelabs/wazero/experimental"

// allocate gives a program in WebAssembly its memory, which is copied when it grows.
func allocate(_, most uint64) experimental.LinearMemory { return &copied{most: most} }

// copied is memory from Go.
type copied struct {
	space []byte
	most  uint64
}

// Reallocate implements experimental.LinearMemory.
func (m *copied) Reallocate(size uint64) []byte {
	if size > m.most {
		return nil
	}
	if size > uint64(cap(m.space)) {
		grown := make([]byte, size, min(m.most, 2*size))
		copy(grown, m.space)
		m.space = grown
	}
	m.space = m.space[:size]
	return m.space
}

// Free implements experimental.LinearMemory.
func (m *copied) Free() { m.space = nil }
