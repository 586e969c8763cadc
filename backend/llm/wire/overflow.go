package wire

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

const (
	// smallest and largest bound the windows that are believed, in tokens. A smaller
	// number is something else, such as a code or the 128 of "128.5k"; no request
	// with tools would fit in it.
	smallest = 256
	largest  = 100_000_000
)

// limits are the ways in which providers name the limit that a conversation went
// over. Each catches that number, never the size of the conversation, which most of
// them name too. "Request too large … tokens per min: Limit 30000" is not among them:
// that is a limit of the account, not of the model. They are in lower case, because
// regexp finds the beginning of such a pattern by a plain search.
var limits = sync.OnceValue(func() []*regexp.Regexp {
	return compileAll(
		// OpenAI, DeepSeek, OpenRouter, vLLM, LiteLLM
		`maximum context length(?: is| of|:)? \(?N`,
		// Mistral
		`model with N maximum context length`,
		// Anthropic, whose > may be escaped
		`tokens (?:>|\\+u003e) N maximum`,
		`context limit: \d+ \+ \d+ (?:>|\\+u003e) N`,
		// OpenAI's newer models
		`configured limit of N`,
		// Gemini
		`maximum number of tokens allowed \(N`,
		// xAI
		`maximum prompt length is N`,
		// Moonshot
		`model token limit: N`,
		// DashScope
		`range of input length should be \[\d+, ?N`,
		// Together
		`model's context length \(N`,
		// LM Studio
		`context length of only N`,
		// llama.cpp, and LM Studio again
		`available context size \(N`,
		`n_ctx\\*"?\s*[:=]\s*"?N`,
		// GitHub Copilot
		`exceeds the limit of N`,
		// GitHub Models
		`max size: N tokens`,
		// TGI, whose < may be escaped
		`must be (?:<|\\+u003c)= N`,
		// SiliconFlow
		`max_seq_len \(N`,
		// Cohere
		`in the prompt cannot exceed N`,
		// TensorRT-LLM, and Fireworks
		`maximum input length (?:of |\()N`,
		`requested \d+ tokens, limit N`,
	)
})

func compileAll(patterns ...string) []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(patterns))
	for i, pattern := range patterns {
		// Some write thousands with commas.
		all[i] = regexp.MustCompile(strings.Replace(pattern, "N", `(\d+(?:,\d{3})*)\b`, 1))
	}
	return all
}

// findWindow finds how many tokens the model takes in what a provider says of an
// overflow; 0 where it does not say. It looks at the message first: the rest of the
// body may quote anything.
func findWindow(message string, body []byte) int {
	for _, text := range []string{strings.ToLower(message), strings.ToLower(string(body))} {
		for _, limit := range limits() {
			found := limit.FindStringSubmatch(text)
			if found == nil {
				continue
			}
			tokens, err := strconv.Atoi(strings.ReplaceAll(found[1], ",", ""))
			if err == nil && tokens >= smallest && tokens <= largest {
				return tokens
			}
		}
	}
	return 0
}
