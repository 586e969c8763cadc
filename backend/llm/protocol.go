package llm

// Protocol is how requests and answers are written.
type Protocol string

// The protocols (SPEC MOD-01).
const (
	// ChatCompletions is OpenAI's older one, which nearly every server speaks.
	ChatCompletions Protocol = "chat"
	// Responses is OpenAI's newer one, without which its newest models call no tools.
	Responses Protocol = "responses"
	// Messages is Anthropic's, without which Claude neither shows its thinking nor keeps
	// a conversation in its cache.
	Messages Protocol = "messages"
)

// Path is where an endpoint takes requests, below its base URL.
func (p Protocol) Path() string {
	switch p {
	case Responses:
		return "/responses"
	case Messages:
		return "/messages"
	}
	return "/chat/completions"
}
