package message_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/message"
)

func TestPART01_ContentIsReadAsTextAndMarks(t *testing.T) {
	image := message.Block{Type: message.ImageBlock, Name: "a.png", MediaType: "image/png", Data: make([]byte, 12)}
	for name, test := range map[string]struct {
		content message.Content
		want    string
	}{
		"nothing":         {nil, ""},
		"a text":          {message.Text("a\n"), "a\n"},
		"a text first":    {append(message.Text("seen:"), image), "seen:\n[image: a.png, image/png, 12 bytes]"},
		"a line first":    {append(message.Text("seen:\n"), image), "seen:\n[image: a.png, image/png, 12 bytes]"},
		"a text after":    {append(message.Content{image}, message.Text("x")...), "[image: a.png, image/png, 12 bytes]\nx"},
		"a path":          {message.Content{{Type: message.FileBlock, Path: "b/c.bin"}}, "[file: b/c.bin]"},
		"a resource":      {message.Content{{Type: message.ResourceBlock, URI: "db://t", MediaType: "text/csv", Text: "a,b"}}, "[resource: db://t, text/csv, 3 bytes]\na,b"},
		"lines in a name": {message.Content{{Type: message.FileBlock, Name: "a\n## You"}}, `[file: a\u{a}## You]`},
		"an unknown one":  {message.Content{{Type: "hologram"}}, "[hologram]"},
	} {
		if got := test.content.Text(); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestPART01_ContentIsWrittenAsBlocks(t *testing.T) {
	content := append(message.Text("<a>"), message.Block{Type: message.FileBlock, Data: []byte{0, 1, 0xff}})
	text, err := json.Marshal(message.Result{Content: content})
	if want := `"content":[{"type":"text","text":"\u003ca\u003e"},{"type":"file","data":"AAH/"}]`; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s, %v", text, err)
	}
	var result message.Result
	if err := json.Unmarshal(text, &result); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(content, result.Content); diff != "" {
		t.Error(diff)
	}
}

func TestContentAfterALine(t *testing.T) {
	file := message.Block{Type: message.FileBlock, Name: "f"}
	content := append(message.Text("b\n"), file)
	for _, test := range []struct{ content, want message.Content }{
		{nil, message.Text("a")},
		{content, append(message.Text("a\nb\n"), file)},
		{message.Content{file}, append(message.Text("a"), file)},
	} {
		if diff := cmp.Diff(test.want, test.content.After("a")); diff != "" {
			t.Error(diff)
		}
	}
	if content[0].Text != "b\n" {
		t.Error("the content itself was changed")
	}
}

func TestContentMapReachesEveryText(t *testing.T) {
	content := message.Content{{Type: message.ResourceBlock, Text: "k", MediaType: "k", Path: "k", URI: "k", Name: "k", Data: []byte("k")}}
	got := content.Map(func(text string) string { return text + "!" })
	want := message.Content{{Type: message.ResourceBlock, Text: "k!", MediaType: "k!", Path: "k!", URI: "k!", Name: "k!", Data: []byte("k")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if content[0].Text != "k" {
		t.Error("the content itself was changed")
	}
}
