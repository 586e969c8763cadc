package mcp

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// hostile is a server that does harm, and how that ends.
type hostile struct {
	// on and begin are those of the script.
	on    map[string]func(*running, incoming)
	begin func(*running)
	// state and words are where the first start ends.
	state State
	words string
}

// storm writes a line as often as somebody reads it.
func storm(r *running, line string) {
	data := []byte(strings.Repeat(line+"\n", 100))
	for {
		if _, err := r.out.Write(data); err != nil {
			return
		}
	}
}

// list answers a listing with many tools.
func list(tools int, of func(i int) string) func(*running, incoming) {
	return func(r *running, m incoming) {
		each := make([]string, tools)
		for i := range each {
			each[i] = of(i)
		}
		r.reply(m, `{"tools":[`+strings.Join(each, ",")+`]}`)
	}
}

var hostiles = map[string]hostile{
	"no answer": {
		on: map[string]func(*running, incoming){"server/discover": silent, "initialize": silent}, state: StateFailed, words: "not ready within 10s",
	},
	"no list": {
		on: map[string]func(*running, incoming){"tools/list": silent}, state: StateFailed, words: "not ready within 10s",
	},
	"garbage": {
		begin: func(r *running) { r.write("Starting the server!\x1b[2J") },
		on:    map[string]func(*running, incoming){"initialize": func(r *running, _ incoming) { r.write("{not json") }},
		state: StateFailed, words: `not ready within 10s; it wrote to its standard output what is no message: "Starting the server!\u{1b}[2J"`,
	},
	"garbage without end": {
		begin: func(r *running) { go storm(r, "garbage") }, state: StateFailed, words: `what is no message: "garbage"`,
	},
	"banner": { // which does no harm
		begin: func(r *running) { r.write("Server running on stdio\n\n") }, state: StateSuspended, words: "nobody has agreed",
	},
	"10,000 tools": {
		on:    map[string]func(*running, incoming){"tools/list": list(10_000, func(i int) string { return aTool(fmt.Sprint("t", i), "") })},
		state: StateFailed, words: "more than 200 tools",
	},
	"10,000 tools that are left out": {
		on:    map[string]func(*running, incoming){"tools/list": list(10_000, func(int) string { return `{"name":"!","inputSchema":{}}` })},
		state: StateFailed, words: "more than 200 tools",
	},
	"null tools": {
		on:    map[string]func(*running, incoming){"tools/list": func(r *running, m incoming) { r.reply(m, `{"tools":[null,null]}`) }},
		state: StateSuspended, words: "nobody has agreed",
	},
	"endless pages": {
		on: map[string]func(*running, incoming){"tools/list": func(r *running, m incoming) {
			r.reply(m, fmt.Sprintf(`{"tools":[],"nextCursor":"c%s"}`, m.ID))
		}}, state: StateFailed, words: "more than 100 pages",
	},
	"the same page": {
		on: map[string]func(*running, incoming){"tools/list": func(r *running, m incoming) {
			r.reply(m, `{"tools":[`+aTool("a", "")+`],"nextCursor":"again"}`)
		}}, state: StateFailed, words: "more than 200 tools",
	},
	"schema of 10 MB": {
		on: map[string]func(*running, incoming){"tools/list": list(1, func(int) string {
			return `{"name":"a","inputSchema":{"type":"object","description":"` + strings.Repeat("x", 10<<20) + `"}}`
		})}, state: StateFailed, words: "a message of more than 8 MiB",
	},
	"schema of 3 MB": {
		on: map[string]func(*running, incoming){"tools/list": list(1, func(int) string {
			return `{"name":"a","inputSchema":{"type":"object","description":"` + strings.Repeat("x", 3<<20) + `"}}`
		})}, state: StateFailed, words: "schemas of its tools have more than 2 MiB",
	},
	"schema with 10,000 levels": {
		on: map[string]func(*running, incoming){"tools/list": list(1, func(int) string {
			return `{"name":"a","inputSchema":` + strings.Repeat(`{"not":`, 10_000) + "{}" + strings.Repeat("}", 10_001)
		})}, state: StateFailed, words: "what is no message", // the standard library reads no more than 10,000
	},
	"schema with 900 levels": {
		on: map[string]func(*running, incoming){"tools/list": list(1, func(int) string {
			return `{"name":"a","inputSchema":` + strings.Repeat(`{"not":`, 900) + "{}" + strings.Repeat("}", 901)
		})}, state: StateFailed, words: "nested deeper than 500 levels",
	},
	"dies at once": {
		begin: func(r *running) { r.end() }, state: StateFailed, words: "ended",
	},
	"dies in initialize": {
		on: map[string]func(*running, incoming){"initialize": func(r *running, _ incoming) { r.end() }}, state: StateFailed, words: "ended",
	},
	"dies in list": {
		on: map[string]func(*running, incoming){"tools/list": func(r *running, _ incoming) { r.end() }}, state: StateFailed, words: "ended",
	},
	"wrong ids": {
		on: map[string]func(*running, incoming){"tools/list": func(r *running, _ incoming) {
			r.write(`{"jsonrpc":"2.0","id":77,"result":{"tools":[]}}`)
			r.write(`{"jsonrpc":"2.0","id":"x","result":{"tools":[]}}`)
			r.write(`{"jsonrpc":"2.0","id":null,"result":{"tools":[]}}`)
		}}, state: StateFailed, words: "not ready within 10s",
	},
	"answers twice": {
		on: map[string]func(*running, incoming){"tools/list": func(r *running, m incoming) {
			r.behave(m)
			r.reply(m, `{"tools":[`+aTool("other", "")+`]}`)
		}}, state: StateSuspended, words: "nobody has agreed",
	},
	"an error": {
		on: map[string]func(*running, incoming){"initialize": func(r *running, m incoming) {
			r.write(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no key\u200b, set KEY\nor else"}}`, m.ID)
		}}, state: StateFailed, words: `it answered with the error "no key\u{200b}, set KEY\u{a}or else" (-32000)`,
	},
	"an unknown version": {
		on: map[string]func(*running, incoming){"initialize": func(r *running, m incoming) {
			r.reply(m, `{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`)
		}}, state: StateFailed, words: "unsupported protocol version",
	},
	"results of another kind": {
		on:    map[string]func(*running, incoming){"tools/list": func(r *running, m incoming) { r.reply(m, `{"tools":{"a":1}}`) }},
		state: StateFailed, words: "cannot be used",
	},
	"requests without end": {
		begin: func(r *running) {
			go storm(r, `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{}}`)
		},
		state: StateFailed, words: "more requests than are answered",
	},
	"notifications without end": {
		begin: func(r *running) {
			go storm(r, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		}, state: StateSuspended, words: "nobody has agreed",
	},
	"a batch": {
		begin: func(r *running) { r.write(`[{"jsonrpc":"2.0","method":"ping","id":1}]`) }, state: StateSuspended, words: "nobody has agreed",
	},
	"requests without parameters": {
		begin: func(r *running) {
			for i, method := range []string{
				"elicitation/create", "sampling/createMessage", "roots/list", "ping", "completion/complete", "no/such", "notifications/progress",
			} {
				r.write(`{"jsonrpc":"2.0","id":%d,"method":%q}`, i, method)
				r.write(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":null}`, i+100, method)
			}
			for _, method := range []string{
				"notifications/progress", "notifications/tools/list_changed", "notifications/elicitation/complete", "notifications/cancelled",
				"notifications/message", "notifications/resources/updated", "elicitation/create",
			} {
				r.write(`{"jsonrpc":"2.0","method":%q}`, method)
				r.write(`{"jsonrpc":"2.0","method":%q,"params":null}`, method)
				r.write(`{"jsonrpc":"2.0","method":%q,"params":[1]}`, method)
			}
		}, state: StateSuspended, words: "nobody has agreed",
	},
}

func TestEXT01_HostileServersEndInOneSentence(t *testing.T) {
	for name, h := range hostiles {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{on: h.on, begin: h.begin}
				s.setTools(aTool("a", ""))
				server := openAll(t, s, nil, Entry{Definition: filesDefinition}).Server("files")
				began := time.Now()
				server.Start()
				settle(server)
				if took := time.Since(began); took > startTime {
					t.Errorf("ended after %v", took)
				}
				wantReason(t, server, h.state, h.words)
				synctest.Wait()
				if s.alive.Load() != 0 {
					t.Error("it is alive")
				}
			})
		})
	}
}

