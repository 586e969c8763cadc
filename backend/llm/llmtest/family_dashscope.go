package llmtest

import "fmt"

func dashscopeProfile() profile {
	return profile{
		base:   "/compatible-mode/v1",
		models: []string{"qwen3-max", "qwen-plus"},
		list:   newListing(object{"created": 1762900000, "owned_by": "system"}),
		refusals: map[Mode]refusal{
			WrongKey:     newRefusal(401, `{"error":{"message":"Incorrect API key provided. For details, see: https://help.aliyun.com/zh/model-studio/error-code#apikey-error","type":"invalid_request_error","param":null,"code":"invalid_api_key"},"request_id":"test"}`),
			QuotaUsed:    newRefusal(400, `{"error":{"message":"Access denied, please make sure your account is in good standing.","type":"Arrearage","param":null,"code":"Arrearage"},"request_id":"test"}`),
			Overflow:     newRefusal(400, `{"error":{"message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]","type":"invalid_request_error","param":null,"code":"invalid_parameter_error"},"request_id":"test"}`),
			Busy:         newRefusal(429, `{"error":{"message":"You have exceeded your current request limit. For details, see: https://help.aliyun.com/zh/model-studio/error-code#rate-limit","type":"limit_requests","param":null,"code":"limit_requests"},"request_id":"test"}`),
			UnknownModel: newRefusal(404, "{\"error\":{\"message\":\"The model `{model}` does not exist or you do not have access to it.\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"model_not_found\"},\"request_id\":\"test\"}"),
		},
		refuse: sayingIn(`{"error":{"message":{message},"type":"invalid_request_error","param":null,"code":"invalid_parameter_error"},"request_id":"test"}`),
		callID: func(n int, _ string) string { return fmt.Sprintf("call_%022d", n) },
		answer: func(s *stream, t turn) {
			s.head["usage"], s.head["system_fingerprint"] = nil, nil
			s.writeDelta(object{"role": "assistant", "content": nil, "reasoning_content": ""})
			s.writeTexts("reasoning_content", t.thought, object{"content": nil})
			s.writeFragments(t, 0, object{"id": "", "type": "function"}, nil)
			s.writeTexts("content", t.text, object{"reasoning_content": nil})
			s.writeFinish(t.finishReason(), nil)
			s.writeUsage(t, t.detailedUsage())
			s.writeDone()
		},
	}
}
