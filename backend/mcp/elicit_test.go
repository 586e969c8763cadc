package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// asker answers forms.
type asker struct {
	answer FormAnswer
	// hold keeps the form open until the call has ended.
	hold bool

	mu     sync.Mutex
	asked  int
	closed bool
	text   string
	fields []Field
}

func (a *asker) Ask(ctx context.Context, server, text string, fields []Field) (FormAnswer, error) {
	a.mu.Lock()
	a.asked++
	a.text, a.fields = server+": "+text, fields
	a.mu.Unlock()
	if a.hold {
		<-ctx.Done()
		a.mu.Lock()
		defer a.mu.Unlock()
		a.closed = true
		return FormAnswer{}, ctx.Err()
	}
	return a.answer, nil
}

// asking is a server that asks the user something in each call, and returns what it was answered.
func asking(params string) *script {
	params = strings.ReplaceAll(params, "\n", "")
	var mu sync.Mutex
	var waiting incoming
	s := &script{on: map[string]func(*running, incoming){
		"tools/call": func(r *running, m incoming) {
			mu.Lock()
			waiting = m
			mu.Unlock()
			r.write(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":%s}`, params)
		},
		"": func(r *running, m incoming) {
			mu.Lock()
			defer mu.Unlock()
			said, _ := json.Marshal(string(m.Result) + string(m.Error))
			r.reply(waiting, fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, said))
		},
	}}
	s.setTools(aTool("a", ""))
	return s
}

func form(properties string) string {
	return `{"message":"Which one?\u202e","requestedSchema":{"type":"object","properties":{` + properties + `},"required":["n"]}}`
}

func TestEXT01_FormsAreAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &asker{answer: FormAnswer{Action: FormAccept, Values: map[string]any{"n": 3.0, "c": "b", "m": []string{"x"}, "other": "dropped"}}}
		server := open(t, asking(form(`"c":{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b","title":"B"}],"default":"a"},
			"n":{"type":"integer","minimum":1,"maximum":5,"title":"Number\u200b"},"m":{"type":"array","items":{"type":"string","enum":["x","y"]}},"b":{"type":"boolean","default":true}`)), a)
		result, err := callIt(t.Context(), server, "a", `{"path":"x"}`)
		if err != nil || result.Text() != marked+`{"action":"accept","content":{"c":"b","m":["x"],"n":3}}` {
			t.Errorf("%q, %v", result.Text(), err)
		}
		if a.text != `files: Which one?\u{202e}` {
			t.Errorf("shown %q", a.text)
		}
		one, five := 1.0, 5.0
		want := []Field{
			{Name: "n", Title: `Number\u{200b}`, Kind: FieldNumber, Required: true, Minimum: &one, Maximum: &five, Whole: true},
			{Name: "b", Title: "b", Kind: FieldBool, Default: true},
			{Name: "c", Title: "c", Kind: FieldChoice, Default: "a", Choices: []Choice{{"a", "A"}, {"b", "B"}}},
			{Name: "m", Title: "m", Kind: FieldChoice, Several: true, Choices: []Choice{{"x", "x"}, {"y", "y"}}},
		}
		if diff := cmp.Diff(want, a.fields); diff != "" {
			t.Error(diff)
		}
	})
}

func TestEXT01_FormsThatAreNotAsked(t *testing.T) {
	secret := func(schema string) string { return form(`"n":` + schema) }
	for name, test := range map[string]struct{ params, words string }{
		"password":          {secret(`{"type":"string","title":"Your PassWord"}`), "the server files asked for a secret"},
		"password by name":  {strings.ReplaceAll(secret(`{"type":"string"}`), `"n"`, `"user_password"`), "asked for a secret"},
		"token":             {secret(`{"type":"string","description":"An API-token"}`), "asked for a secret"},
		"key":               {strings.ReplaceAll(secret(`{"type":"string"}`), `"n"`, `"key"`), "asked for a secret"},
		"api key":           {secret(`{"type":"string","title":"API key"}`), "asked for a secret"},
		"Chinese":           {secret(`{"type":"string","title":"请输入密码"}`), "asked for a secret"},
		"wide letters":      {secret(`{"type":"string","title":"ｐａｓｓｗｏｒｄ"}`), "asked for a secret"},
		"hidden characters": {secret(`{"type":"string","title":"p\u200bass\u00adword"}`), "asked for a secret"},
		"in the message":    {`{"message":"Enter your password","requestedSchema":{"type":"object","properties":{"v":{"type":"string"}}}}`, "asked for a secret"},
		"format":            {secret(`{"type":"string","format":"password"}`), "asked for a secret"},
		"address":           {`{"mode":"url","message":"Open","url":"https://example.org","elicitationId":"1"}`, "wanted the user to open an address"},
		"nested":            {secret(`{"type":"object","properties":{}}`), "cannot be shown"},
		"no type":           {secret(`{}`), "cannot be shown"},
		"no choices":        {secret(`{"type":"array"}`), "cannot be shown"},
		"refers to itself":  {`{"message":"","requestedSchema":{"type":"object","$ref":"#","properties":{"n":{"type":"array","items":{"$ref":"#"}}}}}`, "cannot be shown"},
		"no form":           {`{"message":"","requestedSchema":[1]}`, "cannot be shown"},
		"no parameters":     {`null`, "cannot be read"},
		"many fields": {`{"message":"","requestedSchema":{"type":"object","properties":{` + strings.TrimSuffix(func() (all string) {
			for i := range 31 {
				all += fmt.Sprintf(`"f%d":{"type":"string"},`, i)
			}
			return all
		}(), ",") + `}}}`, "more than 30 fields"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &asker{answer: FormAnswer{Action: FormAccept, Values: map[string]any{"n": "hunter2"}}}
				result, err := callIt(t.Context(), open(t, asking(test.params), a), "a", `{"path":"x"}`)
				if text := result.Text(); err != nil || a.asked > 0 || !strings.Contains(text, `{"action":"decline"}`) || !strings.Contains(text, test.words) {
					t.Errorf("asked %d times: %q, %v", a.asked, text, err)
				}
			})
		})
	}
}

