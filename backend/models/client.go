package models

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/protocol"
	"fairlead/backend/llm/wire"
	"fairlead/backend/secret"
	"fairlead/backend/settings"
)

// clientConfig is the configuration of a client for an endpoint. The error is a
// *catalog.UsageError.
func (m *Models) clientConfig(endpoint catalog.Endpoint, key secret.Key) (protocol.Config, error) {
	calls := m.calls.Load()
	network, err := m.Network()
	if err != nil {
		return protocol.Config{}, err
	}
	config := protocol.Config{
		BaseURL: endpoint.BaseURL, APIKey: key.Reveal(), Model: endpoint.Model,
		Dialect: endpoint.Dialect, Body: endpoint.Body,
		Effort: cmp.Or(endpoint.Effort, llm.Effort(calls.Effort)), MaxTokens: calls.MaxTokens, Temperature: calls.Temperature,
		Transport: wire.NewBase(network), Redact: m.redactor.Bytes,
		Lessons: m.lessonNames(endpoint), Learned: func(lesson string) { m.learn(endpoint, lesson) },
	}
	var inHeader bool
	if config.Header, inHeader = withKey(endpoint.Header, key); inHeader {
		config.APIKey = "" // it goes where the user said, and nowhere else
	}
	return config, nil
}

// withKey puts the key into the headers that want it, and reports whether any does.
// Without a key those are left out.
func withKey(header http.Header, key secret.Key) (filled http.Header, wanted bool) {
	filled = http.Header{}
	for name, values := range header {
		for _, value := range values {
			wants := strings.Contains(value, settings.KeyMark)
			wanted = wanted || wants
			if !wants || key.Reveal() != "" {
				filled.Add(name, strings.ReplaceAll(value, settings.KeyMark, key.Reveal()))
			}
		}
	}
	return filled, wanted
}

// Lessons are what refusals have taught of an endpoint's model, the newest first.
func (m *Models) Lessons(endpoint catalog.Endpoint) []settings.Lesson {
	lessons, err := settings.ReadLessons(m.state)
	if err != nil {
		m.log.Warn("read what refusals have taught", "error", err) // it is learned anew
	}
	return lessons.About(endpoint.BaseURL, endpoint.Model, time.Now())
}

// lessonNames are the names of Lessons, in the order in which they were learned.
func (m *Models) lessonNames(endpoint catalog.Endpoint) []string {
	var names []string
	for _, lesson := range slices.Backward(m.Lessons(endpoint)) {
		names = append(names, lesson.Name)
	}
	return names
}

// ForgetLessons forgets what refusals have taught of an endpoint's model. Conversations that
// are open go on with what they know.
func (m *Models) ForgetLessons(endpoint catalog.Endpoint) error {
	return settings.ForgetLessons(m.state, endpoint.BaseURL, endpoint.Model)
}

// URL is where an endpoint's model is asked.
func (m *Models) URL(endpoint catalog.Endpoint) string {
	return endpoint.BaseURL + firstProtocol(endpoint, m.lessonNames(endpoint)).Path()
}

// learn remembers what a refusal has taught.
func (m *Models) learn(endpoint catalog.Endpoint, lesson string) {
	if err := settings.LearnLesson(m.state, endpoint.BaseURL, endpoint.Model, lesson, time.Now()); err != nil {
		m.log.Warn("remember what a refusal has taught", "error", err)
	}
}
