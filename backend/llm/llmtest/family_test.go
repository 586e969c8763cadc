package llmtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// talk is a chat request with these messages and fields.
func talk(model, messages, fields string) string {
	return `{"model":"` + model + `","stream":true,"messages":[` + messages + `]` + fields + `}`
}

// called is a question, a call with this id and fields beside it in the message, and
// its result.
func called(id, fields string) string {
	return `{"role":"user","content":"u"},{"role":"assistant"` + fields + `,"tool_calls":[{"id":"` + id +
		`","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"` + id + `","content":"r"}`
}

func TestFamilyFaults(t *testing.T) {
	const user = `{"role":"user","content":"u"}`
	long := strings.Repeat("x", 41)
	offered := func(schema string) string {
		return `,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object",` + schema + `}}}]`
	}
	signature := `{"google":{"thought_signature":"` + signText("a") + `"}}`
	signedCall := func(id, extra string) string {
		return strings.Replace(called(id, ""), `"type":"function"`, `"type":"function","extra_content":`+extra, 1)
	}
	detail := func(text string) string {
		return `,"reasoning_details":[{"type":"reasoning.text","format":"` + openrouterFormat + `","text":"` + text + `","signature":"` + signText("why") + `"}]`
	}
	const order = "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s)."
	for _, test := range []struct {
		name, family, messages, fields, want string
		status                               int
	}{
		{"well", "openai", called("a", ""), `,"max_completion_tokens":5,"reasoning_effort":"low"`, "", 200},
		{"what Check refuses", "vllm", `{"role":"user"}`, "", "message 0: user message without content", 400},
		{"long id", "openai", called(long, ""), "", "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.", 400},
		{"max_tokens", "openai", user, `,"max_tokens":5`, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 400},
		{"temperature", "openai", user, `,"temperature":0.5`, "Unsupported value: 'temperature' does not support 0.5 with this model. Only the default (1) value is supported.", 400},
		{"field", "openai", user, `,"thinking":{}`, "Unrecognized request argument supplied: thinking", 400},
		{"echo", "openai", called("a", `,"reasoning_content":"x"`), "", "Unknown parameter: 'messages[1].reasoning_content'.", 400},
		{"extra", "openai", signedCall("a", "{}"), "", "Unknown parameter: 'messages[1].tool_calls[0].extra_content'.", 400},
		{"id", "anthropic", called("f:0", ""), "", "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", 400},
		{"unsigned", "gemini", called("a", ""), "", "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.", 400},
		{"signed", "gemini", signedCall("a", signature), "", "", 200},
		{"skipped", "gemini", signedCall("a", `{"google":{"thought_signature":"`+geminiSkip+`"}}`), "", "", 200},
		{"signed for another call", "gemini", signedCall("b", signature), "", "Thought signature is not valid.", 400},
		{"keyword", "gemini", user, offered(`"properties":{"p":{"type":"object","additionalProperties":false}}`), `Invalid JSON payload received. Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters.properties[p]': Cannot find field.`, 400},
		{"keyword in a list", "gemini", user, offered(`"properties":{"p":{"type":"array","items":{"anyOf":[{"const":1}]}}}`), `Invalid JSON payload received. Unknown name "const" at 'tools[0].function_declarations[0].parameters.properties[p].items.any_of[0]': Cannot find field.`, 400},
		{"types", "gemini", user, offered(`"properties":{"p":{"type":["string","null"]}}`), `Invalid JSON payload received. Unknown name "type" at 'tools[0].function_declarations[0].parameters.properties[p]': Proto field is not repeating, cannot start list.`, 400},
		{"echo", "gemini", `{"role":"user","content":"u"},{"role":"assistant","content":"x","reasoning_details":[]},` + user, "", `Invalid JSON payload received. Unknown name "reasoning_details" at 'messages[1]': Cannot find field.`, 400},
		{"reasons", "deepseek", called("a", ""), "", "The `reasoning_content` in the thinking mode must be passed back to the API.", 400},
		{"reasons", "moonshot", called("a", ""), "", "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1", 400},
		{"reasoned", "moonshot", called("a", `,"reasoning_content":" "`), "", "", 200},
		{"temperature", "moonshot", user, `,"temperature":0.5`, "invalid temperature: only 1 is allowed for this model", 400},
		{"id", "mistral", called("a", ""), "", "Tool call id was a but must be a-z, A-Z, 0-9, with a length of 9.", 400},
		{"order", "mistral", called("abcdefghi", "") + "," + user, "", "Unexpected role 'user' after role 'tool'", 400},
		{"last", "mistral", user + `,{"role":"assistant","content":"a"}`, "", "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant", 400},
		{"echo", "mistral", called("abcdefghi", `,"reasoning_content":"x"`), "", `"body","messages",1,"assistant","reasoning_content"`, 422},
		{"extra", "mistral", signedCall("abcdefghi", "{}"), "", `"body","messages",1,"assistant","tool_calls",0,"extra_content"`, 422},
		{"field", "mistral", user, `,"enable_thinking":true`, `"body","enable_thinking"`, 422},
		{"echo", "groq", called("a", `,"reasoning_content":"x"`), "", "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]", 400},
		{"field", "groq", user, `,"thinking":{}`, "property 'thinking' is unsupported", 400},
		{"reasoning as it was", "openrouter", called("a", detail("why")), "", "", 200},
		{"reasoning changed", "openrouter", called("a", detail("why not")), "", "messages.1.content.0: Invalid `signature` in `thinking` block", 400},
		{"order", "perplexity", user + "," + user, "", order, 400},
		{"order after results", "perplexity", called("a", "") + "," + user, "", order, 400},
		{"last", "perplexity", user + `,{"role":"assistant","content":"a"}`, "", "Last message must have role `user` or `tool`.", 400},
		{"choice", "lmstudio", user, offered(`"properties":{}`) + `,"tool_choice":{"type":"function","function":{"name":"f"}}`, "Invalid tool_choice type: 'object'. Supported string values: none, auto, required", 400},
	} {
		t.Run(test.family+" "+test.name, func(t *testing.T) {
			f, err := NewFamily(test.family)
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Transport: f.RoundTripper()}
			status, text := post(t, client, "http://family.invalid", talk(f.Models()[0], test.messages, test.fields))
			if status != test.status {
				t.Errorf("status %d, want %d: %s", status, test.status, text)
			}
			var want []string
			if test.want != "" {
				want = []string{"request 1: " + test.want}
			}
			if diff := cmp.Diff(want, f.Faults()); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			if status != 200 && !json.Valid([]byte(text)) {
				t.Errorf("the refusal is no JSON: %s", text)
			}
		})
	}
}

