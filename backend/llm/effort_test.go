package llm_test

import (
	"slices"
	"testing"

	"fairlead/backend/llm"
)

func TestMOD05_TheNearestEffortIsTaken(t *testing.T) {
	gpt5 := llm.EffortSet(llm.EffortMinimal, llm.EffortLow, llm.EffortMedium, llm.EffortHigh)
	always := llm.EffortSet(llm.EffortLow, llm.EffortHigh, llm.EffortMax)
	for _, test := range []struct {
		set          llm.Efforts
		wanted, want llm.Effort
	}{
		{gpt5, llm.EffortOff, llm.EffortMinimal},
		{gpt5, llm.EffortMax, llm.EffortHigh},
		{gpt5, llm.EffortLow, llm.EffortLow},
		{always, llm.EffortOff, llm.EffortLow},
		{always, llm.EffortMedium, llm.EffortLow},
		{always, llm.EffortXHigh, llm.EffortHigh},
		{llm.EffortSet(llm.EffortMax), llm.EffortOff, llm.EffortMax},
		{0, llm.EffortXHigh, llm.EffortXHigh},
		{gpt5, "", ""},
	} {
		if got := test.set.Nearest(test.wanted); got != test.want {
			t.Errorf("nearest to %q in %v: %q, want %q", test.wanted, test.set.List(), got, test.want)
		}
	}
	if got := always.List(); !slices.Equal(got, []llm.Effort{llm.EffortLow, llm.EffortHigh, llm.EffortMax}) {
		t.Errorf("listed: %v", got)
	}
}
