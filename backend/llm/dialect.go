package llm

// Dialect is what an endpoint, or one of its models, wants of a request that others
// do not want, or refuse. The zero Dialect is for an endpoint that nobody knows: the
// fewest fields in their plainest form.
type Dialect struct {
	// Echo is the form in which a model gets its own reasoning back with the calls it
	// led to.
	Echo Echo
	// Signatures says that what came beside a call's arguments goes back with the
	// call, as Gemini demands of its thought signatures.
	Signatures bool
	// CallIDs is what the ids of calls may look like. Ids of another provider, whose
	// conversation goes on here, are made to fit.
	CallIDs CallIDs
	// Names says that the sender's name of a message is sent as a field of its own.
	Names bool
	// PlainSchemas says that of JSON Schema only the keywords that every server knows
	// are taken.
	PlainSchemas bool
	// OnlyAuto says that tool_choice is refused, but for what is assumed without it.
	// A request that allows no calls then offers no tools.
	OnlyAuto bool
	// ParallelFlag says that parallel_tool_calls is taken.
	ParallelFlag bool
	// MaxTokens is the field that bounds the length of a reply; empty means
	// max_tokens.
	MaxTokens string
	// FixedTemperature says that a temperature is refused.
	FixedTemperature bool
	// Effort is how it is said how much the model should reason.
	Effort EffortForm
	// NoSystemRole says that a system message is refused. Its text then begins the
	// first message of the user.
	NoSystemRole bool
	// TakeTurns says that messages of user and model must alternate: two in a row
	// become one, and between the result of a call and the user comes one of the
	// model.
	TakeTurns bool
	// NoUsageOption says that stream_options is refused.
	NoUsageOption bool
	// WrittenCalls is set where the model may write its calls into the text of its reply, in
	// any form (SPEC MSG-08).
	WrittenCalls bool
	// Marks are the forms of the model's family that leak into the text of its replies.
	Marks Marks
	// Efforts are those that the model can be asked for; 0 where that is not known.
	Efforts Efforts
	// EffortBeside is set where the effort is sent as reasoning_effort beside the switch of
	// the Effort form.
	EffortBeside bool
}

// Echo is a form in which reasoning goes back.
type Echo string

// The forms. Who knows none of them refuses a field for it.
const (
	EchoNone Echo = ""
	// EchoContent is the text, as reasoning_content.
	EchoContent Echo = "reasoning_content"
	// EchoReasoning is the text, as reasoning.
	EchoReasoning Echo = "reasoning"
	// EchoTags is the text, in the tags of the model at the beginning of its message.
	EchoTags Echo = "<think>"
	// EchoParts are thinking parts of the content, as Mistral has them.
	EchoParts Echo = "thinking"
	// EchoDetails is what came as reasoning_details, signatures and all.
	EchoDetails Echo = "reasoning_details"
	// EchoBlocks is what came as thinking_blocks, which is how LiteLLM passes on the
	// thinking of Claude.
	EchoBlocks Echo = "thinking_blocks"
)

// Marks are forms of a family's own for reasoning and calls. Where a server does not read
// them, they leak into the text (SPEC MOD-07).
type Marks uint16

// The forms.
const (
	// MarkThink is <think>, anywhere, and its closing tag alone.
	MarkThink Marks = 1 << iota
	// MarkHarmony are the channels of gpt-oss, with reasoning, text and calls.
	MarkHarmony
	// MarkGemma is the channel with Gemma's reasoning.
	MarkGemma
	// MarkMistral is [THINK] and [TOOL_CALLS].
	MarkMistral
	// MarkSeed is <seed:think>.
	MarkSeed
	// MarkToolCall is <tool_call>, of Hermes, Qwen and GLM.
	MarkToolCall
	// MarkFunction is <function=NAME>, of Llama and Qwen Coder.
	MarkFunction
	// MarkPython is Llama's <|python_tag|>.
	MarkPython
	// MarkKimi are the sections of Kimi, MarkDeepSeek those of DeepSeek until V3.1.
	MarkKimi
	MarkDeepSeek
	// MarkDSML are the tags of DeepSeek since V3.2, MarkMiniMax those of MiniMax.
	MarkDSML
	MarkMiniMax
)

// CallIDs is a form of the ids of calls.
type CallIDs string

// The forms.
const (
	// AnyID takes every id.
	AnyID CallIDs = ""
	// PlainID takes up to 40 letters, digits, hyphens and underscores: what OpenAI
	// (length) and Anthropic (letters) take.
	PlainID CallIDs = "plain"
	// NineID takes exactly nine letters and digits, as Mistral does.
	NineID CallIDs = "nine"
)

// EffortForm is a way to say how much a model should reason.
type EffortForm string

// The ways, by the field that says it.
const (
	// EffortNone has no way; what the user wants is not sent.
	EffortNone EffortForm = ""
	// EffortField is OpenAI's reasoning_effort.
	EffortField EffortForm = "reasoning_effort"
	// EffortObject is OpenRouter's reasoning.
	EffortObject EffortForm = "reasoning"
	// EffortThinking is the switch thinking of DeepSeek, Moonshot and z.ai.
	EffortThinking EffortForm = "thinking"
	// EffortEnable is the switch enable_thinking of DashScope and SiliconFlow.
	EffortEnable EffortForm = "enable_thinking"
	// EffortTemplate is the same switch as a variable of the chat template, for vLLM,
	// SGLang and llama.cpp.
	EffortTemplate EffortForm = "chat_template_kwargs"
)
