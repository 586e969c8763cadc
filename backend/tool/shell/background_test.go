//go:build unix

package shell_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"fairlead/backend/message"
	"fairlead/backend/process"
	"fairlead/backend/tool"
	"fairlead/backend/tool/shell"
	"fairlead/backend/tool/tooltest"
)

func TestTOOL05_StartReturnsAtOnceAndStatusBringsWhatIsNew(t *testing.T) {
	b := open(t, nil)
	began := time.Now()
	result := b.run(t, "shell_start", command(t, "for i in $(seq 10); do echo $i; sleep 0.1; done; exit 4"))
	if took := time.Since(began); took > 250*time.Millisecond {
		t.Errorf("returned after %v", took)
	}
	if !result.Success() || !strings.HasPrefix(result.Content.Text(), "processId p1, running\n1\n") {
		t.Errorf("got %q", result.Text())
	}
	wantData(t, result, message.LevelFull, `{"processId":"p1","running":true}`)
	all := strings.TrimPrefix(result.Content.Text(), "processId p1, running\n")

	readings, quiet := 0, 0
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for strings.HasPrefix(result.Content.Text(), "p1 running\n") || readings+quiet == 0 {
		<-tick.C
		result = b.run(t, "shell_status", `{"processId":"p1"}`)
		_, fresh, _ := strings.Cut(result.Content.Text(), "\n")
		if fresh == "(no new output)" {
			quiet++
			continue
		}
		readings++
		all += fresh
	}
	if all != "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n" || readings < 5 || quiet < 5 {
		t.Errorf("%q in %d readings, %d without anything new", all, readings, quiet)
	}
	if !result.Success() || !strings.HasPrefix(result.Content.Text(), "p1 exited with code 4\n") {
		t.Errorf("got %q", result.Text())
	}
	wantData(t, result, message.LevelFull, `{"exitCode":4,"processId":"p1"}`)
	again := b.run(t, "shell_status", `{"processId":"p1"}`)
	if again.Text() != "p1 exited with code 4\n(no new output)" {
		t.Errorf("got %q", again.Text())
	}
}

func TestStartReturnsEarlyWhenTheCommandEnds(t *testing.T) {
	b := open(t, nil)
	tests := []struct{ line, text, data string }{
		{"echo hello", "processId p1, exited with code 0\nhello\n", `{"exitCode":0,"processId":"p1"}`},
		{"exit 3", "processId p2, exited with code 3\n(no output yet)", `{"exitCode":3,"processId":"p2"}`},
		{"kill -9 $$", "processId p3, ended by SIGKILL\n(no output yet)", `{"signal":"SIGKILL","processId":"p3"}`},
	}
	for _, test := range tests {
		result := b.run(t, "shell_start", command(t, test.line))
		if !result.Success() || result.Text() != test.text {
			t.Errorf("%s: got %q", test.line, result.Text())
		}
		wantData(t, result, message.LevelFull, test.data)
	}
	first := b.Jobs.List()[2]
	if took := first.EndedAt.Sub(first.StartedAt); took > 150*time.Millisecond {
		t.Skipf("the machine is busy: the command took %v", took)
	}
	began := time.Now()
	b.run(t, "shell_start", `{"command":"true"}`)
	if took := time.Since(began); took > 150*time.Millisecond {
		t.Errorf("returned after %v", took)
	}
}

func TestKillEndsARunningCommand(t *testing.T) {
	b := open(t, nil)
	b.run(t, "shell_start", command(t, `sleep 1000`))
	result := b.run(t, "shell_kill", `{"processId":"p1"}`)
	if !result.Success() || result.Text() != "p1 is killed: ended by SIGTERM\n(no new output)" {
		t.Errorf("got %q", result.Text())
	}
	// On a busy machine a shell may not get to its trap within the grace, so it has some tries.
	var id string
	for try := range 5 {
		id = fmt.Sprintf("p%d", try+2)
		b.run(t, "shell_start", command(t, `echo first; trap 'echo last; exit 7' TERM; while :; do sleep 0.01; done`))
		result = b.run(t, "shell_kill", fmt.Sprintf(`{"processId":%q}`, id))
		if strings.Contains(result.Text(), "exited") {
			break
		}
	}
	// The shell may tell that its child was terminated.
	if !result.Success() || !strings.HasPrefix(result.Text(), id+" is killed: exited with code 7\n") || !strings.HasSuffix(result.Text(), "last\n") {
		t.Errorf("got %q", result.Text())
	}
	wantData(t, result, message.LevelFull, fmt.Sprintf(`{"exitCode":7,"processId":%q,"killed":true}`, id))
	result = b.run(t, "shell_kill", fmt.Sprintf(`{"processId":%q}`, id))
	if !result.Success() || result.Text() != id+" had ended before: exited with code 7\n(no new output)" {
		t.Errorf("got %q", result.Text())
	}
}

