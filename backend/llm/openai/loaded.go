package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"fairlead/backend/llm/protocol"
)

// A server on this computer loads a model with a window of its own, often smaller than
// the model's, and some cut a longer conversation without a word. Each says in another
// place what it is.
var loaded = map[string]struct {
	// path is below the server's root, read takes the window of a model from what is
	// there.
	path string
	read func(text []byte, model string) int
}{
	"ollama":   {"/api/ps", ollamaWindow},
	"lmstudio": {"/api/v0/models", listedWindow},
	"llamacpp": {"/props", llamacppWindow},
	"vllm":     {"/v1/models", listedWindow},
}

// LoadedWindow asks a server on this computer how many tokens its model takes at once,
// as it is loaded now. server is ollama, lmstudio, llamacpp or vllm. It is 0 where the
// server does not say, and for any other one; the context alone limits how long it
// takes.
func LoadedWindow(ctx context.Context, config protocol.Config, server string) int {
	from, ok := loaded[server]
	if !ok {
		return 0
	}
	text, err := get(ctx, config, strings.TrimSuffix(config.BaseURL, "/v1")+from.path)
	if err != nil {
		return 0 // an older server does not know the question
	}
	return max(from.read(text, config.Model), 0)
}

// Load has a server on this computer load a model, and reports whether it did; only an Ollama
// can be told to, by a request without a prompt. The context limits how long it takes.
func Load(ctx context.Context, config protocol.Config, server string) bool {
	if server != "ollama" {
		return false
	}
	body, err := json.Marshal(map[string]any{"model": config.Model, "stream": false})
	if err != nil {
		return false
	}
	_, err = send(ctx, config, http.MethodPost, strings.TrimSuffix(config.BaseURL, "/v1")+"/api/generate", body)
	return err == nil
}

// decodeOrZero reads JSON; what is none is zero.
func decodeOrZero[T any](text []byte) (value T) {
	if json.Unmarshal(text, &value) != nil {
		var none T
		return none
	}
	return value
}

func ollamaWindow(text []byte, model string) int {
	running := decodeOrZero[struct {
		Models []struct {
			Name    string `json:"name"`
			Context int    `json:"context_length"`
		} `json:"models"`
	}](text)
	for _, m := range running.Models {
		if m.Name == model || m.Name == model+":latest" {
			return m.Context
		}
	}
	return 0
}

// listedWindow reads a list of models that says more of each than its name.
func listedWindow(text []byte, model string) int {
	list := decodeOrZero[struct {
		Data []struct {
			ID       string `json:"id"`
			LMStudio int    `json:"loaded_context_length"`
			VLLM     int    `json:"max_model_len"`
		} `json:"data"`
	}](text)
	for _, m := range list.Data {
		if m.ID == model {
			return max(m.LMStudio, m.VLLM)
		}
	}
	return 0
}

// llamacppWindow takes no notice of the name: the server has one model.
func llamacppWindow(text []byte, _ string) int {
	return decodeOrZero[struct {
		Settings struct {
			Context int `json:"n_ctx"`
		} `json:"default_generation_settings"`
	}](text).Settings.Context
}
