package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// picture saves a run in which the user gives an image and a file, and a call returns a
// text, an image and a resource. It returns its history and events, whole.
func picture(t *testing.T, s *Store, session Session, runID string, data []byte) ([]message.Message, []event.Event) {
	t.Helper()
	stream := event.NewKeptStream(runID, session.ID, s.Record(t.Context(), session), func(err *event.NotKeptError) { t.Error(err) })
	at := time.UnixMilli(1_700_000_000_000).UTC()
	image := message.Block{Type: message.ImageBlock, Name: "a.png", MediaType: "image/png", Data: data}
	file := message.Block{Type: message.FileBlock, Path: "b/c.bin", Data: append([]byte{0}, data...)}
	returned := message.Content{
		{Type: message.TextBlock, Text: "seen"},
		{Type: message.ImageBlock, MediaType: "image/webp", Data: append([]byte{1}, data...)},
		{Type: message.ResourceBlock, URI: "db://t", MediaType: "text/csv", Text: "a,b"},
		image,
		{Type: "hologram", Name: "of a version to come", Data: []byte{2}},
	}
	part := func(m, id string, kind message.PartType) message.Part {
		return message.Part{ID: runID + id, SessionID: session.ID, MessageID: runID + m, Type: kind}
	}
	prompt := message.Message{ID: runID + "-m1", SessionID: session.ID, RunID: runID, Role: message.User, CreatedAt: at, Parts: []message.Part{
		part("-m1", "-p1", message.TextPart), part("-m1", "-p2", message.ImagePart), part("-m1", "-p3", message.FilePart), part("-m1", "-p4", "plan"),
	}}
	prompt.Parts[0].Text, prompt.Parts[1].Block, prompt.Parts[2].Block = "look", &image, &file
	stream.AddMessage(prompt)
	stream.Publish(event.LifecycleStart{Prompt: "look", Blocks: event.BlocksOf(message.Content{image, file}), Model: "m", MaxSteps: 3})
	reply := message.Message{ID: runID + "-m2", SessionID: session.ID, RunID: runID, Role: message.Assistant, CreatedAt: at, Parts: []message.Part{
		part("-m2", "-p5", message.ToolPart),
	}}
	use := message.NewToolUse(message.Call{ID: "c1", Name: "look", Arguments: json.RawMessage(`{}`)})
	reply.Parts[0].Tool = use
	stream.AddMessage(reply)
	stream.Publish(event.ToolCall{CallID: "c1", ToolName: "look", Arguments: json.RawMessage(`{}`)})
	result := message.Result{Content: returned}
	if err := errors.Join(use.Start(use.State.Input, at), use.Finish(result)); err != nil {
		t.Fatal(err)
	}
	stream.SetPart(reply.Parts[0])
	stream.Publish(event.ResultOf("c1", result))
	events := since(t, stream, 0)
	stream.Publish(event.LifecycleEnd{Reason: message.ReasonCompleted, Content: "Seen."})
	return []message.Message{prompt, reply}, append(events, since(t, stream, int64(len(events)))...)
}

// noise are bytes that occur nowhere else, in no encoding.
func noise(n int) []byte {
	text := make([]byte, n)
	for i := range text {
		text[i] = byte(0x80 + i*i%113)
	}
	return text
}