func TestFamilyArguments(t *testing.T) {
	const easy = `{"type":"function","function":{"name":"easy","parameters":{"type":"object"}}}`
	const hard = `{"type":"function","function":{"name":"hard","parameters":{"type":"object","required":["text","one","many","number","whether","nested"],"properties":{
		"text":{"type":"string"},"one":{"enum":["a","b"]},"many":{"type":"array","items":{"type":"string"}},"number":{"type":"integer"},
		"whether":{"type":"boolean"},"nested":{"type":"object","required":["in"],"properties":{"in":{"type":"array"}}},"other":{"type":"string"}}}}}`
	const arguments = `{\"many\":[\"sample-0.txt\"],\"nested\":{\"in\":[]},\"number\":1,\"one\":\"a\",\"text\":\"sample-0.txt\",\"whether\":false}`
	for _, test := range []struct{ name, fields, want, not string }{
		{"the easiest", `,"tools":[` + hard + "," + easy + "," + strings.Replace(hard, "hard", "harder", 1) + `]`, `{"arguments":"{}","name":"easy"}`, "hard"},
		{"all kinds", `,"tools":[` + hard + `]`, `{"arguments":"` + arguments + `","name":"hard"}`, `"other"`},
		{"the one that is named", `,"tools":[` + easy + "," + hard + `],"tool_choice":{"type":"function","function":{"name":"hard"}}`, `"name":"hard"`, "easy"},
		{"none allowed", `,"tools":[` + easy + `],"tool_choice":"none"`, "done.", "tool_calls"},
		{"none", "", "done.", "tool_calls"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, err := NewFamily("xai")
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Transport: f.RoundTripper()}
			_, text := post(t, client, "http://family.invalid", talk("grok-4", `{"role":"user","content":"u"}`, test.fields))
			if !strings.Contains(text, test.want) || strings.Contains(text, test.not) {
				t.Errorf("want %s without %s:\n%s", test.want, test.not, text)
			}
		})
	}
}

