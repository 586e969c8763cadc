package settings

import "fairlead/backend/message"

// options is the one table of settings: the file, the flags of fairlead run, the
// environment, the defaults and docs/settings.md are made from it.
var options = []Option{
	{
		Key: "provider", Flag: "provider", kind: text, Placeholder: "NAME",
		Help: "openai, anthropic, openrouter, ollama or another one, one of your settings file, or demo for the guided tour; a wrong name lists all.",
	},
	{Key: "base_url", Flag: "base-url", kind: text, Placeholder: "URL", Help: "Any OpenAI-compatible endpoint."},
	{Key: "model", Flag: "model", kind: text, Placeholder: "NAME", Help: "The model's name at the provider."},
	{
		Key: "api_key_env", Flag: "api-key-env", kind: text, bounds: variables, Placeholder: "VAR",
		Help: "The environment variable that holds the key for this endpoint.",
	},
	{
		Key: "approve", Flag: "approve", kind: text, bounds: oneOf("ask", "preview", "draft", "writes", "all", "none"), Default: "ask", Placeholder: "MODE",
		Help: "What passes unasked: ask (nothing), preview (commands, in a copy of the folder: asks what of it to keep), draft (all, in a copy that is reviewed afterwards), writes (file changes), all, none (refuse what would ask); without it ${default}.",
		// A command that runs with the rights of the user could write this line.
		refused: map[string]string{"all": "all is given for one run only, with --approve all"},
	},
	{
		Key: "mode", Flag: "mode", kind: text, bounds: oneOf("react", "single"), Default: "react", Placeholder: "MODE",
		Help: "react works with tools, single answers once without; without it ${default}.",
	},
	{
		Key: "max_steps", Flag: "max-steps", kind: whole, bounds: intBounds(1, 500), Default: "50", Placeholder: "N",
		Help: "Tool rounds (${default}).", limit: func(l *message.Limits) any { return &l.MaxSteps },
	},
	{
		Key: "run_timeout", Flag: "run-timeout", kind: duration, bounds: durations, Default: "30m", Placeholder: "D",
		Help: "Time of the whole run, without waiting for you (${default}).", limit: func(l *message.Limits) any { return &l.RunTimeout },
	},
	{
		Key: "step_timeout", Flag: "step-timeout", kind: duration, bounds: durations, Default: "2m", Placeholder: "D",
		Help: "How long the model may stay silent (${default}).", limit: func(l *message.Limits) any { return &l.StepTimeout },
	},
	{
		Key: "tool_timeout", Flag: "tool-timeout", kind: duration, bounds: durations, Placeholder: "D",
		Help: "Time of one tool call (60s, commands 2m).", limit: func(l *message.Limits) any { return &l.ToolTimeout },
	},
	{
		Key: "confirm_timeout", Flag: "confirm-timeout", kind: duration, bounds: durations, Default: "5m", Placeholder: "D",
		Help: "How long a question waits for you (${default}).", limit: func(l *message.Limits) any { return &l.ConfirmTimeout },
	},
	{
		Key: "attempts", Flag: "attempts", kind: whole, bounds: intBounds(1, 20), Default: "5", Placeholder: "N",
		Help: "Tries of one model call (${default}); 1 is no retry.", limit: func(l *message.Limits) any { return &l.Attempts },
	},
	{
		Key: "parallel", Flag: "parallel", kind: whole, bounds: intBounds(1, 64), Default: "8", Placeholder: "N",
		Help: "Calls that run side by side (${default}).", limit: func(l *message.Limits) any { return &l.Parallel },
	},
	{
		Key: "budget", Flag: "budget", kind: whole, bounds: intBounds(0, 1_000_000_000), Default: "0", Placeholder: "TOKENS",
		Help: "Tokens after which a run asks before it goes on (${default} is no limit).", limit: func(l *message.Limits) any { return &l.Budget },
	},
	{
		Key: "context_window", Flag: "context-window", kind: whole, bounds: intBounds(0, maxWindow), Default: "0", Placeholder: "N",
		Help: "Tokens that the model takes at once (${default} is what is known of it).", limit: func(l *message.Limits) any { return &l.ContextWindow },
	},
	{
		Key: "continue_on_error", Flag: "stop-on-tool-error", Inverted: true, kind: boolean, bounds: switches, Default: "true",
		Help: "End the run after a round with a failed call.", limit: func(l *message.Limits) any { return &l.ContinueOnError },
	},
	{
		Key: "doom_detection", Flag: "no-doom", Inverted: true, kind: boolean, bounds: switches, Default: "true",
		Help: "Let the model repeat the same calls, or words, without end.", limit: func(l *message.Limits) any { return &l.DoomDetection },
	},
	{
		Key: "compaction", Flag: "no-compact", Inverted: true, kind: boolean, bounds: switches, Default: "true",
		Help: "Never leave out or sum up what was said, however long it gets.", limit: func(l *message.Limits) any { return &l.Compaction },
	},
	{
		Key: "log_level", Flag: "log-level", kind: text, bounds: oneOf("debug", "info", "warn", "error"), Default: "info", Placeholder: "LEVEL",
		Help: "debug, info, warn or error.",
	},
	{
		Key: "budget_usd", kind: number, bounds: floatBounds(0.001, 1_000_000),
		Help:  "Money in US dollars after which a run asks before it goes on, where the price of the model is known.",
		limit: func(l *message.Limits) any { return &l.BudgetUSD },
	},
	{
		Key: "continue_message", kind: boolean, bounds: switches, Default: "false",
		Help: "Tell the model after each round to go on with its task.", limit: func(l *message.Limits) any { return &l.ContinueMessage },
	},
	{
		Key: "instructions", kind: text, bounds: atMost(maxInstructions),
		Help: "What you tell the model in every conversation, at most 16 KiB.",
	},
	{
		Key: "memory", kind: boolean, bounds: switches, Default: "true",
		Help: "Give the model the notes about the folder from earlier conversations, and let it ask to add some.",
	},
	{
		Key: "reasoning_effort", kind: text, bounds: oneOf("off", "minimal", "low", "medium", "high", "xhigh", "max"),
		Help: "How much the model should reason; the nearest that it knows is taken.", call: func(c *Calls) any { return &c.Effort },
	},
	{
		Key: "max_output_tokens", kind: whole, bounds: intBounds(0, 1_000_000), Default: "0",
		Help: "The most tokens of a reply; 0 leaves it to the provider.", call: func(c *Calls) any { return &c.MaxTokens },
	},
	{
		Key: "temperature", kind: number, bounds: floatBounds(0, 2),
		Help: "From 0 to 2; without it the provider's own.", call: func(c *Calls) any { return &c.Temperature },
	},
	{
		Key: "proxy", kind: text, bounds: bounds{words: "http://, https:// or socks5:// HOST:PORT", check: proxyAddress},
		Help: "The proxy by which providers and web pages are reached.", call: func(c *Calls) any { return &c.Proxy },
	},
	{
		Key: "ca_file", kind: text, bounds: bounds{words: "a full path", check: fullPath},
		Help: "A PEM file of certificate authorities to trust beside the system's.", call: func(c *Calls) any { return &c.CAFile },
	},
	{
		Key: "readable_folders", kind: text, bounds: bounds{words: "full paths", check: fullPaths},
		Help: "Folders beside the system's that commands may read, as in PATH.",
	},
	{
		Key: "command_memory", kind: whole, bounds: intBounds(64, maxMemory).orWord("0"),
		Help: "The most memory in MiB that a command may use with all it starts (Linux); without it half of the computer's.",
	},
	{
		Key: "undo_space", kind: whole, bounds: intBounds(16, maxMemory),
		Help: "The most space in MiB for what is kept to undo changes; without it 2048, or a tenth of what is free if that is less.",
	},
	{
		Key: "model_titles", kind: boolean, bounds: switches, Default: "true",
		Help: "Let the model give conversations in the window their titles.",
	},
	{
		Key: "dialog", kind: text, bounds: oneOf("always", "background", "never"),
		Help: "When a native dialog asks beside the window: always, background (while Fairlead is not in front) or never; without it always.",
	},
}
