package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestEnvelope(t *testing.T) {
	for line, want := range map[string]envelope{
		`{}`:                              {depth: 1, values: 1},
		`{"id":1,"method":"a"}`:           {id: "1", method: "a", depth: 1, values: 2},
		`{ "method" : "a" , "id" : 1.0 }`: {id: "1", method: "a", depth: 1, values: 2},
		`{"id":"1","result":{"id":2}}`:    {id: `"1"`, answers: true, depth: 2, values: 3},
		`{"id":null,"method":"\u0061"}`:   {method: "a", depth: 1, values: 2},
		`{"id":1,"id":2}`:                 {id: "2", depth: 1, values: 2},
		`{"ID":1,"Method":"a"}`:           {depth: 1, values: 2},
		`{"a":"\"id\":1,{[","id":3}`:      {id: "3", depth: 1, values: 2},
		`{"a":[[],{}],"id":{"x":1}}`:      {id: `{"x":1`, depth: 3, values: 7},
		`{"i\u0064":5}`:                   {id: "5", depth: 1, values: 1},
	} {
		got := readEnvelope([]byte(line))
		if strings.HasPrefix(want.id, "{") {
			got.id, got.values = want.id, want.values // no id that anybody has given
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", line, got, want)
		}
	}
}

func FuzzEnvelope(f *testing.F) {
	f.Add(`{"id":1,"method":"a","params":{"id":[1,"]"]}}`)
	f.Add(`{"\u0069d":"x\"","method" : null}`)
	f.Fuzz(func(t *testing.T, line string) {
		var object map[string]json.RawMessage
		if json.Unmarshal([]byte(line), &object) != nil || object == nil {
			readEnvelope([]byte(line)) // does not fail
			return
		}
		m := readEnvelope([]byte(line))
		var method string
		if err := json.Unmarshal(object["method"], &method); err == nil && len(object["method"]) <= 200 && string(object["method"]) != "null" && m.method != method {
			t.Errorf("%q: method %q, want %q", line, m.method, method)
		}
		if id := object["id"]; len(id) > 0 && id[0] == '"' && m.id != string(id) {
			t.Errorf("%q: id %q, want %s", line, m.id, id)
		}
	})
}

// Whatever a server says, nothing fails inside, and nothing hangs.
func FuzzMessages(f *testing.F) {
	for _, lines := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"elicitation/create"}`,
		`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","default":1}}}}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"call-1","progress":1}}`,
		`{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"x"},{"type":"resource","resource":null}]}}`,
		`{"jsonrpc":"2.0","id":3,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m"}}}}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object","x-mcp-header":1},"annotations":{}}],"nextCursor":"x"}}`,
		`{"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":"m","data":{}}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[1]}}`,
	} {
		f.Add(lines)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		synctest.Test(t, func(t *testing.T) {
			say := func(r *running, m incoming) {
				r.write("%s", lines)
				r.behave(m)
			}
			s := &script{on: map[string]func(*running, incoming){"tools/list": say, "tools/call": say}}
			s.setTools(aTool("a", ""))
			server := open(t, s, &asker{answer: FormAnswer{Action: FormAccept, Values: map[string]any{"a": "x"}}})
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, _ = callIt(ctx, server, "a", `{"path":"x"}`)
		})
	})
}

// blocked is a reader of which nothing comes.
type blocked chan struct{}

func (b blocked) Read([]byte) (int, error) { <-b; return 0, io.EOF }
func (b blocked) Close() error             { close(b); return nil }

type sink struct{ bytes.Buffer }

func (*sink) Close() error { return nil }

func TestPipeIsClosedWhileNothingComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, err := PipeTransport(blocked(make(chan struct{})), &sink{}).Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error)
		go func() {
			_, err := conn.Read(t.Context())
			ended <- err
		}()
		synctest.Wait()
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err == nil {
			t.Error("a message was read")
		}
	})
}