// endless are the same bytes without end.
type endless struct{ read, most int64 }

func (e *endless) Read(into []byte) (int, error) {
	if e.read >= e.most {
		return 0, io.EOF
	}
	for i := range into {
		into[i] = 'x'
	}
	e.read += int64(len(into))
	return len(into), nil
}

// peak is how much memory is in use at most while something runs, above what is before.
func peak(during func()) uint64 {
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	stop, stopped := make(chan struct{}), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapInuse)
			select {
			case <-stop:
				stopped <- most
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	during()
	close(stop)
	return max(<-stopped, before.HeapInuse) - before.HeapInuse
}

func TestEXT01_LineOf1GBIsCutOff(t *testing.T) {
	source := &endless{most: 1 << 30}
	s := &script{begin: func(r *running) {
		_, _ = io.WriteString(r.out, `{"jsonrpc":"2.0","id":1,"result":"`)
		_, _ = io.Copy(r.out, source)
	}}
	server := openAll(t, s, nil, Entry{Definition: filesDefinition}).Server("files")
	used := peak(func() {
		server.Start()
		settle(server)
	})
	wantReason(t, server, StateFailed, "a message of more than 8 MiB")
	if source.read > MaxMessage+1<<20 || used > 100<<20 {
		t.Errorf("%d bytes were read, and %d MB in use", source.read, used>>20)
	}
}