func TestDSP04_UnknownProcessesNameThoseThereAre(t *testing.T) {
	b := open(t, nil)
	want := `PROCESS_NOT_FOUND: there is no process "p7": none runs in the background or has ended a short time ago`
	for range 2 {
		for _, name := range []string{"shell_status", "shell_kill"} {
			if got := b.run(t, name, `{"processId":"p7"}`); got.Text() != want || got.Error.Code != message.ProcessNotFound {
				t.Errorf("%s: got %q", name, got.Text())
			}
			if got := b.run(t, name, `{"processId":""}`); got.Success() || got.Error.Code != message.InvalidArguments {
				t.Errorf("%s: got %q", name, got.Text())
			}
		}
		b.background(t, "true", true)
		b.background(t, "sleep 1000", false)
		want = `PROCESS_NOT_FOUND: there is no process "p7": there are p1, p2`
	}
}

func TestTOOL05_EndedCommandIsForgottenAfterAWhile(t *testing.T) {
	b := open(t, func(o *shell.Options) { o.Jobs = process.NewJobs(process.JobsOptions{Kept: 100 * time.Millisecond}) })
	b.background(t, "echo bye", true)
	if got := b.run(t, "shell_status", `{"processId":"p1"}`); got.Text() != "p1 exited with code 0\nbye\n" {
		t.Errorf("got %q", got.Text())
	}
	late := time.After(10 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for b.run(t, "shell_status", `{"processId":"p1"}`).Success() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatal("it is never forgotten")
		}
	}
}

func TestDOOM01_AStatusIsNoLoopWhileTheCommandLives(t *testing.T) {
	b := open(t, nil)
	b.background(t, "true", true)
	b.background(t, "sleep 1000", false)
	status := b.tools["shell_status"]
	if !status.Definition().Polls {
		t.Error("it does not poll")
	}
	for arguments, want := range map[string]bool{
		`{"processId":"p1"}`: false, `{"processId":"p2"}`: true, `{"processId":"p3"}`: false, `{"processId":2}`: false, `{`: false,
	} {
		if got := status.(tool.Poller).Lives(input(arguments)); got != want {
			t.Errorf("%s: lives %v", arguments, got)
		}
	}
}

func TestCAN01_CancelledStartLeavesNothing(t *testing.T) {
	for _, cause := range []error{tool.ErrTimeout, errors.New("cancelled by user")} {
		b := open(t, nil)
		ctx, cancel := context.WithCancelCause(t.Context())
		mark := filepath.Join(b.Folder.Path(), "mark")
		go func() {
			for tick := time.NewTicker(time.Millisecond); ; <-tick.C {
				if _, err := os.Stat(mark); err == nil {
					cancel(cause)
					return
				}
			}
		}()
		result := tooltest.Run(ctx, b.tools["shell_start"], input(command(t, "echo half; touch mark; exec sleep 1000")))
		if result.Success() || !strings.Contains(result.Content.Text(), "processId p1, ended by SIGTERM\nhalf\n") {
			t.Errorf("%v: got %q", cause, result.Text())
		}
		want := message.Cancelled
		if cause == tool.ErrTimeout {
			want = message.ToolTimeout
		}
		if result.Error.Code != want || b.Jobs.Lives("p1") {
			t.Errorf("%v: got %q, lives %v", cause, result.Text(), b.Jobs.Lives("p1"))
		}
		result = tooltest.Run(ctx, b.tools["shell_start"], input(command(t, "true")))
		if result.Success() || result.Error.Code != want || len(b.Jobs.List()) != 1 {
			t.Errorf("%v: got %q", cause, result.Text())
		}
	}
}

