package models_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/llm"
	"fairlead/backend/llm/catalog"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/models"
)

// drawn is a picture that is so many pixels wide.
func drawn(t *testing.T, name string, width int) message.Block {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, width, 1))); err != nil {
		t.Fatal(err)
	}
	return message.Block{Type: message.ImageBlock, Name: name, MediaType: "image/png", Data: file.Bytes()}
}

// conversation has pictures of the user's, of 1 and 2 pixels, and one of a result, of 3.
func conversation(t *testing.T) []message.Message {
	t.Helper()
	said := func(text string, blocks ...message.Block) message.Message {
		m := message.Message{Role: message.User, Parts: []message.Part{{Type: message.TextPart, Text: text}}}
		for _, block := range blocks {
			m.Parts = append(m.Parts, message.Part{Type: message.ImagePart, Block: &block})
		}
		return m
	}
	result := message.Result{Content: append(message.Text("PNG picture, 3 × 1 pixels"), drawn(t, "c.png", 3))}
	call := func(id string, of message.Result) message.Part {
		return message.Part{Type: message.ToolPart, Tool: &message.ToolUse{CallID: id, Name: "read_file", State: message.State{
			Status: message.Completed, Input: json.RawMessage("{}"), Output: &of,
		}}}
	}
	pruned := drawn(t, "old.png", 9)
	pruned.Pruned = true
	lost := drawn(t, "lost.png", 9).WithoutData()
	vector := message.Block{Type: message.ImageBlock, Name: "d.svg", MediaType: "image/svg+xml", Data: []byte("<svg/>")}
	return []message.Message{
		said("before", pruned, lost, vector), said("look", drawn(t, "a.png", 1), drawn(t, "b.png", 2)),
		{Role: message.Assistant, Parts: []message.Part{call("one", result), call("two", message.Result{Content: message.Text("a text")})}},
		said("and now?"),
	}
}

