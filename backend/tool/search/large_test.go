//go:build !race

// Megabytes of text take the race detector many times as long, and one goroutine searches a file.

package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"fairlead/backend/tool"
	"fairlead/backend/tool/tooltest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"
)

// TestSearchInPiecesFindsWhatSearchAtOnceDoes compares the two in random texts with
// lines of all lengths, private keys, and matches beside each other and far apart.
func TestSearchInPiecesFindsWhatSearchAtOnceDoes(t *testing.T) {
	const begin, end = "-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA " + "PRIVATE KEY-----"
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 1))
		var b bytes.Buffer
		newline := []string{"\n", "\r\n"}[seed%2]
		for b.Len() < 5*windowSize/2 {
			switch random.IntN(400) {
			case 0:
				b.WriteString("a needle in it" + newline)
			case 1:
				b.WriteString("needle" + newline + "needle" + newline + "\r\r" + newline)
			case 2:
				b.WriteString(strings.Repeat("long ", random.IntN(60_000)) + "needle" + newline)
			case 3:
				b.WriteString(begin + newline + strings.Repeat(strings.Repeat("needle+M1", 7)+newline, random.IntN(500)+1) + end + newline)
			case 4:
				b.WriteString("token ghp_needle0123456789abcdefghijABCDEF end" + newline)
			default:
				b.WriteString(strings.Repeat("x", random.IntN(200)) + newline)
			}
		}
		if seed%3 == 0 {
			b.WriteString("the last needle")
		}
		folder, path := planted(t, "f", b.Bytes())
		for _, context := range []int{0, 1, 20} {
			p, err := compilePattern([]string{"needle", "n[e]+dle$", "(?i)NEEDLE\\b"}[seed%3])
			if err != nil {
				t.Fatal(err)
			}
			whole := &scan{pattern: p, context: context}
			want := whole.searchContent(t.Context(), &text{content: bytes.ReplaceAll(b.Bytes(), []byte("\r\n"), []byte("\n"))})
			pieces := &scan{pattern: p, context: context}
			file, err := folder.OpenFile(filepath.Base(path))
			if err != nil {
				t.Fatal(err)
			}
			got, err := pieces.searchLarge(t.Context(), file)
			_ = file.Close()
			if err != nil || whole.matches.Load() != pieces.matches.Load() || len(want) == 0 {
				t.Errorf("seed %d: %v, %d and %d matches", seed, err, whole.matches.Load(), pieces.matches.Load())
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %d lines of context: %.1000s", seed, context, cmp.Diff(want, got, cmp.AllowUnexported(block{}, line{})))
			}
		}
	}
}

// TestSearchTakesALargeFileThatIsNamed looks for lines of a log, near its end.
func TestSearchTakesALargeFileThatIsNamed(t *testing.T) {
	var b bytes.Buffer
	for i := range 400_000 {
		fmt.Fprintf(&b, "%d a line of a log that is large\n", i+1)
	}
	sixteen, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().Bytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"log": b.Bytes(), "sixteen": sixteen, "open": bytes.TrimSuffix(b.Bytes(), []byte("\n"))} {
		folder, _ := planted(t, name, content)
		search := New(folder, nil)[0]
		result := tooltest.Run(t.Context(), search, tool.Input{Arguments: []byte(`{"pattern":"^(39999[0-9]|400000) ","context":1,"path":"` + name + `"}`)})
		for _, want := range []string{name + "-399989- 399989 a line", name + ":399990: 399990 a line", name + ":400000: 400000 a line"} {
			if !strings.Contains(result.Content.Text(), want) {
				t.Errorf("%s: %q is not in %.300q", name, want, result.Content.Text())
			}
		}
		if result = tooltest.Run(t.Context(), search, tool.Input{Arguments: []byte(`{"pattern":"line"}`)}); !strings.Contains(result.Content.Text(), "1 files over 8 MiB not searched: name one") {
			t.Errorf("%s that is not named: %.300q", name, result.Content.Text())
		}
	}
}

func TestSearchOfALargeFileTakesBoundedMemory(t *testing.T) {
	for name, line := range map[string]string{"no line ends": strings.Repeat("x", 1<<20), "lines": strings.Repeat("some text\n", 100_000), "empty lines": strings.Repeat("\n", 1<<20)} {
		t.Run(name, func(t *testing.T) {
			folder, path := planted(t, "f", nil)
			file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			for range 24 {
				if _, err := file.WriteString(line); err != nil {
					t.Skip(err)
				}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			result := tooltest.Run(t.Context(), New(folder, nil)[0], tool.Input{Arguments: []byte(`{"pattern":"nowhere","context":20,"path":"f"}`)})
			runtime.ReadMemStats(&after)
			if !result.Success() || !strings.Contains(result.Content.Text(), "no match in 1 files") {
				t.Errorf("%.200q", result.Text())
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 24<<20 {
				t.Errorf("%d bytes were allocated", used)
			}
		})
	}
	folder, _ := planted(t, "binary", append([]byte("\x7fELF\x00"), bytes.Repeat([]byte("needle\n"), 2<<20)...))
	if result := tooltest.Run(t.Context(), New(folder, nil)[0], tool.Input{Arguments: []byte(`{"pattern":"needle","path":"binary"}`)}); !strings.Contains(result.Content.Text(), "no match") {
		t.Errorf("in a binary file: %.200q", result.Content.Text())
	}
}
