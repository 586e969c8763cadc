package openai_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm/openai/testdata/answers"
)

func readAnswers(t testing.TB) []answers.Answer {
	t.Helper()
	list, err := answers.Read()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestMSG07_Answers plays every answer in testdata/answers, in every delivery.
func TestMSG07_Answers(t *testing.T) {
	list := readAnswers(t)
	handlers := map[string]http.HandlerFunc{}
	for _, answer := range list {
		handlers[answer.Name] = func(w http.ResponseWriter, _ *http.Request) {
			for name, values := range answer.Header {
				w.Header()[name] = values
			}
			w.WriteHeader(answer.Status)
			_, _ = w.Write(answer.Body) // the client says what it misses
		}
	}
	base, transport := answered(t, handlers)
	for _, answer := range list {
		t.Run(answer.Name, func(t *testing.T) {
			for name, deliver := range deliveries {
				got := outcome(ask(t, base+answer.Name, piecemeal{transport, deliver}))
				if diff := cmp.Diff(answer.Want, got, sameJSON, sameMessage); diff != "" {
					t.Errorf("%s (-want +got):\n%s", name, diff)
				}
			}
		})
	}
}

var sameJSON = cmp.Comparer(func(a, b json.RawMessage) bool { return compact(a) == compact(b) })

// sameMessage compares messages. One that ends in … only begins so: the words of a
// library are not ours to fix.
var sameMessage = cmp.FilterPath(
	func(path cmp.Path) bool { return path.Last().String() == ".Message" },
	cmp.Comparer(func(want, got string) bool {
		begin, open := strings.CutSuffix(want, "…")
		other, either := strings.CutSuffix(got, "…")
		return want == got || open && strings.HasPrefix(got, begin) || either && strings.HasPrefix(want, other)
	}),
)