func TestEXT01_AnswersThatDoNotFitAreNotSent(t *testing.T) {
	for _, value := range []any{nil, "x", 7.0, 0.0, 2.5, true, []string{"x"}, 3} {
		synctest.Test(t, func(t *testing.T) {
			a := &asker{answer: FormAnswer{Action: FormAccept, Values: map[string]any{"n": value}}}
			result, err := callIt(t.Context(), open(t, asking(form(`"n":{"type":"integer","minimum":1,"maximum":5}`)), a), "a", `{"path":"x"}`)
			if text := result.Text(); err != nil || !strings.Contains(text, `{"action":"cancel"}`) || !strings.Contains(text, "does not fit") {
				t.Errorf("%v: %q, %v", value, text, err)
			}
		})
	}
}

func TestEXT01_FormOfNoCallIsDeclined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := make(chan string, 1)
		s := &script{on: map[string]func(*running, incoming){
			"notifications/initialized": func(r *running, _ incoming) {
				r.write(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":%s}`, form(`"n":{"type":"string"}`))
			},
			"": func(_ *running, m incoming) {
				select {
				case answers <- string(m.Result):
				default:
				}
			},
		}}
		s.setTools(aTool("a", ""))
		a := &asker{}
		open(t, s, a)
		if got := <-answers; got != `{"action":"decline"}` || a.asked > 0 {
			t.Errorf("asked %d times: %s", a.asked, got)
		}
	})
}

func TestCAN01_FormEndsWithItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &asker{hold: true}
		server := open(t, asking(form(`"n":{"type":"string"}`)), a)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if _, err := callIt(ctx, server, "a", `{"path":"x"}`); err == nil || time.Since(began) > 1100*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		synctest.Wait()
		a.mu.Lock()
		defer a.mu.Unlock()
		if !a.closed {
			t.Error("the form of a call that has ended stays open")
		}
	})
}

// In the newest version of the protocol a form is in a result; the call is repeated as it was.
func TestEXT01_FormsInResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type params struct {
			Name           string
			Arguments      json.RawMessage
			InputResponses json.RawMessage
			RequestState   string
		}
		var calls []params
		s := &script{on: map[string]func(*running, incoming){"tools/call": func(r *running, m incoming) {
			var p params
			_ = json.Unmarshal(m.Params, &p)
			if calls = append(calls, p); len(calls) == 1 {
				r.reply(m, `{"resultType":"input_required","requestState":"s1","inputRequests":{"one":{"method":"elicitation/create","params":`+form(`"n":{"type":"number"}`)+`}}}`)
				return
			}
			r.behave(m)
		}}}
		s.setTools(aTool("a", ""))
		a := &asker{answer: FormAnswer{Action: FormAccept, Values: map[string]any{"n": 3.0}}}
		if result, err := callIt(t.Context(), open(t, s, a), "a", `{"path":"x"}`); err != nil || !strings.Contains(result.Text(), "done") {
			t.Errorf("%q, %v", result.Text(), err)
		}
		want := []params{
			{Name: "a", Arguments: json.RawMessage(`{"path":"x"}`)},
			{Name: "a", Arguments: json.RawMessage(`{"path":"x"}`), InputResponses: json.RawMessage(`{"one":{"action":"accept","content":{"n":3}}}`), RequestState: "s1"},
		}
		if diff := cmp.Diff(want, calls); diff != "" {
			t.Error(diff)
		}
	})
}

func TestEXT01_FormsAreAskedAFewTimesAndOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const forms = 8
		var mu sync.Mutex
		var answers []string
		s := &script{}
		var waiting incoming
		ask := func(r *running) {
			r.write(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":%s}`, form(`"n":{"type":"boolean"}`))
		}
		s.on = map[string]func(*running, incoming){
			"tools/call": func(r *running, m incoming) {
				waiting = m
				ask(r)
			},
			"": func(r *running, m incoming) {
				mu.Lock()
				defer mu.Unlock()
				if answers = append(answers, string(m.Result)); len(answers) < forms {
					ask(r)
				} else {
					r.reply(waiting, `{"content":[]}`)
				}
			},
		}
		s.setTools(aTool("a", ""))
		a := &asker{answer: FormAnswer{Action: FormAccept, Values: map[string]any{"n": true}}}
		result, err := callIt(t.Context(), open(t, s, a), "a", `{"path":"x"}`)
		if err != nil || a.asked != maxForms || !strings.Contains(result.Text(), "asked the user too often") {
			t.Errorf("asked %d times: %q, %v", a.asked, result.Text(), err)
		}
	})
}
