package protocol

import (
	"strings"
	"testing"

	"fairlead/backend/llm"
)

// sortContent feeds a content in pieces of size bytes, all at once where that is 0.
func sortContent(whole string, dialect llm.Dialect, size int) (text, reasoning, held string) {
	c := newContent(dialect, true)
	for whole != "" {
		n := len(whole)
		if size > 0 {
			n = min(size, n)
		}
		news := c.add(whole[:n])
		if news.recalled {
			text, reasoning = "", reasoning+text
		}
		text, reasoning, whole = text+news.text, reasoning+news.reasoning, whole[n:]
	}
	said, thought := c.releaseRest()
	return text + said, reasoning + thought, c.calls.String()
}

func TestMSG06_ReasoningInTags(t *testing.T) {
	for in, want := range map[string][2]string{
		"":                                    {"", ""},
		"Hello":                               {"Hello", ""},
		"\n\n Hello\n":                        {"\n\n Hello\n", ""},
		" \n":                                 {" \n", ""},
		"<think>why</think>Because.":          {"Because.", "why"},
		"\n<think>\nwhy\n</think>\n\nBecause": {"Because", "\nwhy\n"},
		"<think></think>\n\nBecause":          {"Because", ""},
		"<thinking>a</think>b</thinking>c":    {"c", "a</think>b"},
		"<thought>a</thought>":                {"", "a"},
		"<think>a < b </ c</think>d":          {"d", "a < b </ c"},
		"<think>cut off</thi":                 {"", "cut off</thi"},
		"<th":                                 {"<th", ""},
		"<thinker>":                           {"<thinker>", ""},
		"Use <think>x</think>.":               {"Use <think>x</think>.", ""},
		"<think>a</think>b<think>c</think>":   {"b<think>c</think>", "a"},
		"<think>想</think>好":                   {"好", "想"},
	} {
		for _, size := range []int{0, 1, 2, 3, 5} {
			text, reasoning, held := sortContent(in, llm.Dialect{}, size)
			if text != want[0] || reasoning != want[1] || held != "" {
				t.Errorf("%q in pieces of %d: text %q, reasoning %q, held %q", in, size, text, reasoning, held)
			}
		}
	}
}

func TestMSG08_TextIsHeldBackFromACall(t *testing.T) {
	for in, want := range map[string][3]string{
		"Plain < text": {"Plain < text", "", ""},
		"I look. <tool_call>{}</tool_call> Done.":   {"I look. ", "", "<tool_call>{}</tool_call> Done."},
		"<think>a <tool_call></think>b <tool_call>": {"b ", "a <tool_call>", "<tool_call>"},
		"b <tool_cal": {"b <tool_cal", "", ""},
	} {
		for _, size := range []int{0, 1, 2, 3, 5} {
			text, reasoning, held := sortContent(in, llm.Dialect{WrittenCalls: true}, size)
			if text != want[0] || reasoning != want[1] || held != want[2] {
				t.Errorf("%q in pieces of %d: text %q, reasoning %q, held %q", in, size, text, reasoning, held)
			}
		}
	}
}

// TestMSG06_ContentComesAtOnce sees that nothing is held back that can be told.
func TestMSG06_ContentComesAtOnce(t *testing.T) {
	c := content{}
	for _, step := range []struct{ in, text, reasoning string }{
		{"<", "", ""}, {"think>wh", "", "wh"}, {"y?</t", "", "y?"}, {"ime</think", "", "</time"}, {">\n", "", ""}, {"Be", "Be", ""}, {"cause <", "cause <", ""},
	} {
		if news := c.add(step.in); news.text != step.text || news.reasoning != step.reasoning {
			t.Errorf("%q: %+v", step.in, news)
		}
	}
}

func FuzzContent(f *testing.F) {
	f.Add("<think>why</think>Because <tool_call>", uint8(3))
	f.Add(" \n<thought>x", uint8(1))
	f.Fuzz(func(t *testing.T, in string, size uint8) {
		for _, written := range []bool{false, true} {
			text, reasoning, held := sortContent(in, llm.Dialect{WrittenCalls: written}, 0)
			piecewise, thought, kept := sortContent(in, llm.Dialect{WrittenCalls: written}, int(size))
			if text != piecewise || reasoning != thought || held != kept {
				t.Fatalf("pieces of %d: %q %q %q, whole: %q %q %q", size, piecewise, thought, kept, text, reasoning, held)
			}
			left := in
			for _, part := range []string{reasoning, text, held} {
				at := strings.Index(left, part)
				if at < 0 {
					t.Fatalf("%q of %q is made up or out of order", part, in)
				}
				left = left[at+len(part):]
			}
		}
	})
}
