package session_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"fairlead/backend/agent"
	"fairlead/backend/approve"
	"fairlead/backend/event"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/message"
	"fairlead/backend/session"
)

// most is how many runs of one conversation are looked at; each action begins one at
// most.
const most = 10

// plan is one random conversation: what the model says, what it is set to, and what
// people do to it at which of its events, and how they answer questions.
type plan struct {
	script  string
	options string
	actions map[int][]string
	answers []string
}

var (
	anyCall = rapid.OneOf(
		rapid.SampledFrom([]string{
			`shell {"command":"say hello"}`, `shell {"command":"sleep 20s"}`, `shell {"command":"work 5s"}`,
			`shell {"command":"sleep 3m"}`, `shell {"command":"fail 2"}`, `shell {"command":"panic"}`,
			`shell {"command":"silent"}`, `shell {"command":"big 60"}`, `shell {"command":"big 300"}`, `job_status {"id":"a"}`,
			`nothing {"a":1}`, `shell {"command":1}`, `shell {"command":`, `shell`,
		}),
		rapid.Map(rapid.IntRange(0, 99), func(n int) string { return fmt.Sprintf(`shell {"command":"say %d"}`, n) }),
	)
	anyID   = rapid.SampledFrom([]string{"-", "c1", "c1", "c2", "0"})
	anyLine = rapid.OneOf(
		rapid.SampledFrom([]string{"text Some words.", "reasoning I think.", "wait 3s", "wait 70s", "usage 300 20", "finish length"}),
		rapid.Custom(func(t *rapid.T) string { return "call " + anyID.Draw(t, "id") + " " + anyCall.Draw(t, "call") }),
	)
	anyReply = rapid.OneOf(
		rapid.Map(rapid.SliceOfN(anyLine, 0, 5), func(lines []string) string { return strings.Join(lines, "\n") }),
		rapid.Map(rapid.SliceOfN(anyLine, 1, 3), func(lines []string) string { return strings.Join(append(lines, "cut"), "\n") }),
		rapid.SampledFrom([]string{
			"text Done.", "call c1 shell {\"command\":\"say hello\"}", "call c1 shell {\"command\":\"big 60\"}", "hang", "text Half\nhang",
			`status 503 {"error":{"message":"busy"}}`, `status 401 {"error":{"message":"no"}}`,
			"status 429 {\"error\":{\"message\":\"slow down\"}}\nheader Retry-After: 7",
			`status 400 {"error":{"message":"This model's maximum context length is 4097 tokens. However, your messages resulted in 6988 tokens.","code":"context_length_exceeded"}}`,
		}),
	)
	anyOption = rapid.SampledFrom([]string{
		"max_steps 1", "max_steps 3", "approve ask", "approve ask", "approve none", "parallel 1", "parallel 2", "attempts 1",
		"attempts 2", "run_timeout 40s", "step_timeout 20s", "tool_timeout 10s", "stop_on_tool_error", "budget 400",
		"budget 3000", "window 2000", "window 2500", "window 6000", "no_doom", "no_compact", "continue_message", "mode single",
		"hook PreReasoning hint remember", "hook PostReasoning replace words/things", "hook PreActing refuse no",
		"hook PostActing replace hello/bye", "hook PostCall replace Done/Ready", "hook PreCall fail",
		"hook PreReasoning fail", "hook PostReasoning fail", "hook PreActing fail", "hook ActingChunk fail",
		"hook PostActing fail", "hook PostCall fail", "hook Error fail",
	})
	anyAction = rapid.SampledFrom([]string{
		"cancel", "interrupt", "interrupt That will do.", "queue step And this.", "queue run Then that.",
		"change step Rather this.", "remove", "send", "approve", "approve", "reject no", "stop", "continue", "halt",
		`modify {"command":"say edited"}`, `modify {"command":3}`, "extend", "retry", "wait 2s", "wait 90s", "close",
	})
	anyAnswer = rapid.SampledFrom([]string{
		"approve", "continue", "reject no", "stop", "halt", `modify {"command":"say edited"}`, `modify {"command":3}`,
		"extend", "retry", "cancel", "interrupt", "wait 400s", "queue step While you ask.",
	})
	anyPlan = rapid.Custom(func(t *rapid.T) plan {
		var replies []string
		for _, reply := range rapid.SliceOfN(anyReply, 1, 6).Draw(t, "replies") {
			// Models repeat themselves.
			replies = append(replies, slices.Repeat([]string{reply}, rapid.SampledFrom([]int{1, 1, 1, 2, 6}).Draw(t, "times"))...)
		}
		p := plan{
			script:  strings.Join(replies, "\n---\n"),
			options: strings.Join(rapid.SliceOfN(anyOption, 0, 5).Draw(t, "options"), "\n"),
			actions: map[int][]string{},
			answers: rapid.SliceOfN(anyAnswer, 0, 8).Draw(t, "answers"),
		}
		for _, at := range rapid.SliceOfN(rapid.IntRange(0, 40), 0, 8).Draw(t, "moments") {
			p.actions[at] = append(p.actions[at], anyAction.Draw(t, "action"))
		}
		return p
	})
)

