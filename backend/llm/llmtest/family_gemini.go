package llmtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// geminiSkip is the signature that Google names for calls of other models.
const geminiSkip = "skip_thought_signature_validator"

func geminiProfile() profile {
	const help = `{"@type":"type.googleapis.com/google.rpc.Help","links":[{"description":"Learn more about Gemini API quotas","url":"https://ai.google.dev/gemini-api/docs/rate-limits"}]}`
	quota := func(id, delay string) string {
		return `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.\nPlease retry in ` + delay + `.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"generativelanguage.googleapis.com/generate_content_free_tier_requests","quotaId":"` + id + `","quotaValue":"50"}]},` + help + `,{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"12s"}]}}]`
	}
	return profile{
		base:   "/v1beta/openai",
		models: []string{"gemini-3-pro-preview", "gemini-2.5-flash"},
		prefix: "models/",
		list: func(models []string) any {
			return object{"object": "list", "data": modelEntries(models, "models/", object{"owned_by": "google", "display_name": "Gemini"})}
		},
		refusals: map[Mode]refusal{
			WrongKey:     newRefusal(400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com","metadata":{"service":"generativelanguage.googleapis.com"}}]}}]`),
			QuotaUsed:    newRefusal(429, quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "12.5s")),
			Overflow:     newRefusal(400, `[{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`),
			Busy:         newRefusal(429, quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "12.5s")),
			UnknownModel: newRefusal(404, `[{"error":{"code":404,"message":"models/{model} is not found for API version v1main, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.","status":"NOT_FOUND"}}]`),
		},
		refuse: sayingIn(`[{"error":{"code":{status},"message":{message},"status":"INVALID_ARGUMENT"}}]`),
		strict: geminiStrict,
		callID: func(n int, _ string) string { return fmt.Sprintf("function-call-%019d", n) },
		answer: func(s *stream, t turn) {
			counts := object{"usage": t.usageFields()}
			for i, call := range t.calls {
				entry := call.wholeCall()
				if i == 0 {
					entry["extra_content"] = object{"google": object{"thought_signature": signText(call.id)}}
				}
				s.writeChoice(object{"role": "assistant", "tool_calls": []any{entry}}, "stop", counts)
			}
			if t.text != "" {
				for _, piece := range splitHalves(t.text) {
					s.writeChoice(object{"role": "assistant", "content": piece}, nil, counts)
				}
				s.writeFinish("stop", counts)
			}
			s.writeDone()
		},
	}
}

func geminiStrict(s *sent) []fault {
	var faults []fault
	for i, tool := range s.chat.Tools {
		var schema any
		// Check has found what cannot be read.
		_ = json.Unmarshal(tool.Function.Parameters, &schema)
		geminiSchema(schema, fmt.Sprintf("tools[0].function_declarations[%d].parameters", i), &faults)
	}
	s.findEchoes(func(i, call int, name string) {
		if call < 0 {
			faults = append(faults, newFault("Invalid JSON payload received. Unknown name \"%s\" at 'messages[%d]': Cannot find field.", name, i))
		}
	})
	for _, message := range s.messages {
		for i, raw := range fieldsOf(message["tool_calls"]) {
			var call struct {
				ID    string `json:"id"`
				Extra struct {
					Google struct {
						Signature string `json:"thought_signature"`
					} `json:"google"`
				} `json:"extra_content"`
			}
			text, err := json.Marshal(raw)
			if err != nil || json.Unmarshal(text, &call) != nil {
				continue // Check has found it
			}
			switch signature := call.Extra.Google.Signature; {
			case signature == "" && i == 0:
				faults = append(faults, newFault("Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance."))
			case signature != "" && signature != geminiSkip && signature != signText(call.ID):
				faults = append(faults, newFault("Thought signature is not valid."))
			}
		}
	}
	return faults
}

var geminiKeywords = []string{
	"type", "format", "title", "description", "nullable", "enum", "items", "properties", "required", "anyOf", "default",
	"example", "pattern", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength", "minProperties",
	"maxProperties", "propertyOrdering",
}

// geminiSchema finds the keywords that Gemini does not know.
func geminiSchema(value any, at string, faults *[]fault) {
	schema, ok := value.(object)
	if !ok {
		return
	}
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		value := schema[keyword]
		switch {
		case !slices.Contains(geminiKeywords, keyword):
			*faults = append(*faults, newFault("Invalid JSON payload received. Unknown name \"%s\" at '%s': Cannot find field.", keyword, at))
		case keyword == "type":
			if _, several := value.([]any); several {
				*faults = append(*faults, newFault("Invalid JSON payload received. Unknown name \"type\" at '%s': Proto field is not repeating, cannot start list.", at))
			}
		case keyword == "items":
			geminiSchema(value, at+".items", faults)
		case keyword == "properties":
			properties, _ := value.(object)
			for _, name := range slices.Sorted(maps.Keys(properties)) {
				geminiSchema(properties[name], at+".properties["+name+"]", faults)
			}
		case keyword == "anyOf":
			alternatives, _ := value.([]any)
			for i, alternative := range alternatives {
				geminiSchema(alternative, fmt.Sprintf("%s.any_of[%d]", at, i), faults)
			}
		}
	}
}
