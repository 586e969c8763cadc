package session_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairlead/backend/agent"
	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
)

// places are where a tool of the tests panicked, and the time of day in the zone
// of the machine.
var places = regexp.MustCompile(`[a-z_]+\.go:[0-9]+|[0-9]{2}:[0-9]{2} on [0-9]+ [A-Z][a-z]+`)

// showEvents writes an event a line; neighbouring deltas of a part are one. Parts,
// guards' questions and prompts are called p1, g1, q1 and so on, in their order. How a
// call is shown is left out: it is the same in every call to a tool.
func showEvents(all []event.Event) string {
	var out strings.Builder
	names, count := map[string]string{}, map[string]int{}
	for _, e := range inCallOrder(merged(all)) {
		if call, ok := e.Data.(event.ToolCall); ok {
			call.Display = nil
			e.Data = call
		}
		data, err := json.Marshal(e.Data)
		if err != nil {
			panic(err)
		}
		text := string(data)
		kind, ids := idsOf(e)
		for _, id := range ids {
			if names[id] == "" {
				count[kind]++
				names[id] = fmt.Sprintf("%s%d", kind, count[kind])
			}
			text = strings.ReplaceAll(text, `"`+id+`"`, `"`+names[id]+`"`)
		}
		fmt.Fprintf(&out, "%s %s\n", e.Type, folded(text))
	}
	return places.ReplaceAllString(out.String(), "PLACE")
}

// folded writes a long text that repeats itself as {COUNT times: UNIT}.
func folded(text string) string {
	const long, shortest, longest, least = 1200, 8, 400, 8
	if len(text) < long {
		return text
	}
	var out strings.Builder
	for at := 0; at < len(text); {
		period, count := 0, 0
		for p := shortest; p <= longest && count == 0; p++ {
			same := at
			for same+p < len(text) && text[same] == text[same+p] {
				same++
			}
			if n := (same-at)/p + 1; n >= least {
				period, count = p, n
			}
		}
		if count == 0 {
			out.WriteByte(text[at])
			at++
			continue
		}
		fmt.Fprintf(&out, "{%d times: %s}", count, text[at:at+period])
		at += period * count
	}
	return out.String()
}

func merged(all []event.Event) []event.Event {
	var out []event.Event
	for _, e := range all {
		if len(out) > 0 {
			last := &out[len(out)-1]
			switch d := e.Data.(type) {
			case event.AssistantDelta:
				if before, ok := last.Data.(event.AssistantDelta); ok && before.PartID == d.PartID {
					last.Data = event.AssistantDelta{PartID: d.PartID, Content: before.Content + d.Content}
					continue
				}
			case event.ReasoningDelta:
				if before, ok := last.Data.(event.ReasoningDelta); ok && before.PartID == d.PartID {
					last.Data = event.ReasoningDelta{PartID: d.PartID, Content: before.Content + d.Content}
					continue
				}
			}
		}
		out = append(out, e)
	}
	return out
}

// inCallOrder sorts the events of calls that run side by side, where they came in
// the same instant, by call: which of them comes first is nobody's business.
func inCallOrder(all []event.Event) []event.Event {
	order := map[string]int{}
	for _, e := range all {
		if d, ok := e.Data.(event.ToolCall); ok {
			order[d.CallID] = len(order)
		}
	}
	sideBySide := func(e event.Event) bool {
		return e.Type != event.TypeToolCall && callOf(e) != ""
	}
	for from := 0; from < len(all); from++ {
		to := from
		for to < len(all) && sideBySide(all[to]) && all[to].TS == all[from].TS {
			to++
		}
		slices.SortStableFunc(all[from:to], func(a, b event.Event) int { return order[callOf(a)] - order[callOf(b)] })
		from = max(from, to-1)
	}
	return all
}

