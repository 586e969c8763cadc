//go:build !race

package protocol

import (
	"strings"
	"testing"
	"time"
)

// TestMSG08_TimeGrowsWithTheText reads a megabyte of what a model that has gone wrong
// repeats. With time growing by the square, each would take minutes.
func TestMSG08_TimeGrowsWithTheText(t *testing.T) {
	for _, unit := range []string{
		"<tool_call>", "[TOOL_CALLS]", "```", "```{\"\":\"", "{", "<tool_call>{\"", "<tool_call>{\"a\":\"", "<tool_call>{'name':'list'}",
		"<arg_key>k</arg_key><arg_value><tool_call>a<arg_key>k</arg_key><arg_value>v</arg_value>",
		"<function=read>{", "</parameter><function=read><parameter=a>", "[TOOL_CALLS]read[ARGS]{\"", "x<tool_call>{\"name\":\"list\"}</tool_call>",
	} {
		begin := time.Now()
		writtenCalls("<tool_call>"+strings.Repeat(unit, 1<<20/len(unit))+"\"}</tool_call></function>", onOffer)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q repeated: %v", unit, took)
		}
	}
}