func TestMovedCommandReadsLikeAStart(t *testing.T) {
	b := open(t, nil)
	in := input(`{"command":"echo so far; sleep 0.2; echo later; exit 5","timeout":1}`)
	progress := func(string) {
		if _, err := b.Jobs.Move("call-1"); err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	result := tooltest.RunLive(ctx, b.tools["shell"], in, progress)
	cancel()
	want := "processId p1, running: the user moved this command to the background\nso far\n"
	if !result.Success() || result.Text() != want {
		t.Errorf("got %q", result.Text())
	}
	wantData(t, result, message.LevelFull, `{"processId":"p1","running":true}`)
	if result.ProcessID != "p1" {
		t.Errorf("it names %q", result.ProcessID)
	}
	b.await(t, "p1")
	result = b.run(t, "shell_status", `{"processId":"p1"}`)
	if result.Text() != "p1 exited with code 5\nlater\n" {
		t.Errorf("got %q", result.Text())
	}
}

func TestTOOL05_CommandThatTheUserEndedSaysSo(t *testing.T) {
	b := open(t, nil)
	in := input(`{"command":"echo so far; sleep 1000"}`)
	done := make(chan error, 1)
	var once sync.Once
	progress := func(string) {
		once.Do(func() { go func() { done <- b.Jobs.End(t.Context(), "call-1") }() })
	}
	result := tooltest.RunLive(t.Context(), b.tools["shell"], in, progress)
	if err := <-done; err != nil {
		t.Error(err)
	}
	want := "CANCELLED: the user ended this command\nso far\n"
	if result.Text() != want || result.Level != message.LevelFull || result.ProcessID != "" {
		t.Errorf("got %q, level %q, process %q", result.Text(), result.Level, result.ProcessID)
	}
}

// held is a line that waits until the test calls release.
func held(line string) string { return "while [ ! -e go ]; do sleep 0.01; done; " + line }

// release lets the commands go on that wait.
func (b *bench) release(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(b.Folder.Path(), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTOOL04_LongOutputInTheBackground(t *testing.T) {
	b := open(t, nil)
	in := input(command(t, held("seq 20000; echo end")))
	in.CallID = "call-of-start"
	if result := tooltest.Run(t.Context(), b.tools["shell_start"], in); result.Truncated {
		t.Errorf("got %q", result.Text())
	}
	b.release(t)
	b.await(t, "p1")
	b.background(t, "echo first; yes 0123456789 | head -c 3000000", true)
	b.background(t, `yes "$(printf '\033[38;2;200;200;200mx')" | head -c 1000000`, true)
	const notice = `characters left out: read the whole output with read_file path "output:`
	for _, test := range []struct {
		id    string
		wants []string
	}{
		{"p1", []string{"p1 exited with code 0\n1\n2\n", "\n[… ", notice + `call-of-start" …]` + "\n", "20000\nend\n"}},
		{"p2", []string{"p2 exited with code 0\n[… 27", notice + `call-1" …]` + "\n", "characters left out …]\n", "0123456789\n012"}},
		{"p3", []string{"p3 exited with code 0\nx\n", "\n[… ", notice + `call-1" …]` + "\n", "x\nx\n"}},
	} {
		result := b.run(t, "shell_status", fmt.Sprintf(`{"processId":%q}`, test.id))
		if n := utf8.RuneCountInString(result.Text()); !result.Success() || !result.Truncated || n > 32_000 {
			t.Errorf("%s: truncated %v, %d characters", test.id, result.Truncated, n)
		}
		for _, want := range test.wants {
			if !strings.Contains(result.Content.Text(), want) {
				t.Errorf("%s: the result does not hold %q: %.200q", test.id, want, result.Content.Text())
			}
		}
		if again := b.run(t, "shell_status", fmt.Sprintf(`{"processId":%q}`, test.id)); again.Truncated {
			t.Errorf("%s: the next look is truncated", test.id)
		}
	}
	b.wantKept(t, "output:call-of-start", "1\n2\n", 20_001)
}

// exposures is a look at the folder that a test can watch.
type exposures struct {
	before, after int
	// ended says of each look after a command whether its context had ended.
	ended []bool
}

// look implements shell.Options.Before.
func (e *exposures) look(context.Context) ([]string, func(context.Context) []message.Notice) {
	e.before++
	return nil, func(ctx context.Context) []message.Notice {
		e.after++
		e.ended = append(e.ended, ctx.Err() != nil)
		if e.after%2 == 0 {
			return nil
		}
		return []message.Notice{
			{Code: message.NoticeNew, Data: message.NoticeData{Path: "sub/.git", Autorun: message.AutorunGit}},
			{Code: message.NoticeMore, Data: message.NoticeData{Count: 3}},
		}
	}
}

const noticed = "[Fairlead noticed: sub/.git is new: git runs what it says; 3 more like that: other programs run what it says]"

func TestSEC02_WhatACommandLeftIsTold(t *testing.T) {
	e := &exposures{}
	b := open(t, func(o *shell.Options) { o.Before = e.look })
	result := b.run(t, "shell", command(t, "printf text"))
	if result.Told() != "text\n"+noticed || result.Text() != "text" || len(result.Notices) != 2 || result.Level != message.LevelFull {
		t.Errorf("got %q, %v, %s", result.Told(), result.Notices, result.Level)
	}
	wantData(t, result, message.LevelFull, `{"exitCode":0}`)
	if result = b.run(t, "shell", command(t, "echo text")); result.Told() != "text\n" || e.before != 2 || e.after != 2 {
		t.Errorf("got %q after %d looks before and %d after", result.Text(), e.before, e.after)
	}

	ctx, cancel := context.WithCancel(t.Context())
	in := input(command(t, "echo half; sleep 1000"))
	progress := func(string) { cancel() }
	if result = tooltest.RunLive(ctx, b.tools["shell"], in, progress); !strings.HasSuffix(result.Told(), "half\n"+noticed) || e.after != 3 || e.ended[2] {
		t.Errorf("a cancelled command: got %q after %d looks, %v", result.Text(), e.after, e.ended)
	}
}

func TestSEC02_WhatACommandInTheBackgroundLeftIsToldOnce(t *testing.T) {
	for _, name := range []string{"shell_status", "shell_kill"} {
		e := &exposures{}
		b := open(t, func(o *shell.Options) { o.Before = e.look })
		result := b.run(t, "shell_start", command(t, held("exit 3")))
		if strings.Contains(result.Told(), noticed) || e.before != 1 {
			t.Errorf("got %q after %d looks", result.Text(), e.before)
		}
		b.release(t)
		b.await(t, "p1")
		if e.after != 1 || e.ended[0] {
			t.Errorf("%d looks after the end, %v", e.after, e.ended)
		}
		result = b.run(t, name, `{"processId":"p1"}`)
		if !strings.HasSuffix(result.Told(), "exited with code 3\n(no new output)\n"+noticed) {
			t.Errorf("got %q", result.Text())
		}
		wantData(t, result, message.LevelFull, `{"exitCode":3,"processId":"p1"}`)
		if result.Level != message.LevelFull || len(result.Notices) != 2 {
			t.Errorf("level %s, notices %v", result.Level, result.Notices)
		}
		result = b.run(t, name, `{"processId":"p1"}`)
		if strings.Contains(result.Told(), "noticed") || e.after != 1 {
			t.Errorf("got %q after %d looks", result.Text(), e.after)
		}
	}
}

func TestSEC02_WhatAMovedCommandLeftIsTold(t *testing.T) {
	e := &exposures{}
	b := open(t, func(o *shell.Options) { o.Before = e.look })
	in := input(command(t, "echo; "+held("exit 3")))
	progress := func(string) {
		if _, err := b.Jobs.Move("call-1"); err != nil {
			t.Error(err)
		}
	}
	if result := tooltest.RunLive(t.Context(), b.tools["shell"], in, progress); strings.Contains(result.Told(), "noticed") {
		t.Errorf("got %q", result.Text())
	}
	b.release(t)
	b.await(t, "p1")
	if result := b.run(t, "shell_status", `{"processId":"p1"}`); !strings.HasSuffix(result.Told(), "code 3\n(no new output)\n"+noticed) || e.after != 1 {
		t.Errorf("got %q after %d looks", result.Text(), e.after)
	}
}

// Whatever a look before takes is given back, even if nobody asks how a command has
// ended.
func TestSEC02_EachLookBeforeHasOneAfter(t *testing.T) {
	e := &exposures{}
	b := open(t, func(o *shell.Options) { o.Before = e.look })
	b.run(t, "shell_start", `{"command":"sleep 1000"}`)
	b.run(t, "shell_start", `{"command":"true"}`)
	long := command(t, "true "+strings.Repeat("x", 1<<22))
	b.run(t, "shell", long)
	b.run(t, "shell_start", long)
	b.Jobs.Close()
	b.run(t, "shell", `{"command":"true"}`)
	b.run(t, "shell_start", `{"command":"true"}`)
	if e.before != 6 || e.after != 6 {
		t.Errorf("%d looks before and %d after", e.before, e.after)
	}
}
