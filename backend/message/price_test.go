package message_test

import (
	"math"
	"testing"

	"fairlead/backend/message"
)

func TestCostCountsCachedTokensOnce(t *testing.T) {
	price := message.Price{Prompt: 3, Completion: 15, Cached: 0.3}
	for _, test := range []struct {
		usage message.Usage
		want  float64
	}{
		{message.Usage{}, 0},
		{message.Usage{Prompt: 1_000_000}, 3},
		{message.Usage{Completion: 200_000, Reasoning: 150_000}, 3},
		{message.Usage{Prompt: 1_000_000, Cached: 900_000}, 0.57},
		{message.Usage{Prompt: 1_000_000, Cached: 2_000_000}, 0.3},
		{message.Usage{Prompt: 1_000_000, Cached: -1}, 3},
	} {
		if got := price.Cost(test.usage); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%+v costs %v, want %v", test.usage, got, test.want)
		}
	}
}