// TestSomeRunsEndWell plays what the race detector takes several times as long for:
// TestRunsEndWellWhateverHappens plays more without it.
func TestSomeRunsEndWell(t *testing.T) { playRandom(t, 300) }

// playRandom plays random conversations with random cancels, interrupts, prompts,
// decisions, faults and timeouts, and checks after each run what holds for every run: each
// call answered once, one end and nothing after it, nothing left running, the numbering,
// and a history that the strict server takes. The flag rapid.checks goes before count.
func playRandom(t *testing.T, count int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	if before == checks.DefValue {
		if err := checks.Value.Set(fmt.Sprint(count)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = checks.Value.Set(before) })
	}
	rapid.Check(t, func(rt *rapid.T) {
		p := anyPlan.Draw(rt, "plan")
		var faults faults
		synctest.Test(t, func(t *testing.T) { p.play(t, &faults) })
		for _, fault := range faults {
			rt.Error(fault)
		}
	})
}

// faults are what did not hold.
type faults []string

func (f *faults) Helper() {}

func (f *faults) Errorf(format string, values ...any) {
	*f = append(*f, fmt.Sprintf(format, values...))
}

// Write implements io.Writer for a log in which errors are faults.
func (f *faults) Write(line []byte) (int, error) {
	if strings.Contains(string(line), "impossible") {
		f.Errorf("%s", line)
	}
	return len(line), nil
}

func (p plan) play(t *testing.T, faults *faults) {
	s := &stage{t: t, broker: approve.NewBroker(), sessions: session.NewManager(session.Options{}), ids: &atomic.Int64{}, server: llmtest.Script(p.script + strings.Repeat("\n---\ntext Done.", most*5))}
	config := s.config(parseOptions(t, "approve all\n"+p.options), s.server, pretend{}, job{&s.polled})
	config.Log = slog.New(slog.NewTextHandler(faults, nil))
	s.session = s.sessions.New("s1", config)
	run, err := s.session.BeginRun("Do it.")
	if err != nil {
		t.Fatal(err)
	}
	people := &people{stage: s, plan: p}
	for n := 0; run != nil && n < most; n++ {
		all, result := people.watch(t, run)
		checkInvariants(faults, all, result)
		if fault := atRest(all, result); fault != "" {
			faults.Errorf("%s", fault)
		}
		if run = people.next(); run == nil {
			if run, err = s.session.NextPrompt(); err != nil {
				faults.Errorf("next: %v", err)
			}
		}
	}
	for _, fault := range s.server.Faults() {
		faults.Errorf("the strict server refused: %s", fault)
	}
}

// atRest says what is left running after a run; empty for nothing.
func atRest(all []event.Event, result agent.Result) string {
	running := map[string]bool{}
	for _, e := range all {
		switch d := e.Data.(type) {
		case event.ToolRunning:
			running[d.CallID] = true
		case event.ToolResult:
			delete(running, d.CallID)
		case event.StepStarted:
			if len(running) > 0 {
				return fmt.Sprintf("step %d began while %v ran", d.Step, running)
			}
		}
	}
	if len(running) > 0 {
		return fmt.Sprintf("%v still runs after the end", running)
	}
	if result.Reason == "" || result.Reason != message.ReasonCompleted && result.Err == nil &&
		result.Reason != message.ReasonMaxSteps && result.Reason != message.ReasonInterrupted {
		return fmt.Sprintf("ended %q with %v", result.Reason, result.Err)
	}
	return ""
}

// people do what a plan says, at whatever moment; much of it comes too late.
type people struct {
	plan
	stage *stage
	seen  int
	asked string
	user  user
}

func (p *people) watch(t *testing.T, run *session.Run) ([]event.Event, agent.Result) {
	var all []event.Event
	for {
		events, err := run.Events.After(t.Context(), int64(len(all)))
		if errors.Is(err, io.EOF) {
			return all, run.Wait()
		}
		for _, e := range events {
			if id := callOf(e); id != "" {
				p.asked = id
			}
			for _, action := range p.actions[p.seen] {
				p.do(action, run.ID)
			}
			if asks(e) && len(p.answers) > 0 {
				p.do(p.answers[0], run.ID)
				p.answers = p.answers[1:]
			}
			p.seen++
		}
		all = append(all, events...)
	}
}

// asks says that a run waits for somebody.
func asks(e event.Event) bool {
	switch e.Type {
	case event.TypeConfirmRequest, event.TypeGuardRequest, event.TypeLLMRetry:
		return true
	}
	return false
}

// do does something; that it is refused is no fault.
func (p *people) do(action, runID string) {
	if duration, isWait := strings.CutPrefix(action, "wait "); isWait {
		wait, _ := time.ParseDuration(duration)
		<-time.After(wait)
		return
	}
	p.user.stage, p.user.refused = p.stage, true
	p.user.do(action, runID, p.asked)
}

func (p *people) next() *session.Run { return p.user.next() }
