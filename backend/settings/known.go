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
