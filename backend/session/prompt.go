package session

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"text/template"
	"time"

	"fairlead/backend/agent"
	"fairlead/backend/message"
	"fairlead/backend/tool"
)

//go:embed system.md
var systemText string

var systemTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("system.md").Parse(systemText))
})

// Instructions are what the model is told beside its task.
type Instructions struct {
	// User are the user's own, for every conversation.
	User string
	// Project are those of the workspace, where the user agreed to them, and Path is
	// the file that they stand in.
	Project, Path string
	// Memory is what was noted about the workspace in earlier conversations.
	Memory string
}

// systemPrompt is the first message of every request of a session. It holds
// nothing that changes from step to step, so that a provider's cache of it stays
// good (SPEC MSG-02).
func systemPrompt(mode agent.Mode, tools []tool.Definition, maxSteps int, instructions Instructions) (string, error) {
	var prompts []string
	for _, d := range tools {
		if d.Prompt != "" {
			prompts = append(prompts, d.Prompt)
		}
	}
	var text strings.Builder
	err := systemTemplate().Execute(&text, struct {
		Tools    bool
		MaxSteps int
		Prompts  []string
		Instructions
	}{mode == agent.React && len(tools) > 0, maxSteps, prompts, instructions})
	if err != nil {
		return "", fmt.Errorf("write system prompt: %w", err)
	}
	return strings.TrimSpace(text.String()), nil
}

// describeSurroundings is what the model should know at the start of a run: the date,
// the system, what lies at the top of the workspace, and what it was not told yet.
func describeSurroundings(now time.Time, top []string, more bool, untold []message.Notice) string {
	listing := strings.Join(top, "  ")
	switch {
	case len(top) == 0:
		listing = "(empty)"
	case more:
		listing += "  …"
	}
	text := fmt.Sprintf("<surroundings>\ndate: %s\nsystem: %s\nworkspace: %s\n</surroundings>",
		now.Format("Monday, 2 January 2006"), runtime.GOOS, listing)
	if line := message.NoticeLine(untold); line != "" {
		text += "\n" + line
	}
	return text
}