// idsOf are the ids in an event that the loop made up, and the letter of their names.
func idsOf(e event.Event) (kind string, ids []string) {
	switch d := e.Data.(type) {
	case event.AssistantDelta:
		return "p", []string{d.PartID}
	case event.ReasoningDelta:
		return "p", []string{d.PartID}
	case event.AssistantFinal:
		return "p", append(d.Discard, d.PartID)
	case event.LLMRetry:
		return "p", d.Discard
	case event.GuardRequest:
		return "g", []string{d.GuardID}
	case event.GuardResult:
		return "g", []string{d.GuardID}
	case event.PromptQueued:
		return "q", []string{d.ID}
	case event.PromptChanged:
		return "q", []string{d.ID}
	case event.PromptRemoved:
		return "q", []string{d.ID}
	case event.PromptJoined:
		return "q", []string{d.ID}
	}
	return "", nil
}

// surroundings is the end of the user's message, which names the date and the
// system; what is told of it to sum it up begins otherwise.
var surroundings = regexp.MustCompile(`(?:\\n\\n|\\nuser: )\\u003csurroundings\\u003e.*?\\u003c/surroundings\\u003e`)

// showRequests writes each request: the whole first one, but for the system
// prompt and the tools, whose bytes the golden test pins; of the later ones what
// they add, after a check that all before is the same to the byte.
// Where the context is compacted, one may begin otherwise: it is shown anew then.
func showRequests(t *testing.T, requests []llmtest.Request, compacts bool) string {
	t.Helper()
	var out strings.Builder
	var before []json.RawMessage
	var system, tools string
	for i, request := range requests {
		body := readBody(t, request.Body)
		offer := "with tools"
		if body.Tools == nil {
			offer = "no tools"
		}
		fmt.Fprintf(&out, "request %d, %s\n", i+1, offer)
		if i == 0 {
			system, tools = string(body.Messages[0]), string(body.Tools)
			before = body.Messages[:1]
		}
		if body.Tools != nil && string(body.Tools) != tools {
			t.Errorf("MSG-02: request %d has other tools", i+1)
		}
		if !startsWith(body.Messages, before) {
			out.WriteString("  (begins otherwise than the one before)\n")
			if string(body.Messages[0]) != system {
				out.WriteString("  (another system prompt)\n")
			}
			before = body.Messages[:1]
			if !compacts {
				t.Errorf("MSG-02: request %d does not begin with the one before it", i+1)
			}
		}
		for _, m := range body.Messages[len(before):] {
			fmt.Fprintf(&out, "  %s\n", folded(string(surroundings.ReplaceAll(m, nil))))
		}
		before = body.Messages
	}
	return places.ReplaceAllString(out.String(), "PLACE")
}

// requestBody is what is shown of a request.
type requestBody struct {
	// Messages begin with the system prompt.
	Messages []json.RawMessage `json:"messages"`
	Tools    json.RawMessage   `json:"tools"`

	Instructions json.RawMessage   `json:"instructions"`
	Input        []json.RawMessage `json:"input"`
	System       json.RawMessage   `json:"system"`
}

// cacheMarks are what moves in requests over Messages from step to step, and is none of
// what is said.
var cacheMarks = regexp.MustCompile(`,"cache_control":\{"type":"ephemeral"\}`)

// readBody reads a request over any protocol.
func readBody(t *testing.T, text []byte) requestBody {
	t.Helper()
	var body requestBody
	if err := json.Unmarshal(cacheMarks.ReplaceAll(text, nil), &body); err != nil {
		t.Fatal(err)
	}
	switch {
	case body.Input != nil:
		body.Messages = append([]json.RawMessage{body.Instructions}, body.Input...)
	case body.System != nil:
		body.Messages = append([]json.RawMessage{body.System}, body.Messages...)
	}
	return body
}

func startsWith(messages, prefix []json.RawMessage) bool {
	if len(messages) < len(prefix) {
		return false
	}
	for i := range prefix {
		if !bytes.Equal(messages[i], prefix[i]) {
			return false
		}
	}
	return true
}

func showResult(result agent.Result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s after %.1f s, %d steps\n", result.Reason, result.EndedAt.Sub(result.StartedAt).Seconds(), result.Steps)
	fmt.Fprintf(&out, "content %s\n", folded(strconv.Quote(result.Content)))
	if result.Err != nil {
		fmt.Fprintf(&out, "%s %s\n", result.Err.Code, result.Err.Message)
	}
	for _, call := range result.ToolCalls {
		fmt.Fprintf(&out, "%s %s %s: %s\n", call.ID, call.Name, call.Arguments, folded(strconv.Quote(call.Result.Text())))
	}
	return places.ReplaceAllString(out.String(), "PLACE")
}

