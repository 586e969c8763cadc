package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"fairlead/backend/llm/llmtest"
)

// longRun is a long run of a model, and what it does on the way.
type longRun struct {
	script strings.Builder
	// changed are the paths that each round changes, and commands the ones that it runs, with
	// how they end.
	changed  []string
	commands []string
}

// newLongRun returns one of many rounds, whose outputs are long so that they are summed up.
func newLongRun(random *rand.Rand, rounds int) *longRun {
	r := &longRun{}
	r.script.WriteString("when You sum up the work\ntext Work goes on.\n")
	for i := range rounds {
		call, path, command := "", "", ""
		switch file := fmt.Sprintf("file%d.txt", i); random.IntN(4) {
		case 0:
			path = file
			call = fmt.Sprintf(`write_file {"path":"%s","content":"text %d\n"}`, file, i)
		case 1:
			path = file
			command = fmt.Sprintf("echo %d >%s", i, file)
		case 2:
			code := random.IntN(4)
			command = fmt.Sprintf("seq 1 %d && exit %d", 400+i, code)
			call = fmt.Sprintf(`shell {"command":"%s"}`, command)
			command += fmt.Sprintf(": exit %d", code)
		default:
			command = fmt.Sprintf("seq %d %d", i, i+300)
		}
		if call == "" {
			call = fmt.Sprintf(`shell {"command":"%s"}`, command)
			command += ": exit 0"
		}
		fmt.Fprintf(&r.script, "---\ncall c%d %s\n", i, call)
		r.changed, r.commands = append(r.changed, path), append(r.commands, command)
	}
	r.script.WriteString("---\ntext done\n")
	return r
}

// TestCHG12_SoakWhatALongRunDidIsInTheNextRequest has long runs summed up, and looks at what the
// model is told then: the user's rules, all changed paths and the last commands with their
// exit codes.
func TestCHG12_SoakWhatALongRunDidIsInTheNextRequest(t *testing.T) {
	runs := 3
	if os.Getenv("FAIRLEAD_SOAK") != "" {
		runs = 20
	}
	const rule = "Mind the rule: nobody touches the cellar."
	for seed := range runs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			const rounds = 80
			long := newLongRun(rand.New(rand.NewPCG(uint64(seed), 1)), rounds)
			p := newPlace(t, long.script.String())
			cmd := p.command("run", "--base-url", p.url, "--model", "any", "--api-key-env", "CANARY_KEY", "--workspace", p.workspace,
				"--approve", "all", "--max-steps", "150", "--no-doom", "--context-window", "12000", "Do all of it. "+rule)
			if output, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			step, summaries, summary := 0, 0, ""
			for _, request := range p.server.Requests() {
				if strings.Contains(string(request.Body), "You sum up the work") {
					continue
				}
				now := summaryIn(request.Chat)
				if now != summary {
					summaries++
					checkSummary(t, request.Chat, long, step, rule)
				}
				summary = now
				step++
			}
			if summaries < 2 {
				t.Errorf("it was summed up %d times", summaries)
			}
		})
	}
}

// summaryIn is the summary of a request; empty for none.
func summaryIn(chat llmtest.Chat) string {
	for _, m := range chat.Messages {
		if strings.HasPrefix(m.Text(), "The messages before this one were summed up") {
			return m.Text()
		}
	}
	return ""
}

// checkSummary looks for what so many rounds did in a request.
func checkSummary(t *testing.T, chat llmtest.Chat, long *longRun, rounds int, rule string) {
	t.Helper()
	summary := summaryIn(chat)
	if !strings.Contains(summary, rule) {
		t.Errorf("after %d rounds the rule is missing", rounds)
	}
	whole := map[string]bool{} // calls that are still shown as they were
	for _, m := range chat.Messages {
		for _, call := range m.ToolCalls {
			whole[call.ID] = true
		}
	}
	last := 0
	for i := range slices.Backward(long.commands[:rounds]) {
		shown := whole[fmt.Sprintf("c%d", i)]
		if path := long.changed[i]; path != "" && !shown && !strings.Contains(summary, "created "+path) {
			t.Errorf("after %d rounds %s is missing", rounds, path)
		}
		if long.commands[i] == "" {
			continue
		}
		if last++; last <= 20 && !shown && !strings.Contains(summary, long.commands[i]+"\n") {
			t.Errorf("after %d rounds %q is missing", rounds, long.commands[i])
		}
	}
}