func TestFamilyNamesAndModes(t *testing.T) {
	if _, err := NewFamily("openia"); err == nil || !strings.Contains(err.Error(), `unknown family "openia"; give one of openai, anthropic,`) {
		t.Errorf("an unknown name: %v", err)
	}
	if got := len(Families()); got != 16 {
		t.Errorf("%d families", got)
	}
	f, err := NewFamily("llamacpp")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Mode{Well, WrongKey, Overflow, Busy}, f.Modes()); diff != "" {
		t.Errorf("modes (-want +got):\n%s", diff)
	}
	if err := f.SetMode(QuotaUsed); err == nil || err.Error() != `llamacpp has no mode "quota"; give one of [well key overflow busy]` {
		t.Errorf("a mode that is not there: %v", err)
	}
	listening := httptest.NewServer(f)
	defer listening.Close()
	for _, want := range []struct {
		mode   Mode
		status int
	}{{Busy, 503}, {Overflow, 400}, {WrongKey, 401}, {Well, 200}} {
		if err := f.SetMode(want.mode); err != nil {
			t.Fatal(err)
		}
		if status, text := post(t, listening.Client(), listening.URL, hello); status != want.status {
			t.Errorf("%s: status %d, want %d: %s", want.mode, status, want.status, text)
		}
	}
	if got := f.Requests(); len(got) != 4 || string(got[3].Body) != hello || !got[3].Authorized {
		t.Errorf("requests %+v", got)
	}
}

func TestFamilyServesItsOwnPathAndV1(t *testing.T) {
	for _, name := range Families() {
		f, err := NewFamily(name)
		if err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Transport: f.RoundTripper()}
		for path, want := range map[string]int{f.Base(): 200, "/v1": 200, "/v2": 404} {
			body := strings.Replace(hello, `"model":"m"`, `"model":"`+f.Models()[0]+`"`, 1)
			response, err := client.Post("http://family.invalid"+path+"/chat/completions", "", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != want {
				t.Errorf("%s at %q: status %d, want %d", name, path, response.StatusCode, want)
			}
		}
	}
}

func TestFamilyOfAnthropicWantsItsOwnHeadersForTheList(t *testing.T) {
	f, err := NewFamily("anthropic")
	if err != nil {
		t.Fatal(err)
	}
	f.Key = "k"
	for _, test := range []struct {
		header http.Header
		status int
	}{
		{http.Header{"Authorization": {"Bearer k"}}, 401},
		{http.Header{"X-Api-Key": {"other"}, "Anthropic-Version": {"2023-06-01"}}, 401},
		{http.Header{"X-Api-Key": {"k"}}, 400},
		{http.Header{"X-Api-Key": {"k"}, "Anthropic-Version": {"2023-06-01"}}, 200},
	} {
		r := httptest.NewRequest(http.MethodGet, "/v1/models", nil)
		r.Header = test.header
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != test.status {
			t.Errorf("%v: status %d, want %d: %s", test.header, w.Code, test.status, w.Body)
		}
	}
}
