package wire

import (
	"bytes"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"fairlead/backend/llm"
)

// maxMessage is how much of a provider's own words is kept, in bytes.
const maxMessage = 2000

// newFailure makes the typed error of a provider's own account of it, in whatever
// shape that comes. status is 0 for an error inside a stream.
func (t *Transport) newFailure(status int, header http.Header, text []byte) *llm.Error {
	text = t.redactText(text)
	said := readEnvelope(text)
	if status < http.StatusBadRequest && said.status >= http.StatusBadRequest {
		status = said.status
	}
	e := &llm.Error{Status: status, Code: said.code, Message: cutMessage(said.message), Wait: wait(header, text)}
	if !said.own {
		e.Said = e.Message
	}
	e.Class, e.Hint = classifyAnswer(status, header, text)
	switch e.Class {
	case llm.ContextOverflow:
		e.Window = findWindow(said.message, text)
	case llm.BadRequest, llm.ModelNotFound:
		e.Protocol = namedProtocol(said.message)
	}
	switch {
	case e.Message != "":
	case e.Code != "":
		e.Message = "the provider reports " + e.Code
	case status >= http.StatusBadRequest:
		e.Message = strings.TrimSpace("the provider answered " + strconv.Itoa(status) + " " + http.StatusText(status))
	default:
		e.Class, e.Message, e.Hint = llm.Malformed, "the server answered with something that is no reply", "check the base URL"
	}
	return e
}

// account is what a provider says of an error.
type account struct {
	message, code string
	// status is the HTTP status named inside the text, 0 for none.
	status int
	// own says that message is none of the provider's.
	own bool
}

var title = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>|<h1[^>]*>(.*?)</h1>`)
})

// readEnvelope reads an error of any known shape: an object or a string under error,
// the same in an array, detail, a flat object, base_resp, a web page, plain text.
func readEnvelope(body []byte) account {
	body = bytes.TrimSpace(body)
	switch {
	case len(body) == 0:
		return account{}
	case body[0] == '<':
		if found := title().FindSubmatch(body); found != nil {
			return account{message: strings.TrimSpace(html.UnescapeString(string(found[1]) + string(found[2])))}
		}
		return account{message: "the server answered with a web page", own: true}
	case body[0] == '[':
		var list []json.RawMessage
		if json.Unmarshal(body, &list) == nil && len(list) > 0 && body[0] != list[0][0] {
			return readEnvelope(list[0])
		}
	case body[0] == '{':
		var e envelopeJSON
		if json.Unmarshal(body, &e) == nil {
			return e.readAccount()
		}
	}
	return account{message: string(body)}
}

// envelopeJSON has the fields in which providers put errors, the nested one
// being of the same form or a string.
type envelopeJSON struct {
	Error      json.RawMessage `json:"error"`
	Message    text            `json:"message"`
	Msg        text            `json:"msg"`
	Detail     text            `json:"detail"`
	StatusText text            `json:"status_msg"`
	Code       json.RawMessage `json:"code"`
	StatusCode json.RawMessage `json:"status_code"`
	Type       text            `json:"type"`
	Status     text            `json:"status"`
	Base       json.RawMessage `json:"base_resp"`
	// Metadata is where OpenRouter puts what the service behind it said, a text that holds
	// JSON or does not.
	Metadata object[struct {
		Raw text `json:"raw"`
	}] `json:"metadata"`
}

func (e *envelopeJSON) readAccount() account {
	a := account{message: firstText(string(e.Message), string(e.Msg), string(e.Detail), string(e.StatusText))}
	for _, raw := range []json.RawMessage{e.Code, e.StatusCode} {
		code := strings.Trim(string(raw), `"`)
		if code == "null" {
			continue
		}
		number, err := strconv.Atoi(code)
		if err == nil && number >= http.StatusBadRequest && number < 600 {
			a.status = number
			continue
		}
		a.code = firstText(a.code, code)
	}
	a.code = firstText(a.code, string(e.Type), string(e.Status))
	for _, raw := range []json.RawMessage{e.Error, e.Base} {
		a = readNested(raw).fillFrom(a)
	}
	if raw := string(e.Metadata.value.Raw); raw != "" {
		// The gateway's own words are "Provider returned error".
		a = readEnvelope([]byte(raw)).fillFrom(a)
	}
	return a
}

// readNested reads what is under error.
func readNested(raw json.RawMessage) account {
	if isString(raw) {
		var message string
		// A string that does not decode cannot be: it was part of valid JSON.
		_ = json.Unmarshal(raw, &message)
		return account{message: message}
	}
	var e envelopeJSON
	if !bytes.HasPrefix(raw, []byte("{")) || json.Unmarshal(raw, &e) != nil {
		return account{}
	}
	return e.readAccount()
}

// fillFrom fills what a leaves open from b.
func (a account) fillFrom(b account) account {
	if a.status == 0 {
		a.status = b.status
	}
	return account{message: firstText(a.message, b.message), code: firstText(a.code, b.code), status: a.status}
}

// firstText returns the first of values that is not empty.
func firstText(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}

// cutMessage shortens a message at a rune's boundary.
func cutMessage(message string) string {
	message = strings.ToValidUTF8(strings.TrimSpace(message), "\ufffd")
	if len(message) <= maxMessage {
		return message
	}
	end := maxMessage
	for !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end] + "…"
}
