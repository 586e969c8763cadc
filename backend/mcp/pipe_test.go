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

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
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

// filtered counts the lines of a program that pass, until one ends the connection.
func filtered(t *testing.T, lines ...string) (passed int, fault error) {
	t.Helper()
	p := &pipe{
		waits: map[string]string{"1": "tools/call"}, notices: bucket{rate: noticeRate, burst: noticeBurst},
		requests: bucket{rate: requestRate, burst: requestBurst},
	}
	for _, line := range lines {
		kept, err := p.filter([]byte(line))
		if err != nil {
			return passed, err
		}
		if kept != nil {
			passed++
		}
	}
	return passed, nil
}

func repeat(line string, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = line
	}
	return lines
}

func TestEXT01_PipeDropsWhatNobodyAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"`
		for name, test := range map[string]struct {
			lines  []string
			passes int
		}{
			"an answer, once":        {repeat(`{"jsonrpc":"2.0","id":1,"result":{}}`, 3), 1},
			"an answer to nobody":    {[]string{`{"jsonrpc":"2.0","id":2,"result":{}}`, `{"jsonrpc":"2.0","id":"1","result":{}}`, `{"jsonrpc":"2.0","result":{}}`}, 0},
			"known notifications":    {[]string{progress + `a"}}`, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`}, 2},
			"others":                 {[]string{`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`, `{"jsonrpc":"2.0","method":"tools/call"}`}, 0},
			"a large notification":   {[]string{progress + strings.Repeat("x", maxNotice) + `"}}`}, 0},
			"too many notifications": {repeat(progress+`a"}}`, 3*noticeBurst), noticeBurst},
			"empty lines":            {[]string{"", ""}, 0},
			"many values":            {[]string{`{"jsonrpc":"2.0","id":1,"result":[` + strings.Repeat("1,", maxValues-10) + `1]}`}, 1},
			"a request":              {[]string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`}, 1},
		} {
			if passed, fault := filtered(t, test.lines...); passed != test.passes || fault != nil {
				t.Errorf("%s: %d pass, want %d; %v", name, passed, test.passes, fault)
			}
		}
		for name, test := range map[string]struct {
			lines []string
			words string
		}{
			"too many values": {[]string{`{"jsonrpc":"2.0","id":1,"result":[` + strings.Repeat("1,", maxValues) + `1]}`}, "more than 200000 values"},
			"too deep":        {[]string{`{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth) + `}`}, "nested deeper"},
			"garbage":         {repeat("x", maxStray+1), "what is no message"},
			"unanswered":      {repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, maxAsked+1), "more requests than are answered"},
		} {
			if _, fault := filtered(t, test.lines...); fault == nil || !strings.Contains(fault.Error(), test.words) {
				t.Errorf("%s: %v", name, fault)
			}
		}
	})
}

// Also requests that are answered come at their pace.
func TestEXT01_PipeBoundsAnsweredRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipe{requests: bucket{rate: requestRate, burst: requestBurst}}
		ask := func() error {
			_, err := p.filter([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
			p.asked--
			return err
		}
		for range 100 {
			time.Sleep(time.Second / requestRate) //nolint:forbidigo // virtual time
			if err := ask(); err != nil {
				t.Fatal(err)
			}
		}
		for range requestBurst - 1 {
			_ = ask()
		}
		if err := ask(); err == nil {
			t.Error("requests have no bound")
		}
	})
}

func TestListsAreNotKept(t *testing.T) {
	result, err := forgetLists(func(context.Context, string, sdk.Request) (sdk.Result, error) {
		return &sdk.ListToolsResult{Cacheable: sdk.Cacheable{TTLMs: 1000}}, nil
	})(t.Context(), "tools/list", nil)
	if list, ok := result.(*sdk.ListToolsResult); err != nil || !ok || list.TTLMs != 0 {
		t.Errorf("%+v, %v", result, err)
	}
}
