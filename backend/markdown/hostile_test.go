//go:build !race

// Long pages take the race detector many times as long, and one goroutine converts a page.

package markdown

import (
	"context"
	"runtime"
	"testing"
	"time"
	"unicode/utf8"
)

func TestTOOL04_HostilePagesAreConvertedInBounds(t *testing.T) {
	const (
		mostBytes = 128 << 20 // in all that was allocated
		// A careless converter takes minutes. The slowest page takes a third of a
		// second; on a busy machine, several times that.
		mostTime = 10 * time.Second
	)
	for name, page := range hostile() {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), mostTime)
			defer cancel()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			text, _ := FromHTML(ctx, page, at)
			runtime.ReadMemStats(&after)
			escaped, _ := Escaped(ctx, page)
			if err := ctx.Err(); err != nil {
				t.Errorf("it takes too long: %v", err)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > mostBytes {
				t.Errorf("%d MiB were allocated", grown>>20)
			}
			if len(escaped) > 8*maxText || !utf8.ValidString(escaped) {
				t.Errorf("%d bytes of escaped text", len(escaped))
			}
			if len(text) > 3*maxText || !utf8.ValidString(text) {
				t.Errorf("%d bytes of text, valid UTF-8 %v", len(text), utf8.ValidString(text))
			}
		})
	}
}
