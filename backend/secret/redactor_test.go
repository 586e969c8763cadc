package secret_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"fairlead/backend/secret"
)

func TestSEC05_KnownKeysAreReplaced(t *testing.T) {
	var redactor secret.Redactor
	redactor.Add("sk-short-0123")
	redactor.Add("sk-short-0123-and-longer")
	redactor.Add("seven77")
	tests := []struct{ name, in, want string }{
		{"none", "plain text", "plain text"},
		{"one", "key=sk-short-0123.", "key=[redacted key]."},
		{"twice", "sk-short-0123sk-short-0123", "[redacted key][redacted key]"},
		{"the longer whole", "sk-short-0123-and-longer", "[redacted key]"},
		{"too short to be told from text", "seven77", "seven77"},
		{"invalid UTF-8 around it", "\xffsk-short-0123\xff", "\xff[redacted key]\xff"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := redactor.String(test.in); got != test.want {
				t.Errorf("String = %q, want %q", got, test.want)
			}
			if got := redactor.Bytes([]byte(test.in)); string(got) != test.want {
				t.Errorf("Bytes = %q, want %q", got, test.want)
			}
		})
	}
}

func TestSEC05_EscapedKeysAreReplaced(t *testing.T) {
	const key = `can"ary<&>\+/ 0123`
	var redactor secret.Redactor
	redactor.Add(key)
	html, err := json.Marshal(map[string]string{"k": key})
	if err != nil {
		t.Fatal(err)
	}
	if got := redactor.String(string(html)); got != `{"k":"[redacted key]"}` {
		t.Errorf("in JSON: %s", got)
	}
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(key); err != nil {
		t.Fatal(err)
	}
	if got := redactor.String(plain.String()); got != "\"[redacted key]\"\n" {
		t.Errorf("in JSON without HTML escapes: %s", got)
	}
	if got := redactor.String(url.Values{"k": {key}}.Encode()); got != "k=[redacted key]" {
		t.Errorf("in a URL: %s", got)
	}
}

func TestRedactorLeavesItsInputAlone(t *testing.T) {
	var redactor secret.Redactor
	redactor.Add(canary)
	text := []byte("a " + canary + " b")
	redactor.Bytes(text)
	if string(text) != "a "+canary+" b" {
		t.Errorf("the input became %q", text)
	}
	plain := []byte("nothing to hide")
	if got := redactor.Bytes(plain); &got[0] != &plain[0] {
		t.Error("text without a key was copied")
	}
}

type failing struct{}

func (failing) Write(p []byte) (int, error) { return len(p), errors.New("disk full") }

func TestSEC05_WriterRedactsWholeWrites(t *testing.T) {
	var redactor secret.Redactor
	redactor.Add(canary)
	var out bytes.Buffer
	line := "k " + canary + "\n"
	n, err := fmt.Fprint(redactor.Writer(&out), line)
	if n != len(line) || err != nil || out.String() != "k [redacted key]\n" {
		t.Errorf("Write = %d, %v: %q", n, err, out.String())
	}
	if n, err := fmt.Fprint(redactor.Writer(failing{}), canary); err == nil || n > len(canary) {
		t.Errorf("failing Write = %d, %v", n, err)
	}
}

func TestRedactorIsSafeForConcurrentUse(t *testing.T) {
	var redactor secret.Redactor
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			key := fmt.Sprintf("sk-concurrent-%d", i)
			redactor.Add(key)
			if got := redactor.String(key); got != secret.Redacted {
				t.Errorf("%s became %s", key, got)
			}
		})
	}
	group.Wait()
}

func BenchmarkRedactorWithoutMatch(b *testing.B) {
	var redactor secret.Redactor
	redactor.Add(canary)
	text := []byte(strings.Repeat("the quick brown fox ", 1000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		redactor.Bytes(text)
	}
}
