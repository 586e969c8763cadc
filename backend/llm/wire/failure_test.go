package wire

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead/backend/llm"
)

func TestRET01_Classes(t *testing.T) {
	for _, test := range []struct {
		name    string
		status  int
		body    string
		class   llm.Class
		code    string
		message string
	}{
		{"object", 429, `{"error":{"message":"slow","type":"tokens","code":"rate_limit_exceeded"}}`, llm.RateLimited, "rate_limit_exceeded", "slow"},
		{"array", 429, `[{"error":{"code":429,"message":"You exceeded your current quota","status":"RESOURCE_EXHAUSTED"}}]`, llm.RateLimited, "RESOURCE_EXHAUSTED", "You exceeded your current quota"},
		{"array per day", 429, `[{"error":{"code":429,"message":"m","details":[{"quotaId":"RequestsPerDayPerProject"}]}}]`, llm.Quota, "", "m"},
		{"string", 400, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 10"}`, llm.ContextOverflow, "Client specified an invalid argument", "This model's maximum prompt length is 10"},
		{"a gateway without the model", 503, `{"error":{"message":"no channel for m","code":"model_not_found"}}`, llm.ModelNotFound, "model_not_found", "no channel for m"},
		{"a failure that quotes", 500, `{"error":{"message":"invalid_model was asked for"}}`, llm.Server, "", "invalid_model was asked for"},
		{"detail", 401, `{"detail":"Invalid API Key"}`, llm.Auth, "", "Invalid API Key"},
		{"flat", 400, `{"object":"error","message":"This model's maximum context length is 5","type":"BadRequestError","code":400}`, llm.ContextOverflow, "BadRequestError", "This model's maximum context length is 5"},
		{"base_resp", 200, `{"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, llm.Quota, "1008", "insufficient balance"},
		{"web page", 502, `<html><head><title> Bad &amp; Gateway</title></head></html>`, llm.Server, "", "Bad & Gateway"},
		{"web page, no title", 502, `<p>`, llm.Server, "", "the server answered with a web page"},
		{"text", 504, `upstream request timeout`, llm.Server, "", "upstream request timeout"},
		{"empty", 500, ``, llm.Server, "", "the provider answered 500 Internal Server Error"},
		{"empty 413", 413, ``, llm.ContextOverflow, "", "the provider answered 413 Request Entity Too Large"},
		{"code only", 429, `{"error":{"code":"1113"}}`, llm.Quota, "1113", "the provider reports 1113"},
		{"402", 402, `{"error":{"message":"m","code":402}}`, llm.Quota, "", "m"},
		{"403", 403, `{"error":{"message":"m"}}`, llm.Auth, "", "m"},
		{"403 of a firewall", 403, `<html>`, llm.BadRequest, "", "the server answered with a web page"},
		{"404", 404, `{"error":{"message":"m"}}`, llm.ModelNotFound, "", "m"},
		{"400", 400, `{"error":{"message":"m"}}`, llm.BadRequest, "", "m"},
		{"422", 422, `{"detail":[{"msg":"m"}]}`, llm.BadRequest, "", `[{"msg":"m"}]`},
		{"408", 408, `m`, llm.Server, "", "m"},
		{"409", 409, `m`, llm.Server, "", "m"},
		{"425", 425, `m`, llm.Server, "", "m"},
		{"503", 503, `m`, llm.Overloaded, "", "m"},
		{"498", 498, `m`, llm.Overloaded, "", "m"},
		{"529", 529, `m`, llm.Overloaded, "", "m"},
		{"throttling is no quota", 429, `{"code":"Throttling.RateQuota","message":"insufficient_quota"}`, llm.RateLimited, "Throttling.RateQuota", "insufficient_quota"},
		{"filter", 400, `{"error":{"code":"content_filter","message":"m"}}`, llm.Filtered, "content_filter", "m"},
		{"refused call", 400, `{"error":{"code":"tool_use_failed","message":"m"}}`, llm.Malformed, "tool_use_failed", "m"},
		{"Gemini's key", 400, `[{"error":{"message":"m","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}]`, llm.Auth, "INVALID_ARGUMENT", "m"},
		{"status in the stream", 0, `{"error":{"code":502,"message":"m"}}`, llm.Server, "", "m"},
		{"bad request in the stream", 0, `{"error":{"code":400,"message":"m"}}`, llm.BadRequest, "", "m"},
		{"status_code in the stream", 0, `{"error":{"message":"m","status_code":422}}`, llm.BadRequest, "", "m"},
		{"unknown in the stream", 0, `{"error":{"message":"m"}}`, llm.Server, "", "m"},
		{"500 about keys", 500, `{"error":{"message":"authentication service failed"}}`, llm.Server, "", "authentication service failed"},
		{"502 about keys", 502, `upstream authentication timed out`, llm.Server, "", "upstream authentication timed out"},
		{"503 about money", 503, `spending limit service unavailable`, llm.Overloaded, "", "spending limit service unavailable"},
		{"502 in the stream about keys", 0, `{"error":{"code":502,"message":"authentication"}}`, llm.Server, "", "authentication"},
		{"500 that is busy", 500, `{"error":{"message":"overloaded"}}`, llm.Overloaded, "", "overloaded"},
		{"busy in the stream", 0, `{"error":{"message":"overloaded"}}`, llm.Overloaded, "", "overloaded"},
		{"400 quoting", 400, `{"error":{"message":"bad text: the server is busy"}}`, llm.BadRequest, "", "bad text: the server is busy"},
		{"400 quoting in detail", 400, `{"detail":"bad text: throttling"}`, llm.BadRequest, "", "bad text: throttling"},
		{"422 quoting", 422, `{"detail":"overloaded"}`, llm.BadRequest, "", "overloaded"},
		{"403 quoting", 403, `{"error":{"message":"overloaded"}}`, llm.Auth, "", "overloaded"},
		{"400 quoting in the stream", 0, `{"error":{"code":400,"message":"overloaded"}}`, llm.BadRequest, "", "overloaded"},
		{"no reply", 200, `{"object":"list","data":[]}`, llm.Malformed, "", "the server answered with something that is no reply"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := new(Transport).newFailure(test.status, nil, []byte(test.body))
			if got.Class != test.class || got.Code != test.code || got.Message != test.message {
				t.Errorf("class %s code %q message %q", got.FailCode(), got.Code, got.Message)
			}
		})
	}
}

func TestFailureIsCutAndRedacted(t *testing.T) {
	transport := &Transport{Redact: func(text []byte) []byte {
		return bytes.ReplaceAll(text, []byte("sk-secret"), []byte("***"))
	}}
	got := transport.newFailure(401, nil, []byte(`{"error":{"message":"wrong key sk-secret `+strings.Repeat("é", 5000)+`"}}`))
	if strings.Contains(got.Error(), "sk-secret") || !strings.Contains(got.Message, "wrong key ***") {
		t.Errorf("SEC-05: %.40s", got.Message)
	}
	if len(got.Message) > maxMessage+len("…") || !strings.HasSuffix(got.Message, "é…") {
		t.Errorf("message of %d bytes ends %q", len(got.Message), got.Message[len(got.Message)-8:])
	}
}

// This computer's clock can be wrong by hours: what counts is that of the answer.
func TestRET02_AMomentIsReadAgainstTheClockOfTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, skew := range map[string]time.Duration{"ahead": 3 * time.Hour, "behind": -3 * time.Hour} {
			there := time.Now().Add(skew)
			at := there.Add(90 * time.Second)
			for field, value := range map[string]string{
				"Retry-After": at.UTC().Format(http.TimeFormat), "X-Ratelimit-Reset": strconv.FormatInt(at.UnixMilli(), 10),
			} {
				header := http.Header{"Date": {there.UTC().Format(http.TimeFormat)}}
				header.Set(field, value)
				if got := wait(header, nil); got != 90*time.Second {
					t.Errorf("%s, a clock that is %s: %v", field, name, got)
				}
			}
		}
	})
}

func TestRET02_Wait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		date := time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat)
		for _, test := range []struct {
			name, millis, after, body string
			want                      time.Duration
		}{
			{"none", "", "", "", 0},
			{"seconds", "", "3", "", 3 * time.Second},
			{"float", "", "1.5", "", 1500 * time.Millisecond},
			{"milliseconds first", "250", "3", "", 250 * time.Millisecond},
			{"zero is absent", "0", "1", "", time.Second},
			{"negative is absent", "-5", "-1", "", 0},
			{"date", "", date, "", 90 * time.Second},
			{"past date", "", "Sun, 06 Nov 1994 08:49:37 GMT", "", 0},
			{"nonsense", "soon", "NaN", "", 0},
			{"very far", "", "1e300", "", 1<<63 - 1},
			{"Gemini", "", "", `"retryDelay": "12s"`, 12 * time.Second},
			{"sentence", "", "", "Please retry in 12.5s.", 12500 * time.Millisecond},
			{"long sentence", "", "", "Please try again in 1m2.5s. Visit", 62500 * time.Millisecond},
			{"header before text", "", "2", "try again in 9s", 2 * time.Second},
		} {
			header := http.Header{}
			header.Set("Retry-After-Ms", test.millis)
			header.Set("Retry-After", test.after)
			if got := wait(header, []byte(test.body)); got != test.want {
				t.Errorf("%s: %v, want %v", test.name, got, test.want)
			}
		}
	})
}