// ask asks the model at a server about the conversation, over a protocol.
func ask(t *testing.T, m opened, server, protocol string) (models.Opened, []message.Weakened, error) {
	t.Helper()
	endpoint, err := own(t, "[providers.lab]\nbase_url = '"+server+"/v1'\nprotocol = '"+protocol+"'\n").Choose(catalog.Choice{Provider: "lab", Model: "m"}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	model, err := m.Open(endpoint, false)
	if err != nil {
		t.Fatal(err)
	}
	weakened, err := stream(t, model)
	return model, weakened, err
}

func stream(t *testing.T, model models.Opened) (weakened []message.Weakened, err error) {
	t.Helper()
	_, err = model.Stream(t.Context(), llm.Request{Messages: conversation(t)}, func(d llm.Delta) {
		if d.Kind == llm.RequestWeakened && d.Weakened.What == message.WeakPictures {
			weakened = append(weakened, d.Weakened)
		}
	})
	return weakened, err
}

// widths are those of the pictures that a server was sent with a request.
func widths(t *testing.T, request llmtest.Request) string {
	t.Helper()
	all := ""
	for _, picture := range request.Pictures() {
		config, err := png.DecodeConfig(bytes.NewReader(picture.Data))
		if err != nil {
			t.Fatal(err)
		}
		all += strconv.Itoa(config.Width) + " "
	}
	return strings.TrimSpace(all)
}

var protocols = []string{"chat", "responses", "messages"}

func TestDOC02_PicturesReachEveryProtocol(t *testing.T) {
	for _, protocol := range protocols {
		t.Run(protocol, func(t *testing.T) {
			m, _ := open(t)
			script := llmtest.Script("text white\n---\ntext seen\n---\ntext seen again\n---\ntext seen by another")
			server := httptest.NewServer(script)
			defer server.Close()
			model, weakened, err := ask(t, m, server.URL, protocol)
			if err != nil || len(weakened) > 0 {
				t.Fatalf("weakened %v: %v, %q", weakened, err, script.Faults())
			}
			if _, err := stream(t, model); err != nil {
				t.Fatal(err)
			}
			if sees, err := model.Sees(t.Context()); err != nil || !sees {
				t.Errorf("sees %t, %v", sees, err)
			}
			if _, _, err := ask(t, m, server.URL, protocol); err != nil { // which knows what the other was told
				t.Fatal(err)
			}
			var got []string
			for _, request := range script.Requests() {
				got = append(got, widths(t, request))
			}
			if diff := cmp.Diff([]string{"1", "1 2 3", "1 2 3", "1 2 3"}, got); diff != "" {
				t.Error(diff)
			}
			sent := script.Requests()[1:]
			if !bytes.Equal(sent[0].Body, sent[1].Body) {
				t.Error("the same history was written in two ways")
			}
			for _, mark := range []string{"[image: old.png, shown before]", "[image: lost.png, image/png, ", "[image: d.svg, ", "[image: c.png, "} {
				if !bytes.Contains(sent[0].Body, []byte(mark)) {
					t.Errorf("no %s in %s", mark, sent[0].Body)
				}
			}
		})
	}
}

func TestDOC02_AModelThatDoesNotSeeIsSentNoPicture(t *testing.T) {
	for name, refusal := range map[string]string{
		"OpenAI":     `400 {"error":{"message":"Invalid content type. image_url is only supported by certain models.","type":"invalid_request_error"}}`,
		"DeepSeek":   "422 Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 9",
		"llama.cpp":  `500 {"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`,
		"OpenRouter": `404 {"error":{"message":"No endpoints found that support image input","code":404}}`,
		"Groq":       `400 {"error":{"message":"'messages.1' : for 'role:user' the following must be satisfied[('messages.1.content' : value must be a string)]","type":"invalid_request_error"}}`,
		"vLLM":       `400 {"object":"error","message":"m is not a multimodal model None","type":"BadRequestError","param":null,"code":400}`,
	} {
		for _, protocol := range protocols {
			t.Run(name+" over "+protocol, func(t *testing.T) {
				m, _ := open(t)
				script := llmtest.Script("when iVBORw0KGgo\nstatus " + refusal + "\n---\ntext I read names.\n---\ntext Again.")
				server := httptest.NewServer(script)
				defer server.Close()
				_, weakened, err := ask(t, m, server.URL, protocol)
				want := []message.Weakened{{What: message.WeakPictures, Sent: "0"}}
				if diff := cmp.Diff(want, weakened); err != nil || diff != "" {
					t.Fatalf("%v %s", err, diff)
				}
				model, _, err := ask(t, m, server.URL, protocol)
				if err != nil {
					t.Fatal(err)
				}
				if sees, err := model.Sees(t.Context()); sees || err != nil {
					t.Errorf("sees %t, %v", sees, err)
				}
				requests := script.Requests()
				if len(requests) != 3 || widths(t, requests[0]) != "1" || widths(t, requests[1])+widths(t, requests[2]) != "" {
					t.Errorf("%d requests, the last with pictures %q", len(requests), widths(t, requests[len(requests)-1]))
				}
				if !bytes.Contains(requests[1].Body, []byte("[image: b.png, image/png, ")) {
					t.Errorf("it is not told of what it cannot have: %s", requests[1].Body)
				}
			})
		}
	}
}

func TestDOC02_AModelIsAskedWithALargerPictureIfOnePixelIsTooSmall(t *testing.T) {
	m, _ := open(t)
	tiny := "The image length and width do not meet the model restrictions. [height:1 or width:1 must be larger than 10]"
	script := llmtest.Script("when SUhEUgAAAAEAAAABAQ\nstatus 400 {\"error\":{\"message\":\"" + tiny + "\"}}\n---\ntext white\n---\ntext seen")
	server := httptest.NewServer(script)
	defer server.Close()
	if _, weakened, err := ask(t, m, server.URL, "chat"); err != nil || len(weakened) > 0 {
		t.Errorf("%v, %v", weakened, err)
	}
	requests := script.Requests()
	if len(requests) != 3 || widths(t, requests[0]) != "1" || widths(t, requests[1]) != "64" {
		t.Errorf("%d requests", len(requests))
	}
}

func TestDOC02_NoMorePicturesThanAModelTakes(t *testing.T) {
	for most, refusal := range map[string]string{
		"2": "At most 2 image(s) may be provided in one request.",
		"1": "Too many images provided. This model supports up to 1 images",
	} {
		m, _ := open(t)
		script := llmtest.Script("text white\n---\nstatus 400 {\"error\":{\"message\":\"" + refusal + "\"}}\n---\ntext seen\n---\ntext again")
		server := httptest.NewServer(script)
		defer server.Close()
		model, weakened, err := ask(t, m, server.URL, "chat")
		if diff := cmp.Diff([]message.Weakened{{What: message.WeakPictures, Sent: most}}, weakened); err != nil || diff != "" {
			t.Fatalf("%v %s", err, diff)
		}
		if _, err := stream(t, model); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{"1": "3", "2": "2 3"}[most]
		for _, request := range script.Requests()[2:] {
			if got := widths(t, request); got != want {
				t.Errorf("at most %s: sent %q, want %q", most, got, want)
			}
		}
	}
}

// What says nothing about pictures is not taken for an answer.
func TestDOC02_AFaultIsNoAnswer(t *testing.T) {
	for _, refusal := range []string{
		`401 {"error":{"message":"Incorrect API key: image"}}`, `429 {"error":{"message":"Too many requests with an image"}}`,
		`500 {"error":{"message":"internal error"}}`, `400 {"error":{"message":"the model is not there"}}`,
	} {
		m, _ := open(t)
		server := httptest.NewServer(llmtest.Script("status " + refusal + "\n---\ntext white\n---\ntext seen"))
		defer server.Close()
		model, _, err := ask(t, m, server.URL, "chat")
		if _, ok := errors.AsType[*llm.Error](err); !ok {
			t.Errorf("%s: %v", refusal, err)
		}
		if weakened, err := stream(t, model); err != nil || len(weakened) > 0 {
			t.Errorf("after %s: %v, %v", refusal, weakened, err)
		}
	}
}
