package llmtest

import "fmt"

func vllmProfile() profile {
	return profile{
		base:   "/v1",
		models: []string{"Qwen/Qwen3-8B"},
		list: func(models []string) any {
			return object{"object": "list", "data": modelEntries(models, "", object{
				"created": 1762900000, "owned_by": "vllm", "root": models[0], "parent": nil, "max_model_len": 40960,
				"permission": []any{object{"id": "modelperm-test", "object": "model_permission", "allow_sampling": true}},
			})}
		},
		refusals: map[Mode]refusal{
			WrongKey:     newRefusal(401, `{"error":"Unauthorized"}`),
			Overflow:     newRefusal(400, `{"error":{"message":"This model's maximum context length is 40960 tokens. However, you requested 100 output tokens and your prompt contains at least 40861 input tokens, for a total of at least 40961 tokens. Please reduce the length of the input prompt or the number of requested output tokens.","type":"BadRequestError","param":"input_tokens","code":400}}`),
			Busy:         newRefusal(503, `{"error":"The model is currently scaling. Please try again later."}`),
			UnknownModel: newRefusal(404, "{\"error\":{\"message\":\"The model `{model}` does not exist.\",\"type\":\"NotFoundError\",\"param\":\"model\",\"code\":404}}"),
		},
		refuse: sayingIn(`{"error":{"message":{message},"type":"BadRequestError","param":null,"code":{status}}}`),
		callID: func(n int, _ string) string { return fmt.Sprintf("chatcmpl-tool-%032d", n) },
		answer: func(s *stream, t turn) {
			s.writeDelta(object{"role": "assistant", "content": ""})
			s.writeTexts("reasoning", t.thought, object{"reasoning_content": nil})
			s.writeFragments(t, 0, nil, nil)
			s.writeTexts("content", t.text, nil)
			s.writeChunk(object{"choices": []any{object{
				"index": 0, "delta": object{"content": ""}, "logprobs": nil, "finish_reason": t.finishReason(), "stop_reason": nil, "token_ids": nil,
			}}})
			s.writeUsage(t, joinObjects(t.usageFields(), object{"prompt_tokens_details": nil}))
			s.writeDone()
		},
	}
}
