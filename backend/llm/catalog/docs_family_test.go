package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fairlead/backend/llm"
	"fairlead/backend/settings"
)

// TestMOD02_TheDocumentationHasTheTableOfFamilies compares docs/providers.md with the
// families that there are.
func TestMOD02_TheDocumentationHasTheTableOfFamilies(t *testing.T) {
	page, err := os.ReadFile("../../../docs/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, family := range families {
		table.WriteString(familyRow(family))
	}
	if !strings.Contains(string(page), "|---|---|---|---|---|---|---|\n"+table.String()+"\n") {
		t.Errorf("the table of families should be:\n%s", table.String())
	}
}

// familyRow is a family in the words of the table.
func familyRow(f Family) string {
	echo := ""
	switch {
	case f.Tags:
		echo = "yes, in `<think>` where the server has no form"
	case f.Echo:
		echo = "yes"
	}
	efforts := make([]string, 0, 7)
	for _, effort := range f.Efforts.List() {
		efforts = append(efforts, string(effort))
	}
	at := ""
	if f.Maker != "" {
		at = fmt.Sprintf("`%s`", f.Protocol)
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s | %d |\n",
		f.Name, f.Title, at, echo, strings.Join(efforts, ", "), strings.Join(markNames(f.Marks), ", "), f.Window)
}

// markNames are the marks of a family as its models write them.
func markNames(marks llm.Marks) []string {
	var names []string
	for _, mark := range []struct {
		mark llm.Marks
		name string
	}{
		{llm.MarkThink, "`<think>`"},
		{llm.MarkHarmony, "harmony's channels"},
		{llm.MarkGemma, "`<|channel>thought`"},
		{llm.MarkMistral, "`[THINK]`, `[TOOL_CALLS]`"},
		{llm.MarkSeed, "`<seed:think>`"},
		{llm.MarkToolCall, "`<tool_call>`"},
		{llm.MarkFunction, "`<function=`"},
		{llm.MarkPython, "`<|python_tag|>`"},
		{llm.MarkKimi, "Kimi's sections"},
		{llm.MarkDeepSeek, "DeepSeek's sections"},
		{llm.MarkDSML, "DSML"},
		{llm.MarkMiniMax, "`<minimax:tool_call>`"},
	} {
		if marks&mark.mark != 0 {
			names = append(names, strings.ReplaceAll(mark.name, "|", "\\|"))
		}
	}
	return names
}

// The settings know the names of the families without the catalog: both must say the same.
func TestMOD02_TheSettingsKnowTheFamilies(t *testing.T) {
	names := make([]string, len(families))
	for i, family := range families {
		names[i] = family.Name
	}
	folder := t.TempDir()
	file := "[providers.lab]\nbase_url = 'https://lab.example/v1'\nfamily = 'none'\n"
	if err := os.WriteFile(filepath.Join(folder, settings.FileName), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "family must be one of " + strings.Join(names, ", ")
	if _, err := settings.ReadFile(folder); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestMOD02_AFamilyIsKnownByTheNameOfTheModel(t *testing.T) {
	for model, want := range map[string]string{
		"gpt-5": "gpt-5", "gpt-5-mini": "gpt-5", "openai/gpt-5.1": "gpt-5.1", "gpt-5.4": "gpt-5.2", "gpt-5.6-terra": "gpt-5.2",
		"gpt-5.3-codex": "gpt-codex", "codex-mini-latest": "gpt-codex", "o3-mini": "o-series", "o4-mini-deep-research": "o-series",
		"openai/gpt-oss-120b": "gpt-oss", "gpt-oss:20b": "gpt-oss", "mlx-community/gpt-oss-20b-MXFP4-Q8": "gpt-oss",
		"us.anthropic.claude-sonnet-4-5-20250929-v1:0": "claude", "models/gemini-3-pro-preview": "gemini",
		"deepseek-chat": "deepseek-v3", "deepseek-ai/DeepSeek-V3.2": "deepseek-v3", "deepseek-v4-flash": "deepseek-v4",
		"deepseek-r1:32b": "deepseek-r1", "DeepSeek-R1-Distill-Llama-70B": "deepseek-r1",
		"hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:Q4_K_M": "qwen-coder", "qwen3-max": "qwen", "qwq:32b": "qwen",
		"accounts/fireworks/models/kimi-k2-thinking": "kimi", "zai-org/GLM-4.6": "glm", "glm-5.3": "glm-5",
		"MiniMaxAI/MiniMax-M2.1": "minimax", "mistralai/Magistral-Small-2509": "mistral", "devstral-small-2507": "mistral",
		"grok-4-fast": "grok", "meta-llama/Llama-3.3-70B-Instruct": "llama", "google/gemma-4-26b-a4b-it": "gemma",
		"seed-oss-36b-instruct": "seed", "doubao-seed-1-6": "seed",
		"gpt-4.1": "", "command-a-03-2025": "", "photo1": "", "any": "", "": "",
	} {
		if got := FamilyOf(model).Name; got != want {
			t.Errorf("%s is of the family %q, want %q", model, got, want)
		}
	}
}