// The largest results that are taken use no more memory than is promised.
func TestEXT01_LargestResultsAreBounded(t *testing.T) {
	for name, result := range map[string]string{
		"text":   `{"content":[{"type":"text","text":"` + strings.Repeat("x", MaxMessage-200) + `"}]}`,
		"values": `{"content":[],"structuredContent":[` + strings.Repeat("{},", 99_000) + `{}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{on: map[string]func(*running, incoming){"tools/call": func(r *running, m incoming) {
				_, _ = fmt.Fprintf(r.out, `{"jsonrpc":"2.0","id":%s,"result":`, m.ID)
				_, _ = io.WriteString(r.out, result)
				_, _ = io.WriteString(r.out, "}\n")
			}}}
			s.setTools(aTool("a", ""))
			server := open(t, s, nil)
			used := peak(func() {
				got, err := callIt(t.Context(), server, "a", `{"path":"a"}`)
				if n := len(got.Text()); err != nil || n > 40_000 || !got.Truncated {
					t.Errorf("%d bytes, %v", n, err)
				}
			})
			t.Logf("%d MB", used>>20)
			if used > 100<<20 {
				t.Errorf("%d MB were in use", used>>20)
			}
		})
	}
}

func TestStderrFloodIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{stderr: strings.Repeat("x", 1<<20) + "\n" + strings.Repeat("line\n", 100_000) + "bad \xff \u202e key\n"}
		s.setTools(aTool("a", ""))
		server := open(t, s, nil)
		synctest.Wait()
		log := server.Status().Log
		if len(log) != logLines || log[len(log)-1] != "bad \uFFFD \\u{202e} key" {
			t.Errorf("%d lines, the last one %q", len(log), log[len(log)-1])
		}
	})
}