func TestPART01_BytesOfBlocksAreKeptOnceAndReadWhenAskedFor(t *testing.T) {
	folder := t.TempDir()
	s := openIn(t, folder)
	data := noise(5000)
	said, happened := picture(t, s, session("s1", "/work"), "r1", data)
	messages, err := messagesOf(t, s, "s1")
	if err != nil {
		t.Fatal(err)
	}
	outlines, _, err := s.Outlines(t.Context(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append(messages, outlines...) {
		for _, part := range m.Parts {
			if bare, had := part.WithoutData(); had || bare.Left != nil {
				t.Errorf("part %s was read with bytes, or lacks something: %+v", part.ID, part)
			}
			if whole, err := s.Part(t.Context(), part); err != nil || cmp.Diff(part, whole) != "" {
				t.Errorf("part %s is another one when it is read alone: %v", part.ID, err)
			}
		}
	}
	if got, want := messages[0].Text(), "look\n\n[image: a.png, image/png, 5000 bytes]\n\n[file: b/c.bin, 5001 bytes]"; got != want {
		t.Errorf("the user said %q, want %q", got, want)
	}
	if got, want := messages[1].Parts[0].Tool.Seen(), said[1].Parts[0].Tool.Seen(); got != want {
		t.Errorf("the model reads %q, and read %q", got, want)
	}
	for i := range messages {
		whole, err := s.WithData(t.Context(), messages[i])
		if diff := cmp.Diff(said[i], whole); diff != "" || err != nil {
			t.Errorf("message %d: %v\n%s", i, err, diff)
		}
	}
	run, err := s.Run(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	events, err := s.Events(t.Context(), run, 0)
	if err != nil || len(events) != len(happened) {
		t.Fatalf("%d events, %v", len(events), err)
	}
	for i := range events {
		whole, err := s.EventWithData(t.Context(), events[i])
		if diff := cmp.Diff(happened[i], whole); diff != "" || err != nil {
			t.Errorf("event %d: %v\n%s", i, err, diff)
		}
	}
	if kept, err := s.Record(t.Context(), session("s1", "/work")).Kept(t.Context(), "r1", 0); err != nil || cmp.Diff(happened, kept) != "" {
		t.Errorf("who is behind reads other events: %v\n%s", err, cmp.Diff(happened, kept))
	}
	// The image was given and returned; nothing else has the bytes of another.
	var rows, size int
	if err := s.reader.QueryRow("SELECT count(*), sum(length(data)) FROM block_data").Scan(&rows, &size); err != nil || rows != 5 || size != 5000+5001+5001+5000+1 {
		t.Errorf("%d rows with %d bytes, %v", rows, size, err)
	}
	err = s.reader.QueryRow("SELECT max(n) FROM (SELECT max(length(body)) AS n FROM parts UNION SELECT max(length(data)) FROM events)").Scan(&size)
	if err != nil || size > 3000 {
		t.Errorf("a part or an event has %d bytes, %v", size, err)
	}
	if err := s.Delete(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(everything(t, folder), data[:64]) {
		t.Error("the bytes stay when their conversation is deleted")
	}
}

func TestSEC05_KeysInBytesAreNotSaved(t *testing.T) {
	const key = "sk-canary-0123456789"
	folder := t.TempDir()
	o := options(folder)
	o.Redact = func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(key), []byte("[hidden]")) }
	s, _, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	picture(t, s, session("s1", "/work"), "r1", append(noise(100), key...))
	messages, err := messagesOf(t, s, "s1")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := s.WithData(t.Context(), messages[0])
	if data := whole.Parts[1].Block.Data; err != nil || !bytes.HasSuffix(data, []byte("[hidden]")) || len(data) != 108 {
		t.Errorf("%q, %v", data, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(everything(t, folder), []byte(key)) {
		t.Error("a key is in the database")
	}
}

func TestREL02_BytesThatWereDamagedAreMissing(t *testing.T) {
	s := openIn(t, t.TempDir())
	picture(t, s, session("s1", "/work"), "r1", noise(50))
	if _, err := s.writer.Exec("UPDATE block_data SET data = x'00' WHERE length(data) = 50"); err != nil {
		t.Fatal(err)
	}
	messages, err := messagesOf(t, s, "s1")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := s.WithData(t.Context(), messages[0])
	if err != nil || whole.Parts[1].Block.Data != nil || whole.Parts[1].Block.Sum == "" || len(whole.Parts[2].Block.Data) != 51 {
		t.Errorf("%+v, %v", whole.Parts, err)
	}
	if _, err := s.BlockData(t.Context(), whole.Parts[1].Block.Sum); !errors.Is(err, ErrNoBytes) {
		t.Errorf("got %v", err)
	}
	if _, err := s.BlockData(t.Context(), strings.Repeat("0", 64)); !errors.Is(err, ErrNoBytes) {
		t.Errorf("what never was: %v", err)
	}
}

func TestREL02_RescueBringsBlocksAlong(t *testing.T) {
	folder := t.TempDir()
	damaged := openIn(t, folder)
	said, _ := picture(t, damaged, session("s1", "/work"), "r1", noise(9000))
	if err := damaged.Close(); err != nil {
		t.Fatal(err)
	}
	s := openIn(t, t.TempDir())
	talk(t, s, session("s1", "/work"), "r1", "another state")
	if got, err := s.Rescue(t.Context(), damaged.path); err != nil || got.Both != 1 {
		t.Fatalf("got %+v, %v", got, err)
	}
	sessions, err := s.Sessions(t.Context(), "/work", All, 10)
	if err != nil || len(sessions) != 2 {
		t.Fatalf("%d conversations, %v", len(sessions), err)
	}
	messages, err := messagesOf(t, s, sessions[1].ID)
	if err != nil || len(messages) != 2 {
		t.Fatalf("%d messages, %v", len(messages), err)
	}
	whole, err := s.WithData(t.Context(), messages[0])
	if err != nil || !bytes.Equal(whole.Parts[1].Block.Data, said[0].Parts[1].Block.Data) {
		t.Errorf("%+v, %v", whole.Parts[1].Block, err)
	}
}
