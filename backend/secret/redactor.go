package secret

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// shortest is the length below which a value is not redacted, in bytes: shorter
// ones occur in ordinary text.
const shortest = 8

// Redactor replaces known key values in text that leaves the process (SPEC
// SEC-05). It knows a key as it is, as it stands in JSON, and as it stands in a
// URL. It is safe for concurrent use; the zero Redactor knows no key.
type Redactor struct {
	mu sync.RWMutex
	// values are the longest first, so that a key that begins with another is
	// replaced whole. The slice is replaced, never changed.
	values []string
}

// Add makes a value known. Values shorter than 8 bytes are left alone, because
// they would be found in ordinary text.
func (r *Redactor) Add(value string) {
	if len(value) < shortest {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	values := slices.Clone(r.values)
	for _, form := range []string{value, inJSON(value, true), inJSON(value, false), url.QueryEscape(value)} {
		if !slices.Contains(values, form) {
			values = append(values, form)
		}
	}
	slices.SortFunc(values, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	r.values = values
}

// String returns s without the known keys.
func (r *Redactor) String(s string) string {
	for _, value := range r.knownValues() {
		if strings.Contains(s, value) {
			s = strings.ReplaceAll(s, value, Redacted)
		}
	}
	return s
}

// Bytes returns b without the known keys: b itself where it holds none, else a
// copy.
func (r *Redactor) Bytes(b []byte) []byte {
	for _, value := range r.knownValues() {
		if key := []byte(value); bytes.Contains(b, key) {
			b = bytes.ReplaceAll(b, key, []byte(Redacted))
		}
	}
	return b
}

// Writer returns a writer that passes on to w what is written, without the known
// keys. Each Write stands alone: a key split between two is not seen.
func (r *Redactor) Writer(w io.Writer) io.Writer { return &redactingWriter{r, w} }

type redactingWriter struct {
	redactor *Redactor
	to       io.Writer
}

// Write implements io.Writer. It counts the bytes it was given, not the bytes it
// passed on.
func (w *redactingWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(w.redactor.Bytes(p))
	if err != nil {
		return min(n, len(p)), err
	}
	return len(p), nil
}

func (r *Redactor) knownValues() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.values
}

// inJSON returns value as encoders write it inside a JSON string, with and
// without the escapes for HTML.
func inJSON(value string, html bool) string {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(html)
	if err := encoder.Encode(value); err != nil {
		return value
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(buffer.String()), `"`), `"`)
}
