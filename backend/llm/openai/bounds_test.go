//go:build !race

package openai_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"fairlead/backend/llm"
	"fairlead/backend/llm/openai"
	"fairlead/backend/llm/protocol"
)

// callChunk is a chunk with a piece of a call.
func callChunk(index int, id, name, arguments string) string {
	return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":%d,\"id\":%q,\"function\":{\"name\":%q,\"arguments\":%q}}]}}]}\n\n",
		index, id, name, arguments)
}

// mebibyte is the text of a JSON string, to go on for ever.
var mebibyte = strings.Repeat("0123456789abcdef", 1<<16)

// endless are answers that never end by themselves; the last one may be whole, but is
// more than a reply may hold.
var endless = map[string]func(w io.Writer, i int) error{
	"arguments": func(w io.Writer, i int) error {
		if i == 0 {
			_, err := io.WriteString(w, callChunk(0, "a", "write_file", `{"content":"`))
			return err
		}
		_, err := io.WriteString(w, callChunk(0, "", "", mebibyte))
		return err
	},
	"arguments of one call, with an end": func(w io.Writer, i int) error {
		switch {
		case i == 0:
			_, err := io.WriteString(w, callChunk(0, "a", "write_file", `{"content":"`))
			return err
		case i <= 10:
			_, err := io.WriteString(w, callChunk(0, "", "", mebibyte))
			return err
		}
		_, _ = io.WriteString(w, callChunk(0, "", "", `"}`)+"data: {\"choices\":[{\"index\":0,\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n")
		return io.EOF
	},
	"arguments of several calls": func(w io.Writer, i int) error {
		id := fmt.Sprint("c", i%8)
		_, err := io.WriteString(w, callChunk(i%8, id, "write_file", mebibyte))
		return err
	},
	"calls": func(w io.Writer, i int) error {
		_, err := io.WriteString(w, callChunk(i, fmt.Sprint("c", i), "read_file", `{"path":"a"}`))
		return err
	},
	"a name": func(w io.Writer, i int) error {
		_, err := io.WriteString(w, callChunk(0, "a", fmt.Sprint("name", i), ""))
		return err
	},
	"text":                                 words(`{"content":"` + mebibyte[:1<<16] + `"}`),
	"text and white space":                 words(`{"content":"` + strings.Repeat(" ", 1<<16) + `"}`),
	"a refusal":                            words(`{"refusal":"` + mebibyte[:1<<16] + `"}`),
	"reasoning":                            words(`{"reasoning_content":"` + mebibyte[:1<<16] + `"}`),
	"reasoning in the provider's own form": words(`{"reasoning_details":[{"type":"reasoning.encrypted","data":"` + mebibyte[:1<<16] + `"}]}`),
	"reasoning in tags": func(w io.Writer, i int) error {
		if i == 0 {
			return words(`{"content":"<think>"}`)(w, i)
		}
		return words(`{"content":"`+mebibyte[:1<<16]+`"}`)(w, i)
	},
	"an event": func(w io.Writer, i int) error {
		if i == 0 {
			if _, err := io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"`); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, mebibyte)
		return err
	},
}

// words is an answer without end of the same delta.
func words(delta string) func(io.Writer, int) error {
	return func(w io.Writer, _ int) error {
		_, err := io.WriteString(w, `data: {"choices":[{"index":0,"delta":`+delta+"}]}\n\n")
		return err
	}
}

func TestSEC11_RepliesWithoutEndAreTooLarge(t *testing.T) {
	for name, write := range endless {
		t.Run(name, func(t *testing.T) {
			asked := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked++
				w.Header().Set("Content-Type", "text/event-stream")
				for i := 0; r.Context().Err() == nil && write(w, i) == nil; i++ {
				}
			}))
			defer server.Close()
			client, err := openai.New(protocol.Config{BaseURL: server.URL, Model: "m"})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			grown := memoryGrowth(t)
			told := 0
			reply, err := client.Stream(ctx, hello, func(d llm.Delta) { told += len(d.Text) })
			var failure *llm.Error
			if !errors.As(err, &failure) || failure.FailCode() != "TOO_LARGE" || failure.Retryable() {
				t.Fatalf("the error is %v", err)
			}
			if told > llm.MaxText {
				t.Errorf("%d bytes were told of", told)
			}
			if len(reply.Calls) > 0 || asked != 1 {
				t.Errorf("%d calls came beside the error, of %d requests", len(reply.Calls), asked)
			}
			if most := grown(); most > 200<<20 {
				t.Errorf("memory grew by %d MiB", most>>20)
			}
		})
	}
}

// textOf reads an answer from a model that writes its calls into its text.
func textOf(t *testing.T, answer func(w io.Writer)) (llm.Reply, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) }))
	defer server.Close()
	client, err := openai.New(protocol.Config{BaseURL: server.URL, Model: "m", Dialect: llm.Dialect{WrittenCalls: true}})
	if err != nil {
		t.Fatal(err)
	}
	request := hello
	request.Tools = []llm.Tool{{Name: "f", Parameters: []byte(`{"type":"object"}`)}}
	return client.Stream(t.Context(), request, func(llm.Delta) {})
}

// tooLarge reports whether an error says that a reply is.
func tooLarge(err error) bool {
	var failure *llm.Error
	return errors.As(err, &failure) && failure.FailCode() == "TOO_LARGE"
}

// A text that may be a call is known to be none at its end only.
func TestSEC11_TextThatMayBeACallIsTooLargeToo(t *testing.T) {
	reply, err := textOf(t, func(w io.Writer) {
		write := words(`{"content":"<tool_call>` + mebibyte + `"}`)
		for i := range 5 {
			_ = write(w, i)
		}
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	})
	if !tooLarge(err) || len(reply.Text) > llm.MaxText {
		t.Errorf("%d bytes of text and the error %v", len(reply.Text), err)
	}
}

func TestSEC11_WrittenCallsAreCounted(t *testing.T) {
	reply, err := textOf(t, func(w io.Writer) {
		call := `<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>`
		_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"},\"finish_reason\":\"stop\"}]}\n\n", strings.Repeat(call, 129))
	})
	if !tooLarge(err) {
		t.Errorf("%d calls and the error %v", len(reply.Calls), err)
	}
}

// memoryGrowth measures how much more memory the process has than now; the returned
// function says the most there was.
func memoryGrowth(t *testing.T) func() uint64 {
	t.Helper()
	begin := memory()
	var most uint64
	var measuring sync.WaitGroup
	stop := make(chan struct{})
	measuring.Go(func() {
		for {
			if now := memory(); now > begin {
				most = max(most, now-begin)
			}
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	})
	return func() uint64 {
		close(stop)
		measuring.Wait()
		return most
	}
}

// memory is what the process has from the system and did not give back, in bytes.
func memory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}