// showFiles writes the files named in the wanted text as they are now.
func showFiles(t *testing.T, dir, wanted string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(wanted) {
		name, _, _ := strings.Cut(line, ":")
		text, err := os.ReadFile(filepath.Join(dir, name))
		switch {
		case os.IsNotExist(err):
			fmt.Fprintf(&out, "%s: none\n", name)
		case err != nil:
			t.Fatal(err)
		default:
			fmt.Fprintf(&out, "%s: %q\n", name, text)
		}
	}
	return out.String()
}

// reporter takes what does not hold.
type reporter interface {
	Helper()
	Errorf(format string, values ...any)
}

// checkInvariants tests what holds for every run, however it ends.
func checkInvariants(t reporter, all []event.Event, result agent.Result) {
	t.Helper()
	terminal, steps := 0, 0
	called, resulted := map[string]bool{}, map[string]bool{}
	for i, e := range all {
		if e.Seq != int64(i)+1 {
			t.Errorf("event %d has seq %d", i+1, e.Seq)
		}
		if e.Terminal() {
			terminal++
		}
		switch d := e.Data.(type) {
		case event.ToolCall:
			if called[d.CallID] {
				t.Errorf("EV-01: call %s announced twice", d.CallID)
			}
			called[d.CallID] = true
		case event.ToolProgress:
			if resulted[d.CallID] {
				t.Errorf("EV-08: progress of %s after its result", d.CallID)
			}
		case event.ToolResult:
			if !called[d.CallID] || resulted[d.CallID] {
				t.Errorf("EV-01: result of %s: announced %v, resulted before %v", d.CallID, called[d.CallID], resulted[d.CallID])
			}
			resulted[d.CallID] = true
		case event.StepCompleted:
			if steps++; d.Step != steps {
				t.Errorf("EV-02: step %d completed, want %d", d.Step, steps)
			}
		}
	}
	if len(all) == 0 || all[0].Type != event.TypeLifecycleStart || terminal != 1 || !all[len(all)-1].Terminal() {
		t.Errorf("want lifecycle.start first and one terminal event last, got %d terminal", terminal)
	}
	if len(called) != len(resulted) || steps != result.Steps {
		t.Errorf("%d calls, %d results; %d steps completed, result says %d", len(called), len(resulted), steps, result.Steps)
	}
	checkFinalText(t, all)
	checkHistory(t, result.Messages)
	for _, fault := range strict(result.Messages) {
		t.Errorf("CAN-04: the next request is refused: %s", fault)
	}
}

// checkFinalText tests that the deltas of the last model call, without discarded
// parts, are the final reply, unless that was replaced (SPEC EV-03). At the step limit
// a reply without text is replaced by an earlier one.
func checkFinalText(t reporter, all []event.Event) {
	t.Helper()
	text, concluded := map[string]string{}, true
	for _, e := range all {
		switch d := e.Data.(type) {
		case event.AssistantDelta:
			if concluded {
				clear(text)
				concluded = false
			}
			text[d.PartID] += d.Content
		case event.AssistantFinal:
			if _, streamed := text[d.PartID]; !streamed {
				clear(text)
			}
			text[d.PartID] = d.Content
		case event.LLMRetry:
			for _, id := range d.Discard {
				delete(text, id)
			}
		case event.Decision:
			concluded = true
		case event.LifecycleEnd:
			if last := strings.Join(slices.Collect(maps.Values(text)), ""); last != d.Content && d.Reason == message.ReasonCompleted {
				t.Errorf("EV-03: the deltas make %q, the final reply is %q", last, d.Content)
			}
		}
	}
}

// checkHistory tests that no part is left pending or running (SPEC PART-02).
func checkHistory(t reporter, messages []message.Message) {
	t.Helper()
	for _, m := range messages {
		for _, part := range m.ToolParts() {
			if status := part.Tool.State.Status; status != message.Completed && status != message.Failed {
				t.Errorf("PART-02: call %s is left %s", part.Tool.CallID, status)
			}
		}
	}
}
