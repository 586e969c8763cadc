package wire

import (
	"net/http"
	"slices"
	"strings"

	"fairlead/backend/llm"
)

// rule gives a class to the errors it matches.
type rule struct {
	class llm.Class
	// statuses and words match if one of them does; words are parts of the body in
	// lower case.
	statuses []int
	words    []string
	// unless are words that stop the rule.
	unless []string
	// heard says for which statuses the words count; nil means for all.
	heard func(status int) bool
	hint  string
}

const (
	hintQuota    = "add credit at the provider, or choose another model"
	hintShorten  = "shorten the conversation or start a new one"
	hintKey      = "check the API key"
	hintModel    = "check the model's name and the base URL"
	hintRephrase = "rephrase the request"
	hintLater    = "try again later"
	hintJinja    = "start llama-server with --jinja, so that it reads the calls of models"
	hintTemplate = "the model's chat template is missing or does not fit: get the model from where that is mended, or give its server " +
		"another (llama-server --chat-template-file, vLLM --chat-template, the prompt template in LM Studio's settings of the model)"
	hintNoTools = "choose a model that can call tools: Fairlead works by them"
)

// isRefusal is not a failure of the server, which passes whatever its text says: a
// gateway that cannot ask about a key or a limit names them too.
func isRefusal(status int) bool { return status < http.StatusInternalServerError }

// canBeBusy can tell of too much to do. Other refusals may quote the request, which
// another attempt would not change.
func canBeBusy(status int) bool {
	return status < http.StatusBadRequest || status == http.StatusTooManyRequests || !isRefusal(status)
}

// Statuses that no standard has: Groq's for a full flex tier, and Anthropic's.
const (
	statusGroqFull   = 498
	statusOverloaded = 529
)

// rules are tried in order; the first that matches decides. The words were
// collected from recorded answers of the providers.
var rules = []rule{
	{class: llm.Malformed, words: []string{"tool_use_failed"}, hint: "the model wrote a call that its provider refused"},
	{class: llm.Filtered, words: []string{
		"content_filter", "content management policy", "data_inspection_failed", "datainspectionfailed",
		"flagged as potentially violating",
	}, hint: hintRephrase},
	{class: llm.Quota, statuses: []int{http.StatusPaymentRequired}, words: []string{
		"insufficient_quota", "exceeded_current_quota_error", "credit_balance_exhausted", "insufficient balance",
		"credit balance is too low", "requires more credits", "used all available credits", "spending limit",
		"arrearage", `"1113"`, "余额不足", "欠费", "usage limit reached", "prompt tokens limit exceeded", "perday",
		"ollama.com/upgrade", "weekly usage limit", "weekly limit", "monthly limit", `"1310"`, "limit exhausted",
	}, unless: []string{"throttling"}, heard: isRefusal, hint: hintQuota},
	{class: llm.ContextOverflow, statuses: []int{http.StatusRequestEntityTooLarge}, words: []string{
		"context_length_exceeded", "maximum context length", "exceed the configured limit", "exceeds the context window",
		"prompt is too long", "request_too_large", "exceed context limit", "exceeds the maximum number of tokens",
		"maximum prompt length", "exceeded model token limit", `"1261"`, "prompt exceeds max length",
		"model_context_window_exceeded", "range of input length", "too_many_prompt_tokens", "exceed_context_size",
		"exceeds the available context size", "prompt too long", "context the overflows", "context size has been exceeded",
		"greater than the context length", "context window exceeds limit", "longer than the model's context length",
		"request too large for", "model_max_prompt_tokens_exceeded", "prompt token count of", "tokens + `max_new_tokens` must be",
		"must be less than max_seq_len", "exceed max message tokens", "tokens in the prompt cannot exceed",
		"exceeds maximum input length", "exceeds the maximum input length", "input is too long for requested model",
		"超过模型最大上下文", "context length exceeded",
	}, hint: hintShorten},
	{class: llm.BadRequest, words: []string{"requires --jinja", "try using --jinja"}, hint: hintJinja},
	{class: llm.BadRequest, words: []string{
		"jinja exception", "with jinja template", "failed to apply chat template", "chat template is no longer allowed",
		"must provide a chat template", "conversation roles must alternate", "system role not supported",
	}, hint: hintTemplate},
	{class: llm.BadRequest, words: []string{
		"does not support tools", "support tool use", "tools are not supported", "tool use is not supported",
	}, heard: isRefusal, hint: hintNoTools},
	{class: llm.Auth, statuses: []int{http.StatusUnauthorized}, words: []string{
		"invalid_api_key", "api_key_invalid", "incorrect api key", "authentication",
	}, heard: isRefusal, hint: hintKey},
	{class: llm.ModelNotFound, statuses: []int{http.StatusNotFound}, words: []string{
		"model_not_found", "deploymentnotfound",
	}, hint: hintModel},
	{class: llm.ModelNotFound, words: []string{
		"model not exist", `"1211"`, "invalid_model", "is not a valid model id",
	}, heard: isRefusal, hint: hintModel},
	{class: llm.Overloaded, statuses: []int{http.StatusServiceUnavailable, statusGroqFull, statusOverloaded}, words: []string{
		"overloaded", "server is busy", `"unavailable"`, "loading model", "capacity exceeded",
	}, heard: canBeBusy, hint: hintLater},
	{class: llm.RateLimited, statuses: []int{http.StatusTooManyRequests}, words: []string{
		"rate_limit_exceeded", "resource_exhausted", `"1302"`, "ratelimitreached", "throttling",
	}, heard: canBeBusy, hint: hintLater},
	{class: llm.Server, statuses: []int{
		http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly,
	}, hint: hintLater},
}

// classifyAnswer says what kind of error a provider's answer is, and what to do.
func classifyAnswer(status int, header http.Header, body []byte) (llm.Class, string) {
	lower := strings.ToLower(string(body))
	if status == http.StatusForbidden && (header.Get("Cf-Ray") != "" || strings.HasPrefix(strings.TrimSpace(lower), "<")) {
		return llm.BadRequest, "the network or a firewall refused the request, not the provider: check proxy and VPN"
	}
	for _, r := range rules {
		if r.matchesBody(status, lower) {
			return r.class, r.hint
		}
	}
	switch {
	case status == http.StatusForbidden:
		return llm.Auth, hintKey
	case status >= http.StatusBadRequest && status < http.StatusInternalServerError,
		strings.Contains(lower, "invalid_request_error"):
		return llm.BadRequest, ""
	default:
		// An error inside a stream without a status is the server's own.
		return llm.Server, hintLater
	}
}

func (r rule) matchesBody(status int, body string) bool {
	contains := func(word string) bool { return strings.Contains(body, word) }
	if slices.ContainsFunc(r.unless, contains) {
		return false
	}
	if slices.Contains(r.statuses, status) {
		return true
	}
	return (r.heard == nil || r.heard(status)) && slices.ContainsFunc(r.words, contains)
}

// protocolWords are parts of refusals that ask for another protocol. OpenAI calls Codex and
// pro models "not a chat model", and then names the oldest protocol of all.
var protocolWords = []struct {
	protocol llm.Protocol
	words    []string
}{
	{llm.Responses, []string{"v1/responses", "responses api", "not a chat model"}},
	{llm.Messages, []string{"v1/messages", "messages api"}},
}

// namedProtocol returns the protocol that a refusal names as the one to use.
func namedProtocol(said string) llm.Protocol {
	said = strings.ToLower(said)
	for _, each := range protocolWords {
		if slices.ContainsFunc(each.words, func(words string) bool { return strings.Contains(said, words) }) {
			return each.protocol
		}
	}
	return ""
}
