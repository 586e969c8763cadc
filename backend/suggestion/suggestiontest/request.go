package suggestiontest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Reading is the id of the call of Task that reads a file of the folder, as the model asked to.
const Reading = "w2"

// Task is the script of a model that lists the folder, reads from it, writes to it, and runs a command
// without double quotes.
func Task(command string) string {
	return `call w1 list_files {"path":"."}
---
call ` + Reading + ` read_file {"path":"README.md"}
---
call w3 write_file {"path":"notes/todo.txt","content":"one\n"}
---
call w4 shell {"command":"` + command + `"}
---
text Done.
`
}

// Untrusted returns where in the body of a request over chat completions a Sentence stands, but for
// the results of calls whose ids are in asked: the model asked for what these have.
func Untrusted(body []byte, asked ...string) (found []string, err error) {
	var request struct {
		Messages []json.RawMessage `json:"messages"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return nil, fmt.Errorf("read a request: %w", err)
	}
	rest := string(body)
	for i, text := range request.Messages {
		var message struct {
			Role string `json:"role"`
			Call string `json:"tool_call_id"`
		}
		if err := json.Unmarshal(text, &message); err != nil {
			return nil, fmt.Errorf("read a message: %w", err)
		}
		rest = strings.Replace(rest, string(text), "", 1)
		wanted := false
		for _, id := range asked {
			wanted = wanted || message.Call == id
		}
		if !wanted && strings.Contains(string(text), Sentences) {
			found = append(found, fmt.Sprintf("message %d of %s: %s", i, message.Role, text))
		}
	}
	if strings.Contains(rest, Sentences) {
		found = append(found, rest)
	}
	return found, nil
}
