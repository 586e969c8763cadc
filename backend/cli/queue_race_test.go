package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fairlead/backend/cli"
	"fairlead/backend/llm/llmtest"
)

// beginnings is a standard output that tells of each step that begins, and how long
// the last run took from there.
type beginnings struct {
	transcript
	came  chan struct{}
	began time.Time
	took  atomic.Int64
}

func (b *beginnings) Write(text []byte) (int, error) {
	switch {
	case bytes.Contains(text, []byte(`"type":"step.started"`)):
		b.began = time.Now()
		b.came <- struct{}{}
	case bytes.Contains(text, []byte(`"type":"lifecycle.end"`)):
		b.took.Store(int64(time.Since(b.began)))
	}
	return b.transcript.Write(text)
}

var notRun = regexp.MustCompile(`note: (\d+) prompts? that waited`)

// TestSTEER01_NoPromptIsLostWhenARunEnds gives prompts in the moments in which runs
// end. The program runs in this process, whose input is read to the end though the
// program has ended, so that each line has an answer.
func TestSTEER01_NoPromptIsLostWhenARunEnds(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere") // no keyring of the user who runs the tests
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	const programs = 15
	runs, span := 0, time.Millisecond
	for range programs {
		begun, took := endings(t, random, span)
		runs, span = runs+begun, took*3/2
	}
	t.Logf("%d runs", runs)
	if runs < 2*programs {
		t.Error("hardly a prompt came in time, so this tells nothing")
	}
}

// endings is one program, which is given prompts within a span after each beginning.
// It returns how many runs there were and how long the last took.
func endings(t *testing.T, random *rand.Rand, span time.Duration) (begun int, took time.Duration) {
	const most = 20 // prompts, each of which may be a run
	model := httptest.NewServer(llmtest.Script(strings.Repeat("text ok\n---\n", most) + "text ok"))
	defer model.Close()
	in, lines := io.Pipe()
	out, trouble := &beginnings{came: make(chan struct{}, most+1)}, &transcript{}
	ended := make(chan int, 1)
	workspace, data := t.TempDir(), t.TempDir()
	go func() {
		ended <- cli.Main([]string{
			"run", "--data-dir", data, "--workspace", workspace, "--base-url", model.URL + "/v1", "--model", "any",
			"--input", "jsonl", "--output", "jsonl", "begin",
		}, cli.Streams{In: in, Out: out, Err: trouble})
	}()
	said, code := 0, -1
	for code < 0 {
		select {
		case <-out.came:
			if said == most {
				continue
			}
			<-time.After(time.Duration(random.Int64N(int64(span))))
			target := []string{"step", "run"}[random.IntN(2)]
			if _, err := fmt.Fprintf(lines, `{"type":"prompt","text":"more","target":%q}`+"\n", target); err != nil {
				t.Fatal(err)
			}
			said++
		case code = <-ended:
		}
	}
	_ = lines.Close()
	told := 0
	for limit := time.Now().Add(patience); told != said && time.Now().Before(limit); <-time.After(time.Millisecond) {
		begun = strings.Count(out.String(), `"type":"lifecycle.start"`)
		told = begun - 1 + strings.Count(out.String(), `"type":"prompt.joined"`) +
			strings.Count(trouble.String(), "error: input line ignored: INVALID_STATE: ")
		if left := notRun.FindStringSubmatch(trouble.String()); left != nil {
			n, _ := strconv.Atoi(left[1])
			told += n
		}
	}
	if told != said || code != 0 {
		t.Fatalf("exit %d; %d prompts were given, %d had an outcome: %s", code, said, told, trouble)
	}
	return begun, time.Duration(out.took.Load())
}
