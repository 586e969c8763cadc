package catalog

import (
	"encoding/json"
	"net/http"

	"fairlead/backend/llm"
)

// known are the providers in the order in which they are shown: those most asked
// for, those of many models, those on this computer, all others, the tour.
var known = []Provider{
	{
		Name: "openai", Title: "OpenAI", Aliases: []string{"ChatGPT"}, BaseURL: "https://api.openai.com/v1", KeyEnv: "OPENAI_API_KEY",
		Others:      []string{"https://eu.api.openai.com/v1", "https://us.api.openai.com/v1"},
		KeyPrefixes: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"},
		Dialect: llm.Dialect{
			CallIDs: llm.PlainID, Names: true, ParallelFlag: true, MaxTokens: "max_completion_tokens", Effort: llm.EffortField,
		},
	},
	{
		Name: "anthropic", Title: "Anthropic", Aliases: []string{"Claude"}, BaseURL: "https://api.anthropic.com/v1", KeyEnv: "ANTHROPIC_API_KEY",
		KeyPrefixes: []string{"sk-ant-"}, Dialect: llm.Dialect{CallIDs: llm.PlainID},
		// Only its chat completions are like everybody's.
		ListHeader: http.Header{"X-Api-Key": {"{key}"}, "Anthropic-Version": {"2023-06-01"}},
	},
	{
		Name: "gemini", Title: "Google Gemini", Aliases: []string{"谷歌"}, BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
		KeyEnv: "GEMINI_API_KEY", KeyPrefixes: []string{"AIza"},
		Dialect: llm.Dialect{Signatures: true, PlainSchemas: true, Effort: llm.EffortField},
	},
	{
		Name: "deepseek", Title: "DeepSeek", Aliases: []string{"深度求索"}, BaseURL: "https://api.deepseek.com", KeyEnv: "DEEPSEEK_API_KEY",
		Dialect: llm.Dialect{Echo: llm.EchoContent, Effort: llm.EffortThinking},
	},
	{
		Name: "dashscope", Title: "Qwen (DashScope)", Aliases: []string{"通义千问", "阿里云百炼"},
		BaseURL: "https://dashscope.aliyuncs.com/compatible-mode/v1",
		Others:  []string{"https://dashscope-intl.aliyuncs.com/compatible-mode/v1"},
		KeyEnv:  "DASHSCOPE_API_KEY", Dialect: llm.Dialect{Effort: llm.EffortEnable},
	},
	{
		Name: "moonshot", Title: "Moonshot (Kimi)", Aliases: []string{"月之暗面"}, BaseURL: "https://api.moonshot.ai/v1", KeyEnv: "MOONSHOT_API_KEY",
		Others:  []string{"https://api.moonshot.cn/v1"},
		Dialect: llm.Dialect{Echo: llm.EchoContent, Effort: llm.EffortThinking},
	},
	{
		Name: "zai", Title: "Z.ai (GLM)", Aliases: []string{"智谱"}, BaseURL: "https://api.z.ai/api/paas/v4", KeyEnv: "ZAI_API_KEY",
		Others: []string{"https://api.z.ai/api/coding/paas/v4"}, Dialect: llm.Dialect{Effort: llm.EffortThinking},
	},
	{
		Name: "zhipu", Title: "Zhipu (GLM)", Aliases: []string{"智谱"}, BaseURL: "https://open.bigmodel.cn/api/paas/v4", KeyEnv: "ZHIPU_API_KEY",
		Others: []string{"https://open.bigmodel.cn/api/coding/paas/v4"}, Dialect: llm.Dialect{Effort: llm.EffortThinking},
	},
	{
		Name: "minimax", Title: "MiniMax", Aliases: []string{"稀宇科技"}, BaseURL: "https://api.minimax.io/v1", KeyEnv: "MINIMAX_API_KEY",
		Others:  []string{"https://api.minimaxi.com/v1"},
		Dialect: llm.Dialect{Echo: llm.EchoDetails},
		// Without it reasoning comes inside the text.
		Body: map[string]json.RawMessage{"reasoning_split": json.RawMessage("true")},
	},
	{
		Name: "mistral", Title: "Mistral", BaseURL: "https://api.mistral.ai/v1", KeyEnv: "MISTRAL_API_KEY",
		Dialect: llm.Dialect{CallIDs: llm.NineID, TakeTurns: true},
	},
	{
		Name: "groq", Title: "Groq", BaseURL: "https://api.groq.com/openai/v1", KeyEnv: "GROQ_API_KEY",
		KeyPrefixes: []string{"gsk_"},
	},
	{
		Name: "xai", Title: "xAI", Aliases: []string{"Grok"}, BaseURL: "https://api.x.ai/v1", KeyEnv: "XAI_API_KEY", KeyPrefixes: []string{"xai-"},
	},
	{
		Name: "openrouter", Title: "OpenRouter", BaseURL: "https://openrouter.ai/api/v1", KeyEnv: "OPENROUTER_API_KEY",
		KeyPrefixes: []string{"sk-or-"},
		Dialect:     llm.Dialect{Echo: llm.EchoDetails, Effort: llm.EffortObject, ParallelFlag: true},
	},
	{
		Name: "vercel", Title: "Vercel AI Gateway", BaseURL: "https://ai-gateway.vercel.sh/v1", KeyEnv: "AI_GATEWAY_API_KEY",
		KeyPrefixes: []string{"vck_"}, Dialect: llm.Dialect{Echo: llm.EchoDetails},
	},
	{
		Name: "huggingface", Title: "Hugging Face", BaseURL: "https://router.huggingface.co/v1", KeyEnv: "HF_TOKEN",
		KeyPrefixes: []string{"hf_"},
	},
	{
		Name: "together", Title: "Together AI", BaseURL: "https://api.together.xyz/v1", KeyEnv: "TOGETHER_API_KEY",
		KeyPrefixes: []string{"tgp_"},
	},
	{
		Name: "fireworks", Title: "Fireworks AI", BaseURL: "https://api.fireworks.ai/inference/v1", KeyEnv: "FIREWORKS_API_KEY",
		KeyPrefixes: []string{"fw_"},
	},
	{
		Name: "siliconflow", Title: "SiliconFlow", Aliases: []string{"硅基流动"}, BaseURL: "https://api.siliconflow.com/v1", KeyEnv: "SILICONFLOW_API_KEY",
		Others: []string{"https://api.siliconflow.cn/v1"}, Dialect: llm.Dialect{Effort: llm.EffortEnable},
	},
	{
		Name: "cerebras", Title: "Cerebras", BaseURL: "https://api.cerebras.ai/v1", KeyEnv: "CEREBRAS_API_KEY",
		KeyPrefixes: []string{"csk-"},
	},
	{
		Name: "perplexity", Title: "Perplexity", BaseURL: "https://api.perplexity.ai", KeyEnv: "PERPLEXITY_API_KEY",
		KeyPrefixes: []string{"pplx-"}, Dialect: llm.Dialect{TakeTurns: true},
	},
	{
		Name: "nvidia", Title: "NVIDIA", Aliases: []string{"英伟达"}, BaseURL: "https://integrate.api.nvidia.com/v1", KeyEnv: "NVIDIA_API_KEY",
		KeyPrefixes: []string{"nvapi-"},
	},
	{Name: ollama, Title: "Ollama", BaseURL: "http://localhost:11434/v1", Local: true},
	{Name: "lmstudio", Title: "LM Studio", BaseURL: "http://localhost:1234/v1", Local: true},
	{
		Name: "llamacpp", Title: "llama.cpp", BaseURL: "http://localhost:8080/v1", Local: true,
		Dialect: llm.Dialect{Effort: llm.EffortTemplate},
	},
	{
		Name: "vllm", Title: "vLLM", BaseURL: "http://localhost:8000/v1", Local: true,
		Dialect: llm.Dialect{Effort: llm.EffortTemplate},
	},
	{Name: "aihubmix", Title: "AIHubMix", BaseURL: "https://aihubmix.com/v1", KeyEnv: "AIHUBMIX_API_KEY"},
	{Name: "avian", Title: "Avian", BaseURL: "https://api.avian.io/v1", KeyEnv: "AVIAN_API_KEY"},
	{Name: "chutes", Title: "Chutes", BaseURL: "https://llm.chutes.ai/v1", KeyEnv: "CHUTES_API_KEY"},
	{Name: "cortecs", Title: "Cortecs", BaseURL: "https://api.cortecs.ai/v1", KeyEnv: "CORTECS_API_KEY"},
	{Name: "ionet", Title: "io.net", BaseURL: "https://api.intelligence.io.solutions/api/v1", KeyEnv: "IONET_API_KEY"},
	{Name: "nebius", Title: "Nebius Token Factory", BaseURL: "https://api.tokenfactory.nebius.com/v1", KeyEnv: "NEBIUS_API_KEY"},
	{Name: "neuralwatt", Title: "Neuralwatt", BaseURL: "https://api.neuralwatt.com/v1", KeyEnv: "NEURALWATT_API_KEY"},
	{Name: "opencode-zen", Title: "OpenCode Zen", BaseURL: "https://opencode.ai/zen/v1", KeyEnv: "OPENCODE_API_KEY"},
	{Name: "opencode-go", Title: "OpenCode Go", BaseURL: "https://opencode.ai/zen/go/v1", KeyEnv: "OPENCODE_API_KEY"},
	{Name: "qiniucloud", Title: "Qiniu Cloud", Aliases: []string{"七牛云"}, BaseURL: "https://api.qnaigc.com/v1", KeyEnv: "QINIUCLOUD_API_KEY"},
	{Name: "synthetic", Title: "Synthetic", BaseURL: "https://api.synthetic.new/openai/v1", KeyEnv: "SYNTHETIC_API_KEY"},
	{Name: "venice", Title: "Venice AI", BaseURL: "https://api.venice.ai/api/v1", KeyEnv: "VENICE_API_KEY"},
	{Name: Demo, Title: "Guided tour", Local: true},
}
