package wire

import (
	"strings"

	"fairlead/backend/llm"
)

// Finish is what a finish reason means.
type Finish int

// The meanings. Of an answer that is not whole no call may run.
const (
	// FinishNone is no reason.
	FinishNone Finish = iota
	// FinishWhole is an answer that the model ended.
	FinishWhole
	// FinishLength is an answer that was cut at the length limit.
	FinishLength
	// FinishFilter is an answer that a content filter stopped, or that the model refused.
	FinishFilter
	// FinishOverflow is a conversation that fills the model's window.
	FinishOverflow
	// FinishBusy and FinishFailed are answers that the provider broke off, for want of
	// capacity or because of a fault.
	FinishBusy
	FinishFailed
	// FinishMalformed is a call that the provider could not read.
	FinishMalformed
	// FinishUnknown is a reason that is not in the table.
	FinishUnknown
)

// finishes are all known finish reasons (SPEC MOD-03), as ReadFinish spells them: those of
// OpenAI, those of Anthropic, Gemini and Bedrock, which gateways pass on, and those of
// DeepSeek, Z.ai, Mistral, Cohere, vLLM, SGLang, TGI and Together.
var finishes = map[string]Finish{
	"stop": FinishWhole, "tool_calls": FinishWhole, "function_call": FinishWhole,
	"end_turn": FinishWhole, "stop_sequence": FinishWhole, "tool_use": FinishWhole, "tool_call": FinishWhole,
	"complete": FinishWhole, "completed": FinishWhole, "eos": FinishWhole, "eos_token": FinishWhole,

	"length": FinishLength, "max_tokens": FinishLength, "max_output_tokens": FinishLength, "model_length": FinishLength,
	"pause_turn": FinishLength,

	"content_filter": FinishFilter, "content_filtered": FinishFilter, "guardrail_intervened": FinishFilter,
	"refusal": FinishFilter, "sensitive": FinishFilter, "safety": FinishFilter, "recitation": FinishFilter,
	"blocklist": FinishFilter, "prohibited_content": FinishFilter, "spii": FinishFilter,
	"image_safety": FinishFilter, "language": FinishFilter,

	"model_context_window_exceeded": FinishOverflow,

	"insufficient_system_resource": FinishBusy,

	"error": FinishFailed, "network_error": FinishFailed, "abort": FinishFailed, "timeout": FinishFailed, "cancelled": FinishFailed,

	"function_call_filter": FinishMalformed, "malformed_function_call": FinishMalformed, "malformed_tool_use": FinishMalformed,
	"malformed_model_output": FinishMalformed, "unexpected_tool_call": FinishMalformed, "too_many_tool_calls": FinishMalformed,
	"missing_thought_signature": FinishMalformed,
}

// ReadFinish says what a finish reason means, however it is spelt. Gemini puts its own
// reason behind a colon.
func ReadFinish(reason string) Finish {
	reason, _, _ = strings.Cut(reason, ":")
	reason = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(reason)), "-", "_")
	if reason == "" {
		return FinishNone
	}
	if known, ok := finishes[reason]; ok {
		return known
	}
	return FinishUnknown
}

// IsWhole reports whether an answer with this finish, or with none, may be whole.
func (f Finish) IsWhole() bool { return f == FinishNone || f == FinishWhole }

// Err returns why an answer that finished so is not taken, with the provider's own
// reason; nil for one that is a reply of some kind.
func (f Finish) Err(reason string) error {
	failure := &llm.Error{Code: reason, Hint: "try again"}
	switch f {
	case FinishOverflow:
		failure.Class, failure.Message, failure.Hint = llm.ContextOverflow, "the conversation is longer than the model takes", hintShorten
	case FinishBusy:
		failure.Class, failure.Message = llm.Overloaded, "the provider broke off its answer, because it has too much to do"
	case FinishFailed:
		failure.Class, failure.Message = llm.Server, "the provider reports that its answer failed"
	case FinishMalformed:
		failure.Class, failure.Message = llm.Malformed, "the provider could not read the call that the model wrote"
	case FinishUnknown:
		failure.Class, failure.Message = llm.Truncated, "the answer ended for a reason that is not known"
	default:
		return nil
	}
	if reason != "" && !strings.EqualFold(reason, "error") && f != FinishOverflow {
		failure.Message += " (" + reason + ")"
	}
	return failure
}
