package openai

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"fairlead/backend/llm"
)

// lesson is what a refusal teaches. Providers name the field that they refuse.
type lesson struct {
	// words must all be in the refusal, in lower case, and one of the others, where
	// there are others.
	words, oneOf []string
	// teach changes how requests are written.
	teach func(*sending)
}

// refused are words by which a field is refused.
var refused = []string{
	"unsupported", "not supported", "does not support", "unrecognized", "unknown", "unexpected", "extra inputs",
	"not permitted", "not allowed", "extra fields", "invalid",
}

// lessons are tried in order; the first that changes something is learned. The
// wordings are those of the providers as far as they were recorded.
var lessons = []lesson{
	{[]string{"stream_options"}, nil, func(s *sending) { s.dialect.NoUsageOption = true }},
	{[]string{"max_tokens", "max_completion_tokens"}, []string{"instead"}, func(s *sending) { s.dialect.MaxTokens = "max_completion_tokens" }},
	{[]string{"max_completion_tokens"}, refused, func(s *sending) { s.dialect.MaxTokens = "max_tokens" }},
	{[]string{"reasoning_effort", "none"}, []string{"/v1/responses"}, func(s *sending) {
		s.dialect.Effort, s.effort = llm.EffortField, llm.EffortOff
	}},
	{[]string{"reasoning_effort"}, refused, func(s *sending) { s.dialect.Effort = llm.EffortNone }},
	{[]string{"does not support thinking"}, nil, func(s *sending) { s.dialect.Effort = llm.EffortNone }},
	{[]string{"temperature"}, append(refused, "only 1 is", "deprecated"), func(s *sending) { s.dialect.FixedTemperature = true }},
	{[]string{"parallel_tool_calls"}, nil, func(s *sending) { s.dialect.ParallelFlag = false }},
	{[]string{"reasoning_content"}, []string{"must be passed back", "is missing"}, func(s *sending) { s.dialect.Echo = llm.EchoContent }},
	{[]string{"reasoning_content"}, refused, func(s *sending) { s.dialect.Echo = llm.EchoNone }},
	{[]string{"reasoning_details"}, refused, func(s *sending) { s.dialect.Echo = llm.EchoNone }},
	{[]string{"thought_signature", "missing"}, nil, func(s *sending) { s.dialect.Signatures = true }},
	{[]string{"extra_content"}, refused, func(s *sending) { s.dialect.Signatures = false }},
	{[]string{"tool call id", "length of 9"}, nil, func(s *sending) { s.dialect.CallIDs = llm.NineID }},
	{[]string{"tool_use.id"}, nil, func(s *sending) { s.dialect.CallIDs = llm.PlainID }},
	{[]string{"tool_calls", ".id", "too long"}, nil, func(s *sending) { s.dialect.CallIDs = llm.PlainID }},
	{[]string{"tool_choice"}, nil, func(s *sending) { s.dialect.OnlyAuto = true }},
	{[]string{"system"}, []string{"role not supported", "does not support system", "system role", "only user and assistant roles"}, func(s *sending) {
		s.dialect.NoSystemRole = true
	}},
	{[]string{"role"}, []string{"must alternate", "after role 'tool'"}, func(s *sending) { s.dialect.TakeTurns = true }},
	{[]string{"alternat"}, []string{"user or tool message", "user and assistant"}, func(s *sending) { s.dialect.TakeTurns = true }},
	{[]string{"function_declarations"}, []string{"unknown name", "cannot start list"}, func(s *sending) { s.dialect.PlainSchemas = true }},
	{[]string{"additionalproperties"}, nil, func(s *sending) { s.dialect.PlainSchemas = true }},
	{[]string{"failed to parse grammar"}, nil, func(s *sending) { s.dialect.PlainSchemas = true }},
	{[]string{"$schema"}, nil, func(s *sending) { s.dialect.PlainSchemas = true }},
}

// learnFrom reports whether a request that failed is to be sent again in another way. What
// was learned holds as long as the client does, and nothing is learned twice: no
// two lessons can undo each other for ever.
func (c *Client) learnFrom(sent sending, err error) bool {
	failure, ok := errors.AsType[*llm.Error](err)
	if !ok || failure.Class != llm.BadRequest ||
		failure.Status != http.StatusBadRequest && failure.Status != http.StatusUnprocessableEntity {
		return false
	}
	said := strings.ToLower(failure.Message)
	c.mu.Lock()
	defer c.mu.Unlock()
	if efforts := allowedEfforts(said); efforts != 0 && !c.learned[effortsLesson] {
		c.learned[effortsLesson] = true
		if c.how.dialect.Efforts != efforts && c.how.effort != "" {
			c.how.dialect.Efforts = efforts
			c.how.dialect.EffortBeside = c.how.dialect.Effort != llm.EffortField && c.how.dialect.Effort != llm.EffortObject
			return true
		}
	}
	for i, lesson := range lessons {
		if c.learned[i] || !lesson.fitsRefusal(said) {
			continue
		}
		better := c.how
		lesson.teach(&better)
		if better == c.how {
			continue
		}
		c.how, c.learned[i] = better, true
		return true
	}
	return c.how != sent // another run learned it meanwhile
}

// fitsRefusal says that a refusal is the one to learn from.
func (l lesson) fitsRefusal(said string) bool {
	contains := func(word string) bool { return strings.Contains(said, word) }
	for _, word := range l.words {
		if !contains(word) {
			return false
		}
	}
	return len(l.oneOf) == 0 || slices.ContainsFunc(l.oneOf, contains)
}

// effortsLesson stands for what a list of efforts teaches.
const effortsLesson = -1

// effortLists are how a refusal begins to list the efforts that a model takes.
var effortLists = []string{
	"supported values are", "supported values:", "must be one of", "expected one of", "should be one of", "valid values are",
	"allowed values", "available values", "always thinks", "one of",
}

// allowedEfforts returns the efforts that a refusal in lower case lists; 0 for none.
func allowedEfforts(said string) llm.Efforts {
	if !strings.Contains(said, "effort") && !strings.Contains(said, "think") {
		return 0
	}
	for _, begin := range effortLists {
		_, list, found := strings.Cut(said, begin)
		if !found {
			continue
		}
		var efforts llm.Efforts
		for word := range strings.FieldsFuncSeq(list, func(c rune) bool { return c < 'a' || c > 'z' }) {
			if word == "none" {
				word = string(llm.EffortOff)
			}
			efforts |= llm.EffortSet(llm.Effort(word))
		}
		if efforts != 0 {
			return efforts
		}
	}
	return 0
}
