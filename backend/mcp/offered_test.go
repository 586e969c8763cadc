package mcp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

func TestEXT01_ServersOfAFileAreReadEachForItself(t *testing.T) {
	text := `{"$schema": "x", "mcp": {
		"files": {"type": "local", "command": ["npx", "files@1"], "environment": {"KEY": "sk-secret"}, "alwaysAllow": ["*"]}, // run
		"web": {"type": "remote", "url": "https://example.org/<mcp>", "headers": {"Authorization": "Bearer sk-secret"}},
		"box": {"command": "docker", "args": ["run", "x"]},
		"odd": "x", "none": {}, "a\u202eb": {"command": "x` + "\u200b" + `"}}}`
	offers, more, err := Offers(text)
	if err != nil || more {
		t.Fatal(more, err)
	}
	var got []string
	for _, one := range offers {
		reason := ""
		if one.Refused != nil {
			reason = one.Refused.Error()
		}
		got = append(got, fmt.Sprintf("%s: %s (%.44s)", message.Inline(one.Name), one.Definition.String(), reason))
		if strings.Contains(one.Text(), "sk-secret") || one.Refused == nil && strings.ContainsAny(one.Written, "\n\t") {
			t.Errorf("%s has %s", one.Written, one.Text())
		}
		again, err := Parse(one.Text(), "")
		if one.Refused == nil && (err != nil || len(again) != 1 || !cmp.Equal(one.Definition, again[0].Definition)) {
			t.Errorf("%s is read again as %+v, %v", one.Text(), again, err)
		}
	}
	want := []string{
		`a\u{202e}b: 'x\u{200b}' ()`, `box: docker run x (the server box cannot be used: docker has it)`, "files: npx files@1 ()",
		`none:  (the server "none" cannot be used: it has nei)`, `odd:  (the server "odd" cannot be used: it has neit)`,
		"web: https://example.org/<mcp> ()",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	wantText := "{\n  \"files\": {\n    \"alwaysAllow\": [\n      \"*\"\n    ],\n    \"command\": [\n      \"npx\",\n      \"files@1\"\n    ],\n    \"environment\": {\n      \"KEY\": \"\"\n    },\n    \"type\": \"local\"\n  }\n}\n"
	if text := offers[2].Text(); text != wantText {
		t.Error(text)
	}
	if text := offers[0].Text(); !strings.Contains(text, "x\u200b") {
		t.Errorf("hidden characters are not left as they are: %q", text)
	}
}

func TestEXT01_FilesThatOfferNothing(t *testing.T) {
	many := `{"mcpServers":{`
	for i := range 60 {
		many += fmt.Sprintf(`"s%02d":{"command":"x"},`, i)
	}
	for text, want := range map[string]string{
		``: "it is no JSON", `[]`: "it is no JSON", `{"mcpServers":`: "it is no JSON", `{}`: "0 false", `{"a":1}`: "it names no server",
		`{"command":"x"}`: "it names no server", strings.Repeat(" ", MaxOffered+1): "it is longer than 1024 KiB", "\xff": "no UTF-8",
		`{"mcpServers":{}}`: "0 false", `{"mcp":{"servers":{}}}`: "0 false", `{"a":{"url":"https://example.org"}}`: "1 false", many + "}}": "50 true",
	} {
		offers, more, err := Offers(text)
		if got := fmt.Sprint(len(offers), " ", more, " ", err); !strings.Contains(got, want) {
			t.Errorf("%.40q: %s, want %s", text, got, want)
		}
	}
}

func FuzzOffers(f *testing.F) {
	for _, text := range []string{
		`{"mcpServers":{"a":{"command":"npx","args":["-y","p"],"env":{"K":"canary"}},"b":1}}`, `{"a":{"url":"https://x.org","headers":{"A":"canary"}}}`,
		`{"mcp":{"servers":{"\ud800":{"command":["x"],"environment":{"canary":"canary","canary":1}}}}}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		offers, _, err := Offers(text)
		if err != nil {
			return
		}
		for _, one := range offers {
			again, err := Parse(one.Text(), "")
			if one.Refused == nil && len(one.Written) < maxPasted/8 && (err != nil || len(again) != 1 || !cmp.Equal(one.Definition, again[0].Definition)) {
				t.Errorf("%q is shown as %q and read again as %+v, %v", one.Written, one.Text(), again, err)
			}
		}
	})
}
