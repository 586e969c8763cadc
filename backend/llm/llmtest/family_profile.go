package llmtest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// object is a JSON object.
type object = map[string]any

// profile is what makes one provider different from the others.
type profile struct {
	// base is the path of its API, without a slash at its end.
	base string
	// models are their names in chat requests; prefix may stand before one, and does
	// in the list.
	models []string
	prefix string
	// list makes the list of models; nil for a provider that has none.
	list func(models []string) any
	// admit says why a request for the list is refused; nil stands for the rule of
	// chat requests.
	admit func(r *http.Request, key string, mode Mode) *refusal
	// refusals are those of the modes that there are, but Well.
	refusals map[Mode]refusal
	// refuse is the form of any other refusal.
	refuse func(status int, message string) refusal
	// strict finds what the provider refuses beyond Check.
	strict func(*sent) []fault
	// callID makes the id of a call: n counts those of the conversation before it.
	callID func(n int, name string) string
	// noCalls says that the models call no tools.
	noCalls bool
	// answer streams one reply.
	answer func(*stream, turn)
}

// profiles are all there are.
var profiles = []struct {
	name string
	make func() profile
}{
	{"openai", openaiProfile},
	{"anthropic", anthropicProfile},
	{"gemini", geminiProfile},
	{"deepseek", deepseekProfile},
	{"dashscope", dashscopeProfile},
	{"moonshot", moonshotProfile},
	{"zai", zaiProfile},
	{"mistral", mistralProfile},
	{"groq", groqProfile},
	{"xai", xaiProfile},
	{"openrouter", openrouterProfile},
	{"perplexity", perplexityProfile},
	{"ollama", ollamaProfile},
	{"llamacpp", llamacppProfile},
	{"lmstudio", lmstudioProfile},
	{"vllm", vllmProfile},
}

// refusal is an answer that is no reply.
type refusal struct {
	status int
	// contentType is JSON where it is empty.
	contentType string
	header      map[string]string
	// body may hold {model}, the model that was asked for, and {reset}, half a minute
	// from now in milliseconds since 1970.
	body string
}

// newRefusal makes a refusal with a body of JSON.
func newRefusal(status int, body string) refusal { return refusal{status: status, body: body} }

// newSaying makes a refusal whose body has the form of body, with the text in the
// place of {message}.
func newSaying(status int, body, message string) refusal {
	quoted, err := json.Marshal(message)
	if err != nil {
		panic("marshal a text: " + err.Error())
	}
	body = strings.ReplaceAll(body, "{message}", string(quoted))
	return newRefusal(status, strings.ReplaceAll(body, "{status}", strconv.Itoa(status)))
}

// sayingIn returns saying for bodies of one form.
func sayingIn(body string) func(status int, message string) refusal {
	return func(status int, message string) refusal { return newSaying(status, body, message) }
}

// withHeader adds a header.
func (r refusal) withHeader(name, value string) refusal {
	header := map[string]string{name: value}
	for other, value := range r.header {
		header[other] = value
	}
	r.header = header
	return r
}

func (r refusal) write(w http.ResponseWriter, model string) {
	for name, value := range r.header {
		w.Header().Set(name, r.fillText(value, model))
	}
	w.Header().Set("Content-Type", "application/json")
	if r.contentType != "" {
		w.Header().Set("Content-Type", r.contentType)
	}
	w.WriteHeader(r.status)
	// The client may be gone; there is nobody else to tell.
	_, _ = w.Write([]byte(r.fillText(r.body, model)))
}

func (r refusal) fillText(text, model string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	quoted, err := json.Marshal(model)
	if err != nil {
		panic("marshal a text: " + err.Error())
	}
	reset := time.Now().Add(30 * time.Second).UnixMilli()
	return strings.NewReplacer("{model}", string(quoted[1:len(quoted)-1]), "{reset}", strconv.FormatInt(reset, 10)).Replace(text)
}
