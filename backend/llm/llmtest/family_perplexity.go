package llmtest

import "net/http"

// perplexityProfile has no list of models, and its models call no tools.
func perplexityProfile() profile {
	page := newRefusal(401, "<html>\r\n<head><title>401 Authorization Required</title></head>\r\n<body>\r\n<center><h1>401 Authorization Required</h1></center>\r\n<hr><center>openresty</center>\r\n</body>\r\n</html>\r\n")
	page.contentType = "text/html"
	return profile{
		models: []string{"sonar-pro", "sonar-reasoning-pro"},
		refusals: map[Mode]refusal{
			WrongKey:     page,
			QuotaUsed:    newRefusal(401, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://docs.perplexity.ai/getting-started/pricing","type":"insufficient_quota","code":401}}`),
			Overflow:     newRefusal(400, `{"error":{"message":"Your prompt has 140012 tokens, which is more than the model takes.","type":"too_many_prompt_tokens","code":400}}`),
			Busy:         newRefusal(429, `{"error":{"message":"Request rate limit exceeded, please try again later.","type":"request_rate_limit_exceeded","code":429}}`),
			UnknownModel: newRefusal(400, `{"error":{"message":"Invalid model '{model}'. Permitted models can be found in the documentation at https://docs.perplexity.ai/getting-started/models.","type":"invalid_model","code":400}}`),
		},
		refuse: func(status int, message string) refusal {
			if status == http.StatusNotFound {
				return newSaying(status, `{"detail":{message}}`, message)
			}
			return newSaying(status, `{"error":{"message":{message},"type":"invalid_message","code":{status}}}`, message)
		},
		strict:  perplexityStrict,
		noCalls: true,
		answer: func(s *stream, t turn) {
			s.end = "\r\n"
			s.head["citations"] = []any{"https://example.com/a"}
			s.head["search_results"] = []any{object{"title": "A", "url": "https://example.com/a", "date": nil}}
			said, pieces := "", splitHalves(t.text)
			for i, piece := range pieces {
				said += piece
				var finish any
				if i == len(pieces)-1 {
					finish = "stop"
				}
				s.writeLine(": ping")
				s.writeChunk(object{
					"usage": joinObjects(t.usageFields(), object{"completion_tokens": t.completion * (i + 1) / len(pieces), "search_context_size": "low"}),
					"choices": []any{object{
						"index": 0, "finish_reason": finish, "delta": object{"role": "assistant", "content": piece},
						"message": object{"role": "assistant", "content": said},
					}},
				})
			}
		},
	}
}

// perplexityStrict wants user, or results, and model to take turns.
func perplexityStrict(s *sent) []fault {
	asks := func(role string) bool { return role == "user" || role == "tool" }
	before := "assistant"
	for _, message := range s.chat.Messages {
		role := message.Role
		if role == "system" {
			continue
		}
		results := role == "tool" && before == "tool"
		if asks(role) == asks(before) && !results {
			return []fault{newFault("After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).")}
		}
		before = role
	}
	if !asks(before) {
		return []fault{newFault("Last message must have role `user` or `tool`.")}
	}
	return nil
}
