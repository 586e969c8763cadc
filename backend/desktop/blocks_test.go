package desktop_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairlead/backend/desktop"
	"fairlead/backend/event"
	"fairlead/backend/message"
	"fairlead/backend/store"
)

// saveBlocks saves a run whose task came with an image and whose call returned a text, a
// page and a resource.
func saveBlocks(t *testing.T, folder, image string) {
	t.Helper()
	s, _, err := store.Open(t.Context(), store.Options{Folder: folder, Redact: func(text []byte) []byte { return text }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	saved := store.Session{ID: "s1", Workspace: "/work", Title: "Look"}
	stream := event.NewKeptStream("r1", "s1", s.Record(t.Context(), saved), func(err *event.NotKeptError) { t.Error(err) })
	part := func(id string, kind message.PartType) message.Part {
		return message.Part{ID: id, SessionID: "s1", MessageID: "m" + id, Type: kind}
	}
	given := message.Block{Type: message.ImageBlock, Name: "a.png", MediaType: "image/png", Data: []byte(image)}
	shown := part("p1", message.ImagePart)
	shown.Block = &given
	stream.AddMessage(message.Message{ID: "mp1", SessionID: "s1", RunID: "r1", Role: message.User, CreatedAt: time.Now(), Parts: []message.Part{shown}})
	stream.Publish(event.LifecycleStart{Prompt: "look", Blocks: event.BlocksOf(message.Content{given})})
	use := message.NewToolUse(message.Call{ID: "c1", Name: "look"})
	call := part("p2", message.ToolPart)
	call.Tool = use
	stream.AddMessage(message.Message{ID: "mp2", SessionID: "s1", RunID: "r1", Role: message.Assistant, CreatedAt: time.Now(), Parts: []message.Part{call}})
	result := message.Result{Content: message.Content{
		{Type: message.TextBlock, Text: "seen"},
		{Type: message.FileBlock, Path: "p.html", MediaType: "text/html", Data: []byte("<script>alert(1)</script>")},
		{Type: message.ResourceBlock, URI: "db://t", MediaType: "text/csv", Text: strings.Repeat("a,b\n", 4000)},
	}}
	if err := use.Start(use.State.Input, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := use.Finish(result); err != nil {
		t.Fatal(err)
	}
	stream.SetPart(call)
	stream.Publish(event.ResultOf("c1", result))
	stream.Publish(event.LifecycleEnd{Reason: message.ReasonCompleted})
}

func TestEV06_BlocksAreReadByReference(t *testing.T) {
	s := open(t, "hang", nil)
	image := strings.Repeat("\x89PNG\r\n\x00", 20_000)
	saveBlocks(t, s.folders.Data, image)
	var all []envelope
	s.read("/fairlead/runs/r1/events?after=0", &all)
	blocks := map[string]event.Block{}
	for _, e := range all {
		if len(e.Data) > 8192 {
			t.Errorf("%s has %d bytes", e.Type, len(e.Data))
		}
		var data struct{ Blocks []event.Block }
		if err := json.Unmarshal(e.Data, &data); err != nil {
			t.Fatal(err)
		}
		for _, b := range data.Blocks {
			if b.Data != nil || b.Text != "" || b.Sum != "" {
				t.Errorf("the page is sent the bytes of %+v", b)
			}
			blocks[b.Name+b.Path+b.URI] = b
		}
	}
	for _, test := range []struct {
		name, kind, want string
	}{
		{"a.png", "image/png", image},
		{"p.html", "application/octet-stream", "<script>alert(1)</script>"},
		{"db://t", "application/octet-stream", strings.Repeat("a,b\n", 4000)},
	} {
		b := blocks[test.name]
		answer := s.get(b.Ref)
		if answer.Code != http.StatusOK || answer.Body.String() != test.want || b.Size != len(test.want) {
			t.Errorf("%+v: %d, %d bytes", b, answer.Code, answer.Body.Len())
		}
		if kind := answer.Header().Get("Content-Type"); kind != test.kind {
			t.Errorf("%s is sent as %s", test.name, kind)
		}
		var whole envelope
		s.read(strings.SplitAfter(b.Ref, "/events/")[0]+strings.Split(strings.Split(b.Ref, "/events/")[1], "/")[0], &whole)
		if strings.Contains(string(whole.Data), `"data"`) || !strings.Contains(string(whole.Data), b.Ref) {
			t.Errorf("the whole event has the bytes: %.300s", whole.Data)
		}
	}
	for path, want := range map[string]desktop.Code{
		"/fairlead/runs/r1/events/1/blocks/2":  desktop.Code(message.NotFound),
		"/fairlead/runs/r1/events/1/blocks/x":  desktop.Code(message.InvalidParams),
		"/fairlead/runs/r1/events/99/blocks/1": desktop.Code(message.NotFound),
	} {
		var fault desktop.Fault
		answer := s.get(path)
		if err := json.Unmarshal(answer.Body.Bytes(), &fault); err != nil || fault.Code != want || answer.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
	}
}
