//go:build unix

package process

import "io"

// newDecoder returns what turns a program's bytes into UTF-8: nothing on Unix,
// where that is what programs write.
func newDecoder(out io.Writer) io.WriteCloser { return plainWriter{out} }

// plainWriter is a writer with nothing to close.
type plainWriter struct{ io.Writer }

// Close implements io.Closer.
func (plainWriter) Close() error { return nil }
