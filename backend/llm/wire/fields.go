package wire

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"strconv"
)

// Fields carry what the client library has no place for, both ways. In a request a
// mark is given to the library as the value of a text field that it has, and the
// Transport puts members in the place of field and mark. In an answer the Transport
// gives a mark as the type of a call, and Extra tells what came with it.
//
// They belong to one request and are not safe for concurrent use.
type Fields struct {
	members [][]byte
	extras  []json.RawMessage
	details []json.RawMessage
}

type fieldsKey struct{}

// WithFields returns a context whose request has these fields.
func WithFields(ctx context.Context, fields *Fields) context.Context {
	return context.WithValue(ctx, fieldsKey{}, fields)
}

func fieldsOf(ctx context.Context) *Fields {
	fields, _ := ctx.Value(fieldsKey{}).(*Fields)
	return fields
}

// mark begins every mark. Nobody outside this process can know it, so no text of a
// user, a file or a model holds one.
var mark = "fairlead:" + rand.Text() + ":"

// Mark returns the value of a text field which members, one or several of a JSON
// object without its braces, will take the place of, together with the field's name.
func (f *Fields) Mark(members []byte) string {
	f.members = append(f.members, members)
	return mark + strconv.Itoa(len(f.members)-1)
}

// Extra returns what came with a call of the answer beside its fields, by the type
// that the library gives the call; nil for nothing.
func (f *Fields) Extra(callType string) json.RawMessage {
	if len(callType) <= len(mark) || callType[:len(mark)] != mark {
		return nil
	}
	i, err := strconv.Atoi(callType[len(mark):])
	if err != nil || i < 0 || i >= len(f.extras) {
		return nil
	}
	return f.extras[i]
}

// Details returns the entries of all reasoning_details of the answer, in order.
func (f *Fields) Details() []json.RawMessage { return f.details }

// keepExtra returns the type to give a call so that Extra finds this.
func (f *Fields) keepExtra(extra json.RawMessage) string {
	f.extras = append(f.extras, bytes.Clone(extra))
	return mark + strconv.Itoa(len(f.extras)-1)
}

// fillMarks puts the members in the place of their marks.
func (f *Fields) fillMarks(body []byte) []byte {
	if len(f.members) == 0 {
		return body
	}
	size := len(body)
	for _, members := range f.members {
		size += len(members)
	}
	filled := make([]byte, 0, size)
	for {
		at := bytes.Index(body, []byte(mark))
		if at < 0 {
			return append(filled, body...)
		}
		// What stands there is "name":"mark12".
		name := bytes.LastIndexByte(body[:at-len(`":"`)], '"')
		digits := body[at+len(mark):]
		end := bytes.IndexByte(digits, '"')
		i, err := strconv.Atoi(string(digits[:end]))
		if err != nil {
			panic("a mark that was not made by Mark")
		}
		filled = append(append(filled, body[:name]...), f.members[i]...)
		body = digits[end+1:]
	}
}
