package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fairlead/backend/suggestion/suggestiontest"
)

var (
	// executed is a program that was started, and connected an address that was connected to.
	executed  = regexp.MustCompile(`execve(?:at)?\((?:\d+(?:<[^>]*>)?, )?"([^"]*)", \[(.*?)\]`)
	connected = regexp.MustCompile(`connect\(.*sin6?_port=htons\((\d+)\)`)
)

// TestEXT04_HostileFoldersDoNothingOnTheCommandLine works on hostile folders by the program, whose
// system calls are watched: it starts git for its settings, the shell of the one command, and itself,
// and connects to the model and to what its trial of the sandbox listens on, on this computer.
func TestEXT04_HostileFoldersDoNothingOnTheCommandLine(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("this system has no strace")
	}
	task := suggestiontest.Task("echo done")
	for _, folder := range suggestiontest.Folders(t) {
		t.Run(folder.Name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, task)
			canary := suggestiontest.NewCanary(t, p.workspace)
			folder.Make(t, p.workspace, canary)
			run := p.command(p.task("--approve", "all")...)
			trace := filepath.Join(p.root, "trace")
			cmd := exec.Command("strace", append([]string{
				"-f", "-y", "-qq", "-s", "400", "-e", "trace=execve,execveat,connect", "-o", trace, run.Path,
			}, run.Args[1:]...)...)
			ws := p.workspace
			cmd.Dir, cmd.Env = ws, append(run.Env, strings.Join([]string{"PATH=.", ws, ws + "/bin", ws + "/node_modules/.bin", os.Getenv("PATH")}, ":"))
			output, err := cmd.CombinedOutput()
			calls, _ := os.ReadFile(trace)
			if len(calls) == 0 {
				t.Skipf("system calls cannot be watched here: %v: %s", err, output)
			}
			if err != nil {
				t.Fatalf("%v: %s", err, output)
			}
			p.checkCalls(string(calls), run.Path, canary.URL())
			requests := p.server.Requests()
			for i, request := range requests {
				untrusted, err := suggestiontest.Untrusted(request.Body, suggestiontest.Reading)
				if err != nil || len(untrusted) > 0 {
					t.Errorf("request %d has %q, %v", i+1, untrusted, err)
				}
			}
			if text := p.read("notes/todo.txt"); text != "one\n" || len(requests) != strings.Count(task, "---")+1 {
				t.Errorf("written %q in %d requests: %s", text, len(requests), output)
			}
			if noticed := canary.Noticed(); len(noticed) > 0 {
				t.Errorf("the folder has done something: %q", noticed)
			}
		})
	}
}

// checkCalls checks which programs were started, and what was connected to.
func (p *place) checkCalls(calls, program, forbidden string) {
	p.t.Helper()
	port := forbidden[strings.LastIndex(forbidden, ":")+1:]
	commands := 0
	for line := range strings.Lines(calls) {
		if found := connected.FindStringSubmatch(line); found != nil && (found[1] == port || !strings.Contains(line, `"127.0.0.1"`)) {
			p.t.Errorf("connected elsewhere: %s", line)
		}
		found := executed.FindStringSubmatch(line)
		if found == nil || strings.Contains(line, " = -1 ") {
			continue
		}
		isShell := found[1] == "/bin/sh"
		isGit := strings.HasSuffix(found[1], "/git") && !strings.Contains(found[1], p.workspace) && strings.Contains(found[2], `"config", "--list"`)
		switch {
		case found[1] == program, strings.HasPrefix(found[1], "/proc/self/"), isGit:
		case isShell && strings.Contains(found[2], `"read line"`): // of the trial of the sandbox
		case isShell && strings.Contains(found[2], `"echo done"`):
			commands++
		default:
			p.t.Errorf("started: %s", line)
		}
	}
	if commands != 1 {
		p.t.Errorf("the command was started %d times:\n%s", commands, calls)
	}
}

// TestEXT04_FlagsAgreeToWhatAHostileFolderSuggests gives the model what the flags agree to, and
// nothing that only is shown.
func TestEXT04_FlagsAgreeToWhatAHostileFolderSuggests(t *testing.T) {
	for _, folder := range suggestiontest.Folders(t) {
		t.Run(folder.Name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, "text Looked.\n")
			canary := suggestiontest.NewCanary(t, p.workspace)
			folder.Make(t, p.workspace, canary)
			p.output(p.task("--approve", "all", "--project-instructions", "--project-skills")...)
			body := string(p.server.Requests()[0].Body)
			want := 0
			for _, one := range folder.Suggests {
				given := map[string]string{"instructions": one.Path, "skill": one.Path + "/SKILL.md"}[one.Kind]
				if given == "" || one.Kind == "instructions" && filepath.Dir(one.Path) != "." {
					continue
				}
				want++
				if !strings.Contains(body, suggestiontest.Sentence(given)) {
					t.Errorf("the model is not given %s", given)
				}
			}
			if want == 0 && strings.Contains(body, suggestiontest.Sentences) {
				t.Errorf("the model is given what cannot be agreed to: %s", body)
			}
			if noticed := canary.Noticed(); len(noticed) > 0 {
				t.Errorf("the folder has done something: %q", noticed)
			}
		})
	}
}
