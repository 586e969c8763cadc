package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"fairlead/backend/cli"
	"fairlead/backend/llm/llmtest"
	"fairlead/backend/sandbox"
	"fairlead/backend/tool/document/builtin"
)

// canary is a key that must not be found anywhere but in the environment and in
// the requests to the model.
const canary = "sk-canary-0123456789"

// TestMain makes the test binary be the program where it is called fairlead, so
// that the tests run a real process.
func TestMain(m *testing.M) {
	programs := map[string]func(){
		"fairlead": func() { os.Exit(fairlead()) },
		// The browser of Linux; no other system looks for it.
		"xdg-open":        browse,
		"fairlead-window": func() { os.Exit(cli.Main(os.Args[1:], withWindow())) },
	}
	maps.Copy(programs, lackingPrograms())
	testscript.Main(testsWithServer{m}, programs)
}

// fairlead is the program, which reads documents too.
func fairlead() int {
	if builtin.Asked() {
		return builtin.Main()
	}
	return cli.Main(os.Args[1:], cli.Standard())
}

// withWindow is a program that says that its window opened.
func withWindow() cli.Streams {
	streams := cli.Standard()
	streams.OpenWindow = func() error {
		_, err := fmt.Fprintln(streams.Out, "the window is open in", filepath.Base(os.Args[0]))
		return err
	}
	return streams
}

// TestScripts runs testdata/script. Each script has a home of its own, the folder
// ws to work on, PROGRAMS, where fairlead lies, and these commands beside the usual ones:
//
//	model FILE [KEY]     start a server that plays FILE, wanting KEY; sets MODEL_URL. There,
//	                     a command has wait-for(NAME) in place of one that waits for a file
//	server               SERVER is the server of tests, mcp/host/testserver
//	remote HEADER KEY    start an MCP server over HTTP that wants a key in a header; sets SERVER_URL
//	signed-in            start one that wants the user to sign in, where nobody is asked for a password
//	fill-in FILE         put what they stand for in the place of SERVER_URL and CANARY_KEY
//	requests N           the server was asked N times
//	exits CODE COMMAND   run a command that must exit with this code
//	usage                standard error is one error: line and one hint: line
//	sent N TEXT...       request N to the model holds these texts; with ! none of them
//	id NAME              NAME is the first word of standard output
//	noleft               no process is left (Linux, Windows)
//	nokey                no key in the last output or in any file of the program
//	key set|delete ...   save or delete a key in the keyring: ACCOUNT, and KEY
//	nowhere TEXT         no file of the program holds this text
//	events TYPE...       standard output is events, these among them in this order
//	empty FOLDER         nothing is in it
//	fill FILE SIZE       a file of so many random bytes
//	spoil FILE           the first bytes of a file are lost
//	lose DATABASE        the second event of each run and the replies cannot be read
//	results CALL=CODE... the results of these calls; ok is success
//	json STREAM FIELD... standard error's or output's last line is an object of exactly these fields
//
// The condition [servers] holds where one command can start a server for the next, and
// [links] where the system makes the links that it says it makes: Wine 8 does not.
func TestScripts(t *testing.T) { runScripts(t, "testdata/script") }

func runScripts(t *testing.T, dir string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		Setup:               setUp,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           holds,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"model": startModel, "requests": checkRequests, "exits": checkExit, "usage": checkUsage,
			"noleft": checkNoneLeft, "nokey": checkNoKey, "key": changeKey, "events": checkEvents, "results": checkResults,
			"json": checkJSON, "sent": checkSent, "id": cutID, "nowhere": checkNowhere, "empty": checkEmpty,
			"server": useServer, "remote": startRemote, "signed-in": startIssuer, "fill-in": fillIn,
			"fill": fillFile, "spoil": spoilFile, "lose": loseRows,
		},
	})
}

func holds(condition string) (bool, error) {
	switch condition {
	case "servers":
		return startsServers()
	case "links":
		return makesLinks()
	}
	return false, fmt.Errorf("there is no condition %q", condition)
}

func makesLinks() (bool, error) {
	dir, err := os.MkdirTemp("", "links")
	if err != nil {
		return false, err
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		return false, os.RemoveAll(dir)
	}
	target, _ := os.Readlink(link)
	return target == "target", os.RemoveAll(dir)
}

func startsServers() (bool, error) {
	program, err := os.Executable()
	if err != nil {
		return false, err
	}
	return !slices.Contains(sandbox.Inspect(context.Background(), program, nil).Gaps, sandbox.GapServers), nil
}

type serverKey struct{}

// waits are the places of a model's script where a command waits for a file.
var waits = regexp.MustCompile(`wait-for\(([^)]+)\)`)

func setUp(env *testscript.Env) error {
	for _, folder := range []string{"home", "ws"} {
		if err := os.MkdirAll(filepath.Join(env.WorkDir, folder), 0o700); err != nil {
			return err
		}
	}
	for name, value := range home(env.WorkDir) {
		env.Setenv(name, value)
	}
	env.Setenv("CANARY_KEY", canary)
	program, err := exec.LookPath("fairlead")
	if err != nil {
		return err
	}
	env.Setenv("PROGRAMS", filepath.Dir(program))
	env.Values[serverKey{}] = new(*llmtest.Server)
	return nil
}

// home is where the program keeps its state in a test whose files lie in root.
func home(root string) map[string]string {
	return map[string]string{
		"HOME": filepath.Join(root, "home"), "USERPROFILE": filepath.Join(root, "home"),
		// Else a program built for the race detector waits a second at its end.
		"GORACE":          "atexit_sleep_ms=0",
		"XDG_CONFIG_HOME": filepath.Join(root, "xdg", "config"),
		"XDG_DATA_HOME":   filepath.Join(root, "xdg", "data"),
		"XDG_STATE_HOME":  filepath.Join(root, "xdg", "state"),
	}
}

func startModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 || len(args) > 2 {
		ts.Fatalf("usage: model FILE [KEY]")
	}
	server := llmtest.Script(waits.ReplaceAllStringFunc(ts.ReadFile(args[0]), func(found string) string {
		return waitFor(waits.FindStringSubmatch(found)[1])
	}))
	if len(args) == 2 {
		server.Key = args[1]
	}
	listening := httptest.NewServer(server)
	ts.Setenv("MODEL_URL", listening.URL+"/v1")
	*ts.Value(serverKey{}).(**llmtest.Server) = server
	ts.Defer(func() {
		listening.Close()
		if faults := server.Faults(); len(faults) > 0 {
			ts.Logf("the model was sent: %s", strings.Join(faults, "; "))
			ts.Check(errors.New("faults in the requests to the model"))
		}
	})
}

func checkRequests(ts *testscript.TestScript, neg bool, args []string) {
	server := *ts.Value(serverKey{}).(**llmtest.Server)
	if want, err := strconv.Atoi(args[0]); neg || err != nil || len(server.Requests()) != want {
		ts.Fatalf("the model was asked %d times, want %s", len(server.Requests()), args[0])
	}
}

func checkExit(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if neg || err != nil {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

func checkUsage(ts *testscript.TestScript, _ bool, _ []string) {
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile("stderr"), "\n"), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "error: ") || !strings.HasPrefix(lines[1], "hint: ") {
		ts.Fatalf("standard error is not one error: line and one hint: line")
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output is not empty: %q", out)
	}
	checkNoKey(ts, false, nil)
}

func checkNoneLeft(ts *testscript.TestScript, _ bool, _ []string) {
	if left := processesOf(ts.Getenv("HOME")); len(left) > 0 {
		ts.Fatalf("processes left: %q", left)
	}
}

// processesOf finds the processes whose environment holds text. Those that were
// killed a moment ago get a moment to go.
func processesOf(text string) (found []string) {
	for range 50 {
		if found = runningWith(text); len(found) == 0 {
			return nil
		}
		<-time.After(10 * time.Millisecond)
	}
	return found
}

func checkNoKey(ts *testscript.TestScript, _ bool, _ []string) {
	for _, stream := range []string{"stdout", "stderr"} {
		if strings.Contains(ts.ReadFile(stream), canary) {
			ts.Fatalf("the key is on %s", stream)
		}
	}
	ts.Check(inFiles(ts.Getenv("WORK"), canary))
}

func checkNowhere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: nowhere TEXT")
	}
	ts.Check(inFiles(ts.Getenv("WORK"), args[0]))
}

func checkSent(ts *testscript.TestScript, neg bool, args []string) {
	requests := (*ts.Value(serverKey{}).(**llmtest.Server)).Requests()
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 || n > len(requests) {
		ts.Fatalf("there are %d requests, not %s", len(requests), args[0])
	}
	for _, text := range args[1:] {
		if bytes.Contains(requests[n-1].Body, []byte(text)) == neg {
			ts.Fatalf("request %d holds %q, or should: %s", n, text, requests[n-1].Body)
		}
	}
}

func cutID(ts *testscript.TestScript, neg bool, args []string) {
	words := strings.Fields(ts.ReadFile("stdout"))
	if neg || len(args) != 1 || len(words) == 0 {
		ts.Fatalf("usage: id NAME, after a command that prints something")
	}
	ts.Setenv(args[0], words[0])
}

// inFiles returns an error that names a file of the program that holds a text.
func inFiles(root, wanted string) error {
	for _, folder := range []string{"home", "xdg", "data", ".tmp"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) || err == nil && !entry.Type().IsRegular() {
				return nil
			}
			if err != nil {
				return err
			}
			text, err := os.ReadFile(path)
			if bytes.Contains(text, []byte(wanted)) {
				return fmt.Errorf("%q is in %s", wanted, path)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func checkEvents(ts *testscript.TestScript, neg bool, args []string) {
	all, err := parseEvents(ts.ReadFile("stdout"))
	ts.Check(err)
	for _, e := range all {
		if len(args) > 0 && e.Type == args[0] {
			args = args[1:]
		}
	}
	if neg || len(args) > 0 {
		ts.Fatalf("missing from there on: %s", args)
	}
}

func checkResults(ts *testscript.TestScript, neg bool, args []string) {
	all, err := parseEvents(ts.ReadFile("stdout"))
	ts.Check(err)
	var got []string
	for _, e := range all {
		if e.Type == "tool.result" {
			code := e.field("errorCode")
			if code == "" {
				code = "ok"
			}
			got = append(got, e.field("callId")+"="+code)
		}
	}
	slices.Sort(got)
	slices.Sort(args)
	if neg || !slices.Equal(got, args) {
		ts.Fatalf("results %s, want %s", got, args)
	}
}

func checkJSON(ts *testscript.TestScript, neg bool, args []string) {
	lines := strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n")
	var object map[string]json.RawMessage
	ts.Check(json.Unmarshal([]byte(lines[len(lines)-1]), &object))
	var got []string
	for name := range object {
		got = append(got, name)
	}
	slices.Sort(got)
	slices.Sort(args[1:])
	if neg || !slices.Equal(got, args[1:]) {
		ts.Fatalf("fields %s, want %s", got, args[1:])
	}
}
