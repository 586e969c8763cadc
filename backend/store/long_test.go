package store

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/event"
	"fairlead/backend/message"
)

// Each schema so far has a database with a conversation of 5,000 messages, which has parts
// of every type and with every field of its time: testdata/longN.db.bz2. Each was written
// once, by the last build of its schema: this file was put beside that build's own, and
// TestWriteLong run there. What follows uses nothing, therefore, that builds of older
// schemas do not have, but for the context of Record, which came with schema 3.

// longRuns and longRun are how many runs the long conversation has, and how many messages
// each of them.
const (
	longRuns = 250
	longRun  = 20
)

// longMessage is a message of the long conversation as JSON, by its number from 0, with the
// fields that a schema knows.
func longMessage(schema, number int) string {
	run, at := number/longRun, number%longRun
	id := fmt.Sprintf("m%d", number)
	var parts []string
	add := func(kind, fields string) {
		parts = append(parts, fmt.Sprintf(`{"id":"%sp%d","sessionID":"s1","messageID":"%s","type":"%s"%s}`, id, len(parts), id, kind, fields))
	}
	since := func(first int, fields string) string {
		if schema < first {
			return ""
		}
		return fields
	}
	role, more := "assistant", ""
	switch {
	case at == 0 && run == longRuns/2 && schema > 1: // a summary of all before it
		role, more = "user", `,"synthetic":true`
		add("text", fmt.Sprintf(`,"text":"What was done before.","covers":"m%d"`, number-1))
	case at == 0:
		role = "user"
		add("text", fmt.Sprintf(`,"text":"Task %d"`, run))
		add("text", `,"text":"surroundings","synthetic":true`)
		if schema > 4 {
			add("image", fmt.Sprintf(`,"block":{"type":"image","name":"a%d.png","mediaType":"image/png","data":"iVBORw0K"}`, run))
			add("file", `,"block":{"type":"file","path":"b/c.bin","data":"AAEC"}`)
		}
	case at == longRun-1:
		add("reasoning", fmt.Sprintf(`,"text":"It is done."%s`, since(2, `,"details":[{"type":"thought","n":1}]`)))
		add("text", fmt.Sprintf(`,"text":"Reply %d%s","interrupted":true%s`, run, strings.Repeat(" and more", run%9*40), since(3, `,"continues":true`)))
	default:
		if at%6 == 1 {
			add("text", fmt.Sprintf(`,"text":"Next is %d"`, at))
		}
		add("tool", fmt.Sprintf(`,"tool":{"callID":"c%d","name":"shell"%s,"state":{%s}}`, number, since(2, `,"extra":{"signature":"x"}`), longState(schema, number)))
	}
	return fmt.Sprintf(`{"id":"%s","sessionID":"s1","runID":"r%d","role":"%s"%s,"parts":[%s],"createdAt":"2026-11-22T10:00:00Z"}`,
		id, run, role, more, strings.Join(parts, ","))
}

// longState is the state of a call in the long conversation: it ended, failed,
// was interrupted, or gave a long output.
func longState(schema, number int) string {
	since := func(first int, fields string) string {
		if schema < first {
			return ""
		}
		return fields
	}
	content := fmt.Sprintf("output %d\n%s", number, strings.Repeat("one line of some length\n", number%50/49*150))
	input := fmt.Sprintf(`"input":{"command":"echo %d"},"startedAt":"2026-11-22T10:00:01Z"`, number)
	text, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	output := fmt.Sprintf(`"content":%s,"data":{"exitCode":%d},"durationNs":1000`, text, number%3)
	if schema > 4 {
		output = fmt.Sprintf(`"content":[{"type":"text","text":%s},{"type":"image","mediaType":"image/png","data":"iVBORw0K"},{"type":"resource","uri":"db://t","text":"a,b"}],`+
			`"data":{"exitCode":%d},"durationNs":1000`, text, number%3)
	}
	switch number % 5 {
	case 1:
		return `"status":"error",` + input + `,"output":{` + output + `,"error":{"code":"COMMAND_FAILED","message":"exit code 1"},"truncated":true}`
	case 2:
		return `"status":"error","interrupted":true,` + input + `,"output":{"error":{"code":"CANCELLED","message":"cancelled"},"durationNs":5}`
	case 3:
		return `"status":"completed","pruned":true,` + input + `,"output":{` + output + `,"changes":[{"path":"a.txt","kind":"modified","added":1,"removed":2` +
			since(7, `,"op":"modify","from":"b.txt","to":"c.txt","setId":"set1"`) + `}]}`
	}
	return `"status":"completed",` + input + `,"output":{` + output +
		since(2, `,"processId":"p1","level":"full"`) + since(3, `,"notices":[{"code":"autorun_new","data":{"path":".git/config","autorun":"git"}}]`) + `}`
}

func TestWriteLong(t *testing.T) {
	path := os.Getenv("FAIRLEAD_LONG")
	if path == "" {
		t.Skip("only with a file to write the database to in FAIRLEAD_LONG")
	}
	schema := 0
	if _, err := fmt.Sscanf(filepath.Base(path), "long%d.db", &schema); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	s := openIn(t, folder)
	saved := Session{ID: "s1", Workspace: "/work", Title: "A long one"}
	read := func(text string, into any) {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	for run := range longRuns {
		id := fmt.Sprintf("r%d", run)
		stream := event.NewKeptStream(id, "s1", s.Record(t.Context(), saved), func(err *event.NotKeptError) { t.Error(err) })
		for at := range longRun {
			var m message.Message
			read(longMessage(schema, run*longRun+at), &m)
			stream.AddMessage(m)
			switch parts := m.ToolParts(); {
			case at == 0:
				stream.Publish(event.LifecycleStart{Prompt: m.Parts[0].Text, Model: "m", MaxSteps: 50})
			case at == longRun-1:
				stream.Publish(event.AssistantDelta{PartID: m.Parts[1].ID, Content: m.Parts[1].Text})
			case len(parts) > 0 && at < 4:
				use := parts[0].Tool
				stream.Publish(event.ToolCall{CallID: use.CallID, ToolName: use.Name, Arguments: use.State.Input})
				stream.Publish(event.ToolResult{CallID: use.CallID, Success: use.State.Output.Success(), Content: use.State.Output.Text(), Changes: []message.Change{}})
			}
		}
		stream.Publish(event.LifecycleEnd{Reason: message.ReasonCompleted, Content: "Done."})
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, databaseName))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
