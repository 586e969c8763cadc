package demo_test

import (
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/change/changetest"
	"fairlead/backend/llm"
	"fairlead/backend/llm/demo"
	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
	"fairlead/backend/tool/file"
	"fairlead/backend/tool/search"
	"fairlead/backend/tool/shell"
	"fairlead/backend/workspace"
)

// TestUI06_TourWorksWithTheRealTools fails when a tool's name or arguments
// change and the script does not follow.
func TestUI06_TourWorksWithTheRealTools(t *testing.T) {
	folder, err := workspace.Open(newFolder(t).dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = folder.Close() })
	changetest.Use(t, folder)
	outputs, err := workspace.OpenOutputs(filepath.Join(t.TempDir(), "outputs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = outputs.Close() })
	jobs := process.NewJobs(process.JobsOptions{})
	t.Cleanup(jobs.Close)
	tools := append(file.New(folder, outputs, nil, nil), search.New(folder, nil)...)
	tools = append(tools, shell.New(shell.Options{Folder: folder, Outputs: outputs, Jobs: jobs, Level: func() message.Level { return message.LevelNone }})...)
	registry, err := tool.NewRegistry(tools...)
	if err != nil {
		t.Fatal(err)
	}
	dispatcher, err := tool.NewDispatcher(registry, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	req := llm.Request{Messages: []message.Message{user(demo.Prompt)}}
	for _, d := range dispatcher.Definitions() {
		req.Tools = append(req.Tools, llm.Tool{Name: d.Name, Parameters: d.Parameters})
	}
	rounds, text, _ := play(t, req, func(call message.Call) message.Result {
		plan, err := dispatcher.Prepare(t.Context(), call)
		if err != nil {
			t.Fatal(err)
		}
		result := plan.Run(t.Context(), func(string) {}).Result
		if !result.Success() {
			t.Errorf("%s %s: %v", call.Name, call.Arguments, result.Error)
		}
		if call.Name == "search_files" && !strings.Contains(result.Content.Text(), "order.txt") {
			t.Errorf("the search does not find the order: %s", result.Content.Text())
		}
		return result
	})
	if len(rounds) != 4 || !strings.Contains(text, "the check passes") {
		t.Errorf("rounds %v, text %q", rounds, text)
	}
}
