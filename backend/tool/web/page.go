package web

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"fairlead/backend/markdown"
	"fairlead/backend/publicnet"
)

const (
	// maxBody is how much of a page is read, bytes after decompression.
	maxBody = 1 << 20
	// maxKind is the length of the longest media type that is believed, bytes.
	maxKind = 100
)

// page is an answer as far as it was read.
type page struct {
	target publicnet.Target
	status int
	// kind is the media type, in lower case and without parameters; empty where the
	// body is.
	kind string
	// charset is what the server calls the page's encoding; empty if it does not.
	charset string
	// coding is what the body is still compressed with; empty for nothing.
	coding string
	// size is the length of the whole body, bytes; -1 if it is not known.
	size int64
	body []byte
	// cut says that the body is longer than maxBody.
	cut bool
	// err is why the body ended early; nil if it did not.
	err error
}

// readPage reads an answer from t: the body of text, else only its kind.
func readPage(answer *http.Response, t publicnet.Target) page {
	p := page{target: t, status: answer.StatusCode, size: answer.ContentLength}
	// A kind is believed even where the parameters behind it cannot be read.
	kind, parameters, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) && len(kind) <= maxKind {
		p.kind, p.charset = kind, parameters["charset"]
	}
	// The transport has taken gzip off by now. What is left was not asked for.
	if coding := answer.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		p.coding = coding
		return p
	}
	if !isUnnamed(p.kind) && !isTextual(p.kind) {
		return p
	}
	p.body, p.err = io.ReadAll(io.LimitReader(answer.Body, maxBody+1))
	if len(p.body) > maxBody {
		p.body, p.cut = p.body[:maxBody], true
	} else if p.err == nil {
		p.size = int64(len(p.body))
	}
	switch {
	case len(p.body) == 0:
		p.kind = ""
	case isUnnamed(p.kind):
		p.kind, _, _ = strings.Cut(http.DetectContentType(p.body), ";")
	}
	return p
}

// decode returns the body as valid UTF-8 without a byte order mark.
func (p page) decode() string {
	text := markdown.Decode(p.body, p.charset)
	if p.cut {
		// The last character may have been cut in two.
		text = strings.TrimSuffix(text, "\uFFFD")
	}
	return text
}

// isUnnamed says that a kind says nothing: storage services give the general one to
// every file that nobody named a kind for.
func isUnnamed(kind string) bool {
	return !strings.Contains(kind, "/") || kind == "application/octet-stream" || kind == "binary/octet-stream"
}

// isTextual reports whether what is of this kind is text.
func isTextual(kind string) bool {
	family, name, _ := strings.Cut(kind, "/")
	name = strings.TrimPrefix(name, "x-")
	if family == "text" || strings.HasSuffix(name, "+json") || strings.HasSuffix(name, "+xml") ||
		strings.HasSuffix(name, "+yaml") {
		return true
	}
	switch name {
	case "json", "json5", "jsonl", "ndjson", "json-lines", "xml", "xml-dtd", "yaml", "toml", "graphql", "sql",
		"javascript", "ecmascript", "typescript", "sh", "shellscript", "tex", "latex", "patch", "diff":
		return family == "application"
	}
	return false
}

// isMarkup reports whether the page is HTML.
func (p page) isMarkup() bool { return p.kind == "text/html" || p.kind == "application/xhtml+xml" }

// sizeInWords is the size of the body in words.
func (p page) sizeInWords() string {
	switch {
	case p.size >= 0:
		return withCommas(p.size) + " bytes"
	case p.cut:
		return "over " + withCommas(maxBody) + " bytes"
	default:
		return "of unknown size"
	}
}

// withCommas writes 12345 as 12,345.
func withCommas(n int64) string {
	digits := strconv.FormatInt(n, 10)
	var out strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(digit)
	}
	return out.String()
}

// headLine is the line about the page that comes before its text.
func (p page) headLine() string {
	kind := p.kind
	if kind == "" {
		kind = "empty"
	}
	return fmt.Sprintf("%s (%d, %s)", p.target.URL, p.status, kind)
}
