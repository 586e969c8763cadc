package models_test

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
)

// refusesTools answers chat completions as OpenAI's newest models do.
const refusesTools = `when "\"messages\":"
status 400 {"error":{"message":"Function tools are not supported in /v1/chat/completions. Please use /v1/responses instead.","type":"invalid_request_error"}}
---
text ok`

func TestMOD01_TheSettingsGoBeforeWhatARefusalHasNamed(t *testing.T) {
	m, _ := open(t)
	server := httptest.NewServer(llmtest.Script(refusesTools))
	defer server.Close()
	base := server.URL + "/v1"
	unknown := locate(t, catalog.Choice{BaseURL: base, Model: "m"})
	if got := m.URL(unknown); got != base+"/chat/completions" {
		t.Errorf("asked at %s at first", got)
	}
	opened, err := m.Open(unknown, false)
	if err != nil {
		t.Fatal(err)
	}
	var weakened []message.Weakened
	hello := message.Message{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: "hello"}}}
	if _, err := opened.Stream(t.Context(), llm.Request{Messages: []message.Message{hello}}, func(d llm.Delta) {
		if d.Kind == llm.RequestWeakened {
			weakened = append(weakened, d.Weakened)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if len(weakened) != 1 || weakened[0] != (message.Weakened{What: message.WeakProtocol, Asked: "chat", Sent: "responses"}) {
		t.Errorf("told of %+v", weakened)
	}
	if up, down := opened.Traffic(); up == 0 || down == 0 {
		t.Errorf("%d bytes up, %d down over both protocols", up, down)
	}
	if got := m.URL(unknown); got != base+"/responses" {
		t.Errorf("asked at %s after the refusal", got)
	}
	set, err := own(t, "[providers.lab]\nbase_url = '"+base+"'\nprotocol = 'chat'\n").Choose(catalog.Choice{Provider: "lab", Model: "m"}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.URL(set); got != base+"/chat/completions" {
		t.Errorf("asked at %s, and the settings want chat completions", got)
	}
	if err := m.ForgetLessons(unknown); err != nil {
		t.Fatal(err)
	}
	if got := m.URL(unknown); !strings.HasSuffix(got, "/chat/completions") || len(m.Lessons(unknown)) != 0 {
		t.Errorf("asked at %s once it is forgotten, with %v", got, m.Lessons(unknown))
	}
}
