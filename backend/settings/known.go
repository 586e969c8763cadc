package settings

// knownProviders are the names of the providers that are known without any settings,
// which no own provider can have; tourName is that of the guided tour.
var knownProviders = []string{
	"openai", "anthropic", "gemini", "deepseek", "dashscope", "moonshot", "zai", "zhipu", "minimax", "mistral", "groq", "xai",
	"openrouter", "vercel", "huggingface", "together", "fireworks", "siliconflow", "cerebras", "perplexity", "nvidia",
	"ollama", "lmstudio", "llamacpp", "vllm", "aihubmix", "avian", "chutes", "cortecs", "ionet", "nebius", "neuralwatt",
	"opencode-zen", "opencode-go", "qiniucloud", "synthetic", "venice",
}

const tourName = "demo"

// knownFamilies are the names of the families of models.
var knownFamilies = []string{
	"gpt-oss", "gpt-codex", "gpt-5.2", "gpt-5.1", "gpt-5", "o-series", "claude", "gemini", "deepseek-r1", "deepseek-v4",
	"deepseek-v3", "qwen-coder", "qwen", "kimi", "glm-5", "glm", "minimax", "mistral", "grok", "gemma", "seed", "llama",
}
